"""What is known of times beforehand: the same, however many threads look at them."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest

from cepheid.connectors import Outlook
from cepheid.connectors import outlook as outlooks
from cepheid.connectors.outlook import outlook_of
from cepheid.connectors.records import Reading

COLUMNS = {
    "in order": [[1, 2], [2, 5], [], [6]],
    "in no order inside of a column": [[1, 2], [4, 3], [6]],
    "in no order between columns": [[1, 2], [0, 5], [6]],
    "less in the middle": [[5, 6], [3, 4], [5, 7]],
    "nothing": [[], []],
}


@pytest.mark.parametrize("times", COLUMNS.values(), ids=COLUMNS)
@pytest.mark.parametrize("threads", [2, 3, 9])
def test_threads_see_what_one_sees(times: Sequence[list[int]], threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [pa.array(some, pa.int64()) for some in times]
    one = outlook_of(columns, Reading(unit="us"))
    monkeypatch.setattr(outlooks, "LONG", 0)
    assert outlook_of(iter(columns), Reading(unit="us"), threads) == one
    whole = [time for some in times for time in some]
    assert one == (Outlook(min(whole), max(whole), whole == sorted(whole)) if whole else None)


def test_times_that_cannot_be_compared_are_known_by_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outlooks, "LONG", 0)
    columns = [pa.array([1.0]), pa.array([np.nan])]
    assert outlook_of(columns, Reading(), 2) is None
    assert outlook_of(columns, Reading()) is None
