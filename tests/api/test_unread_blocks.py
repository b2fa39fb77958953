"""Tables and Parquet files that several threads read: the same matches, rejects, counts and warnings as on one."""

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
from cepheid.connectors import Outlook, arrow_rows, files
from cepheid.connectors.sources import PathSource
from cepheid.engine.detectors import slices

ROWS, GROUP = 4 * MANY, 5000
Make = Callable[[], pa.Table]


def rising(policy: str) -> c.CompiledQuery:
    a, b = c.event("A"), c.event("B")
    pattern = (a >> b).within("30 ms").by("key").choose(policy).where(b.value > a.value)
    return c.compile(c.query(pattern, name="rising", values={"by": b.value - a.value}))


def table(rows: int = ROWS) -> pa.Table:
    draw = np.random.default_rng(5)
    kinds = pa.DictionaryArray.from_arrays(draw.integers(0, 3, rows).astype(np.int32), pa.array(["A", "B", "C"]))
    columns = {
        "type": kinds,
        "time": np.arange(rows) * 100,
        "key": draw.integers(0, 9, rows),
        "value": draw.random(rows),
    }
    return pa.table(columns)


def with_bad_rows() -> pa.Table:
    """Every thousandth row has no time, and every 1,500th no type."""
    good, number = table(), np.arange(ROWS)
    times = pa.array(np.arange(ROWS) * 100, mask=number % 1000 == 500)
    kinds = pa.array(good["type"].to_pylist(), mask=number % 1500 == 7)
    return good.set_column(1, "time", times).set_column(0, "type", kinds)


def with_fractions() -> pa.Table:
    """Times are finer than a microsecond in some rows."""
    return table().set_column(
        1, "time", pa.array(np.arange(ROWS) * 100 + np.where(np.arange(ROWS) % 900 == 3, 0.5, 0.0))
    )


def with_far_numbers() -> pa.Table:
    """One row of a part has a value that no event can hold, so that all of it is read one by one."""
    values = np.full(ROWS, 7, np.uint64)
    values[30_001] = 2**63 + 5
    return table().append_column("size", pa.array(values))


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finite, "ROWS_OF_A_PART", 3 * GROUP)
    for module in (arrow_rows, files):
        monkeypatch.setattr(module, "MOST_ROWS", GROUP // arrow_rows.PORTIONS)
    monkeypatch.setattr(slices.Slices, "__init__", _of_few_rows(slices.Slices.__init__))


def _of_few_rows(made: Any) -> Any:  # a function
    return lambda self, make, reach, threads: made(self, make, reach, threads, 2 * GROUP)


def outcome(events: Any, threads: int, policy: str = "recent", **options: Any) -> dict[str, Any]:
    """Return all that a run tells."""
    rejects: list[Any] = []
    run = rising(policy).run(events, time_unit="us", threads=threads, ids=True, on_reject=rejects.append, **options)
    told: dict[str, Any] = {"error": None, "matches": []}
    try:
        for portion in run.portions():
            told["matches"] += [one.to_dict() for one in portion.reports()]
    except c.CepheidError as error:
        told["error"] = str(error)
    told["rejects"] = [(one.code, str(one.diagnostic), one.raw) for one in rejects]
    told["summary"], told["warnings"] = run.summary, [str(one) for one in run.warnings]
    return told


def with_shared_times() -> pa.Table:
    """Ten events share each time."""
    return table().set_column(1, "time", pa.array(np.arange(ROWS) // 10 * 1000))


@pytest.mark.parametrize("make", [table, with_bad_rows, with_fractions, with_far_numbers, with_shared_times])
@pytest.mark.parametrize("is_file", [False, True])
@pytest.mark.parametrize("policy", ["recent", "all"])
def test_threads_that_read_tell_what_one_tells(make: Make, is_file: bool, policy: str, tmp_path: Path) -> None:
    events: Any = make()
    if is_file:
        events = tmp_path / "events.parquet"
        pq.write_table(make(), events, row_group_size=3 * GROUP + 703)
    one, several = outcome(events, 1, policy), outcome(events, 3, policy)
    assert several == one
    assert len(one["matches"]) > 1000
    assert bool(one["rejects"]) is (make is with_bad_rows)


def test_row_groups_are_sorted_one_by_one(tmp_path: Path) -> None:
    order = np.concatenate([first + np.random.default_rng(2).permutation(GROUP) for first in range(0, ROWS, GROUP)])
    pq.write_table(table().take(order), tmp_path / "events.parquet", row_group_size=GROUP)
    one, several = (outcome(tmp_path / "events.parquet", threads) for threads in (1, 2))
    assert several == one
    assert len(one["matches"]) > 1000


def test_a_strict_run_ends_where_it_does_on_one_thread() -> None:
    bad = with_bad_rows()
    good = table(41_000).cast(bad.schema)
    late = pa.concat_tables([good, bad.slice(41_000)])
    one, several = outcome(late, 1, strict=True), outcome(late, 2, strict=True)
    assert "bad-event" in str(one["error"])
    assert several["error"] == one["error"]
    assert several["matches"] == one["matches"]
    assert one["matches"]


@pytest.mark.parametrize("threads", [1, 2])
def test_row_groups_that_do_not_follow_each_other_are_refused(
    threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    groups = [table().slice(first, GROUP) for first in range(0, ROWS, GROUP)]
    groups[6], groups[7] = groups[7], groups[6]
    pq.write_table(pa.concat_tables(groups), tmp_path / "events.parquet", row_group_size=GROUP)
    untrue = Outlook(0, ROWS * 100, False, (GROUP,) * len(groups))
    monkeypatch.setattr(PathSource, "outlook", lambda *_: untrue)
    told = outcome(tmp_path / "events.parquet", threads)
    assert "its statistics say that its parts follow each other in time, and they do not" in told["error"]
    assert told["matches"]


@pytest.mark.parametrize("threads", [1, 2])
def test_a_broken_row_group_is_an_error_after_what_came_before_it(threads: int, tmp_path: Path) -> None:
    path = tmp_path / "events.parquet"
    pq.write_table(table(), path, row_group_size=GROUP, compression="none", use_dictionary=False)
    with pq.ParquetFile(path) as file:
        place = file.metadata.row_group(9).column(3).data_page_offset
    broken = bytearray(path.read_bytes())
    broken[place : place + 40] = b"\xff" * 40
    path.write_bytes(broken)
    told = outcome(path, threads)
    assert "unreadable-input" in told["error"]
    assert told["matches"]
