"""Record batches that lie side by side in memory are one again; others stay as they are."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cepheid.connectors.side_by_side import side_by_side

TYPES = pa.DictionaryArray.from_arrays(np.arange(100, dtype=np.int32) % 3, pa.array(["A", "B", "C"]))
PLAIN = {"type": TYPES, "time": np.arange(100), "value": np.arange(100) / 7}


def batches(columns: dict[str, Any], size: int) -> list[Any]:
    return list(pa.table(columns).to_batches(max_chunksize=size))


def sizes(some: Sequence[Any], most: int = 1000) -> list[int]:
    """Return how long the batches are that come of some, which hold the same."""
    found = list(side_by_side(some, most))
    assert pa.Table.from_batches(found).equals(pa.Table.from_batches(some))
    for one in found:
        one.validate(full=True)
    return [one.num_rows for one in found]


def test_slices_of_one_table_are_one() -> None:
    assert sizes(batches(PLAIN, 7)) == [100]
    assert sizes(batches(PLAIN, 30), 70) == [60, 40]


def test_views_of_one_array_are_one() -> None:
    times = np.arange(90).astype("datetime64[us]")
    views = [pa.record_batch({"time": times[first : first + 30]}) for first in (0, 30, 60)]
    assert sizes(views) == [90]


def test_what_a_parquet_file_was_read_as_is_one(tmp_path: Any) -> None:
    rows = 300_000
    pq.write_table(pa.table({"time": np.arange(rows)}), tmp_path / "a.parquet")
    assert sizes(pq.read_table(tmp_path / "a.parquet").to_batches(), rows) == [rows]


@pytest.mark.parametrize(
    "columns",
    [
        {"time": pa.array([1, None, 3, 4])},
        {"word": pa.array(["a", "b", "c", "d"])},
        {"truth": pa.array([True, False, True, True])},
        {"list": pa.array([[1], [2], [3], [4]])},
    ],
)
def test_other_columns_stay_in_pieces(columns: dict[str, Any]) -> None:
    assert sizes(batches(columns, 2)) == [2, 2]


def test_what_lies_elsewhere_stays_in_pieces() -> None:
    first, second = batches(PLAIN, 50)
    assert sizes([second, first]) == [50, 50]
    assert sizes([first, first]) == [50, 50]
    other = pa.DictionaryArray.from_arrays(second["type"].indices, pa.array(["C", "B", "A"]))
    assert sizes([first, second.set_column(0, "type", other)]) == [50, 50]
    kinds = [pa.record_batch({"n": pa.array([1, 2], kind)}) for kind in (pa.int64(), pa.float64())]
    assert [one.num_rows for one in side_by_side(kinds, 9)] == [2, 2]
    assert sizes([first.slice(0, 0), second]) == [0, 50]
