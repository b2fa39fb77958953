"""Parquet files of which only the rows are decoded that somebody reads: what a run tells is the same."""

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cepheid as c
from cepheid.api import finite
from cepheid.api.finite import MANY
from cepheid.connectors import wanted_rows
from cepheid.connectors.event_columns import ColumnChunk
from cepheid.engine.detectors import slices

pytest.importorskip("polars")
ROWS, GROUP = 4 * MANY, 15_703
Make = Callable[[], pa.Table]
Told = dict[str, Any]


def table() -> pa.Table:
    """Events of ten types, one of which in a hundred shares its time with the next."""
    draw = np.random.default_rng(11)
    kinds = pa.DictionaryArray.from_arrays(draw.integers(0, 10, ROWS).astype(np.int32), pa.array([*"ABCDEFGHIJ"]))
    times = np.arange(ROWS) * 100 - np.where(np.arange(ROWS) % 100 == 7, 100, 0)
    columns = {"type": kinds, "time": times, "key": draw.integers(0, 9, ROWS), "value": draw.random(ROWS)}
    return pa.table(columns)


def instead(name: str, column: Any) -> pa.Table:
    return table().set_column(table().schema.get_field_index(name), name, column)


def with_texts() -> pa.Table:
    keys = pa.array([f"key {number}" for number in table()["key"].to_pylist()])
    return instead("key", keys).set_column(0, "type", table()["type"].cast(pa.string()))


def with_moments() -> pa.Table:
    return instead("time", table()["time"].cast(pa.timestamp("us")))


def with_few_values() -> pa.Table:
    """Two of three values are null, and numbers are small."""
    values = pa.array(table()["value"].to_numpy(), mask=np.arange(ROWS) % 3 > 0)
    return instead("value", values).set_column(2, "key", table()["key"].cast(pa.int8()))


def with_types_twice() -> pa.Table:
    names = pa.array([*"ABCDEFGHIA"])
    return instead("type", pa.DictionaryArray.from_arrays(table()["type"].combine_chunks().indices, names))


def in_no_order() -> pa.Table:
    draw = np.random.default_rng(2)
    order = [first + draw.permutation(min(GROUP, ROWS - first)) for first in range(0, ROWS, GROUP)]
    return table().take(pa.array(np.concatenate(order)))


def with_missing_times() -> pa.Table:
    return instead("time", pa.array(table()["time"].to_numpy(), mask=np.arange(ROWS) % 20_000 == 19_000))


def with_missing_types() -> pa.Table:
    return instead("type", pa.array(table()["type"].to_pylist(), mask=np.arange(ROWS) % 20_000 == 19_000))


def with_far_numbers() -> pa.Table:
    """A row that nobody reads has a value that no event can hold."""
    values = np.random.default_rng(3).integers(0, 1000, ROWS).astype(np.uint64)
    values[int(np.flatnonzero(np.asarray(table()["type"].combine_chunks().indices) == 7)[-1])] = 2**63 + 5
    return instead("value", pa.array(values))


def with_fine_times() -> pa.Table:
    return instead("time", pa.array(table()["time"].to_numpy() + 0.25))


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    import polars  # noqa: F401  # which is not loaded for so few rows

    monkeypatch.setattr(finite, "ROWS_OF_A_PART", GROUP)
    monkeypatch.setattr(finite, "MANY", 1000)
    monkeypatch.setattr(slices.Slices, "__init__", _of_few_rows(slices.Slices.__init__))


def _of_few_rows(made: Any) -> Any:  # a function
    return lambda self, make, reach, threads: made(self, make, reach, threads, GROUP)


@pytest.fixture
def picked(monkeypatch: pytest.MonkeyPatch) -> list[ColumnChunk | None]:
    """What was picked out of groups of rows."""
    found: list[ColumnChunk | None] = []
    pick = wanted_rows.Picking.chunk

    def noted(self: wanted_rows.Picking, *arguments: Any) -> ColumnChunk | None:
        found.append(pick(self, *arguments))
        return found[-1]

    monkeypatch.setattr(wanted_rows.Picking, "chunk", noted)
    return found


def rising() -> c.CompiledQuery:
    a, b = c.event("A"), c.event("B")
    pattern = (a >> b).within("30 ms").by("key").where(b.value > a.value)
    return c.compile(c.query(pattern, name="rising", values={"by": b.value - a.value}))


