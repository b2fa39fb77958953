"""A store of rows: whatever is done to it, its arrays hold what a list of rows and a dictionary of keys would."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.engine.kernels.columns import row_store
from cepheid.engine.kernels.columns.row_store import ByKey, ByRow, CountedRows, RowStore
from cepheid.engine.kernels.columns.state_bytes import from_bytes, to_bytes
from cepheid.engine.kernels.compiling.typed_arrays import Data

ARRAYS: dict[str, ByRow | ByKey] = {
    "time": ByRow(np.int64),
    "refs": ByRow(np.int32, 3),
    "none": ByRow(np.float64, 0),
    "link": ByRow(np.int32, written=False),
    "heads": ByKey(width=2),
    "many": ByKey(blank=0, written=True),
}

Steps = list[tuple[str, int]]


@pytest.fixture(scope="module", autouse=True)
def little_room() -> Iterator[None]:
    """Room is made in small steps, so that it is made often."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row_store, "LEAST_ROOM", 1)
        yield


class Log(RowStore):
    """Rows whose numbers can be read back, and how many each of some keys has."""

    time: Data
    refs: Data
    none: Data
    link: Data
    heads: Data
    many: Data

    def __init__(self) -> None:
        super().__init__(2, **ARRAYS)

    def append(self, numbers: list[int]) -> None:
        rows = self.added(len(numbers))
        self.time[rows], self.link[rows] = numbers, -1
        self.refs[:, rows] = np.add.outer([1, 2, 3], numbers)

    def rows(self) -> list[list[int]]:
        both = np.concatenate([self.time[None, : self.top], self.refs[:, : self.top]])
        found: list[list[int]] = both.T.tolist()
        return found


def restored(log: Log, keys: int) -> Log:
    """Return a log that goes on from what another one wrote, by way of bytes."""
    again = Log()
    entries: dict[str, Any] = from_bytes(to_bytes("test", log.written()), "test")
    assert set(entries) == {"time", "refs", "none", "many"}
    again.take_up(entries, keys)
    return again


STEPS = st.lists(
    st.tuples(st.sampled_from(["append", "room", "first", "last", "every", "mask", "turn", "state"]), st.integers(0, 9))
)


@given(STEPS)
def test_a_store_holds_what_a_list_of_rows_would(steps: Steps) -> None:
    log, expected, number = Log(), list[int](), 0
    for name, count in steps:
        share = min(count, len(expected))
        if name == "append":
            log.make_room(count)
            log.append(list(range(number, number + count)))
            expected += range(number, number + count)
            number += count
        elif name == "room":
            log.make_room(count)
        elif name == "first":
            log.keep(slice(0, share), log.room + count)
            del expected[share:]
        elif name == "last":
            log.keep(slice(share, log.top))
            del expected[:share]
        elif name == "every":
            kept = np.arange(0, log.top, count + 1)
            log.keep(kept, max(len(kept), 1))
            expected = expected[:: count + 1]
        elif name == "mask":
            mask = log.time[: log.top] % (count + 2) == 0
            log.keep(mask)
            expected = [one for one in expected if one % (count + 2) == 0]
        elif name == "turn":
            log.arrange(share, np.arange(log.top - share)[::-1])
            expected = expected[:share] + expected[share:][::-1]
        else:
            log = restored(log, count)
        assert log.rows() == [[one, one + 1, one + 2, one + 3] for one in expected]
        assert log.room >= log.top == len(expected)
        assert all(getattr(log, one).shape[-1] == log.room for one in log.by_row)
        assert [getattr(log, one).dtype for one in log.by_row] == [form.kind for form in log.by_row.values()]


@given(st.lists(st.tuples(st.sampled_from(["count", "room", "keep", "state"]), st.integers(0, 20))))
def test_keys_keep_what_is_known_of_them(steps: Steps) -> None:
    log, expected = Log(), dict[int, int]()
    for name, key in steps:
        if name == "count":
            log.make_room_for_keys(key + 1)
            log.many[key] += 1
            log.heads[key] = key
            expected[key] = expected.get(key, 0) + 1
        elif name == "room":
            log.make_room_for_keys(key)
        elif name == "keep":
            numbers = np.flatnonzero(np.arange(2 * len(log.many)) % (key + 1) == 0)
            log.keep_keys(numbers)
            expected = {new: expected[old] for new, old in enumerate(numbers.tolist()) if old in expected}
        else:
            log = restored(log, key)
            assert (log.heads == -1).all()
            log.make_room_for_keys(len(log.many))
        assert {one: many for one, many in enumerate(log.many.tolist()) if many} == expected
        assert len(log.heads) >= 1


def test_kernels_say_how_many_rows_there_are() -> None:
    control = np.zeros(3, np.int64)
    store = CountedRows(control, 1, node=ByRow(np.int32, 2))
    store.make_room(5)
    control[1] = 5
    assert store.top == 5
    store.keep(slice(2, 5))
    assert control.tolist() == [0, 3, 0]
    assert store.bytes_of_a_row == 8