def told(path: Path, threads: int) -> Told:
    rejects: list[Any] = []
    run = rising().run(path, time_unit="us", threads=threads, ids=True, on_reject=rejects.append)
    found: Told = {"matches": run.to_arrow().to_pylist()}
    found["rejects"] = [(one.code, str(one.diagnostic), one.raw) for one in rejects]
    return {**found, "summary": run.summary, "warnings": [one.code for one in run.warnings]}


EXACT = (table, with_texts, with_moments, with_few_values, with_types_twice, in_no_order)
DOUBTFUL = (with_missing_times, with_missing_types, with_far_numbers, with_fine_times)


@pytest.mark.parametrize("make", [*EXACT, *DOUBTFUL])
def test_what_is_told_is_the_same(make: Make, tmp_path: Path, picked: list[ColumnChunk | None]) -> None:
    path = tmp_path / "odd[1]*.parquet"
    pq.write_table(make(), path, row_group_size=GROUP)
    whole = told(path, 1)
    assert not picked
    assert told(path, 3) == whole
    assert len(whole["matches"]) > 100
    assert (bool(picked) and all(picked)) is (make in EXACT)
    assert len(picked) == (0 if make in (with_far_numbers, with_fine_times) else -(-ROWS // GROUP))


def test_rows_that_nobody_reads_are_counted_and_not_decoded(tmp_path: Path, picked: list[ColumnChunk]) -> None:
    path = tmp_path / "events.parquet"
    pq.write_table(table(), path, row_group_size=GROUP)
    run = rising().run(path, time_unit="us", threads=2)
    run.count()
    assert run.summary.events == ROWS
    assert len(run.summary.types) == 10
    last = max(picked, key=lambda chunk: chunk.events.positions[-1])
    assert set(last.events.types.to_pylist()) == {"A", "B"}
    rows = last.as_rows()
    first = rows.events[0]
    assert isinstance(first.id, int)
    stands = table().slice(first.id - 1, 1).to_pylist()[0]
    assert {**first.fields, "type": first.type, "time": first.end} == stands
    assert (rows.origin.place(0).line, rows.origin.raw(0)) == (first.id, stands)


def test_where_most_rows_are_wanted_all_are_read(tmp_path: Path, picked: list[ColumnChunk | None]) -> None:
    names = pa.array([*"ABABABABCD"])
    events = instead("type", pa.DictionaryArray.from_arrays(table()["type"].combine_chunks().indices, names))
    pq.write_table(events, tmp_path / "events.parquet", row_group_size=GROUP)
    assert told(tmp_path / "events.parquet", 2) == told(tmp_path / "events.parquet", 1)
    assert picked
    assert not any(picked)


def test_what_polars_cannot_read_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise RuntimeError("no")

    pq.write_table(table(), tmp_path / "events.parquet", row_group_size=GROUP)
    whole = told(tmp_path / "events.parquet", 1)
    monkeypatch.setattr(wanted_rows.Picking, "_numbers", fails)
    assert told(tmp_path / "events.parquet", 2) == whole


def test_without_polars_all_rows_are_read(
    tmp_path: Path, picked: list[ColumnChunk | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "polars", None)
    pq.write_table(table(), tmp_path / "events.parquet", row_group_size=GROUP)
    assert told(tmp_path / "events.parquet", 2) == told(tmp_path / "events.parquet", 1)
    assert not picked


def test_a_group_with_fewer_rows_than_it_says_is_not_picked_from(tmp_path: Path) -> None:
    path, few = tmp_path / "events.parquet", table().slice(0, 3000)
    pq.write_table(few, path, row_group_size=1000)
    path.write_bytes(_saying_more_rows(path.read_bytes()))
    with pytest.raises(c.CepheidError, match="another number of rows"):
        told(path, 2)


def _saying_more_rows(data: bytes) -> bytes:
    """Return the same file, where the second group claims to have 1008 rows."""
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    said, more = b"\x16\xd0\x0f", b"\x16\xe0\x0f"  # 1000 and 1008, as Thrift writes a long after the field before it
    place = data.index(said, footer)
    while (changed := data[:place] + more + data[place + 3 :]) and _rows_of_second(changed) != 1008:
        place = data.index(said, place + 1)
    return changed


def _rows_of_second(data: bytes) -> int:
    return int(pq.ParquetFile(io.BytesIO(data)).metadata.row_group(1).num_rows)
