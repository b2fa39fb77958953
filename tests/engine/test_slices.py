"""Finite input in slices of time, on several threads: the same matches in the same order."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest

import cepheid as c
from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.analysis.plans.reach import reads_positions
from cepheid.api import finite
from cepheid.api.finite import MANY
from cepheid.connectors import EventColumns, arrow_rows
from cepheid.engine import TieredDetector, reach_of
from cepheid.engine.detectors import slices
from cepheid.testing import Case, random_case
from tests.columns_runner import columns_of, disagreement_in_slices
from tests.engine_runner import last, plan_for

ROWS = 4 * MANY


def pair(within: str = "200 ms", policy: str = "recent") -> c.CompiledQuery:
    a, b = c.event("A"), c.event("B")
    pattern = (a >> b).within(within).by("key").choose(policy)
    return c.compile(c.query(pattern, name="pair", values={"sum": a.value + b.value}))


def average() -> c.CompiledQuery:
    now, item = c.event("A", name="now"), c.event("A", name="item")
    seen = c.collect(
        now,
        item,
        relation=lambda anchor, one: (anchor.end - one.start >= 0, anchor.end - one.start <= "300 ms"),
        on=now.key == item.key,
        values={"mean": c.agg.avg(item.value)},
        name="seen",
    )
    return c.compile(c.query(seen.where(seen.mean > 0.6), name="load", values={"mean": seen.mean}))


def table(rows: int = ROWS, step: int = 100) -> pa.Table:
    """Events of three types in batches; some of them share their time."""
    draw = np.random.default_rng(3)
    kinds = pa.DictionaryArray.from_arrays(draw.integers(0, 3, rows).astype(np.int32), pa.array(["A", "B", "C"]))
    times = np.sort(draw.integers(0, rows * step, rows) // (7 * step) * (7 * step))
    columns = {"type": kinds, "time": times, "key": draw.integers(0, 20, rows), "value": draw.random(rows)}
    return pa.Table.from_batches(pa.table(columns).to_batches(max_chunksize=5000))


@pytest.fixture
def short_slices(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Slices are short; the times at which they are cut are gathered."""
    cuts: list[int] = []
    begin = slices._Cutting._begin

    def noted(self: slices._Cutting, low: int) -> None:
        cuts.append(low)
        begin(self, low)

    monkeypatch.setattr(slices._Cutting, "_begin", noted)
    monkeypatch.setattr(slices.Slices, "__init__", _of_few_rows(slices.Slices.__init__))
    monkeypatch.setattr(finite, "ROWS_OF_A_PART", 5000)
    monkeypatch.setattr(arrow_rows, "MOST_ROWS", 1250)  # times as many portions
    return cuts


def _of_few_rows(made: object) -> object:
    def init(self: slices.Slices, make: object, reach: int, threads: int) -> None:
        made(self, make, reach, threads, 5_000)  # type: ignore[operator]  # it is a function

    return init


def chain() -> c.CompiledQuery:
    a, b, other = (c.event(name) for name in "ABC")
    key = c.terms.variable("key")
    steps = c.chain(
        c.step(a).letting(key=a.key).avoiding(other[other.key == key]).then("b"),
        c.step(b[b.key == key], name="b").reporting(),
        window="200 ms",
    )
    return c.compile(c.query(steps, name="steps", values={"key": key}))


def neighbours() -> c.CompiledQuery:
    a, b = c.event("A"), c.event("B")
    return c.compile(c.query((a >> b).within(records=3).within("200 ms"), name="near"))


@pytest.mark.parametrize("query", [pair(), pair(policy="all"), pair(policy="next"), average(), chain(), neighbours()])
@pytest.mark.parametrize("threads", [2, 3])
def test_threads_find_the_same_in_the_same_order(query: c.CompiledQuery, threads: int, short_slices: list[int]) -> None:
    one = query.run(table(), time_unit="us", threads=1, ids=True)
    several = query.run(table(), time_unit="us", threads=threads, ids=True)
    assert several.to_arrow().equals(one.to_arrow())
    assert len(one.to_arrow()) > 100
    assert several.summary == one.summary
    assert len(short_slices) >= 4


@pytest.mark.parametrize("seed", range(970_000, 970_060))
def test_slices_find_what_one_run_finds(seed: int) -> None:
    assert not disagreement_in_slices(random_case(seed))


def test_what_came_before_an_error_is_found() -> None:
    case = next(one for one in map(random_case, range(970_000, 971_000)) if len(told(one)) > 3)
    found: list[Match] = []
    run = slices.Slices(lambda: TieredDetector(plan_of(case)), 100, 2, 2, 0).found(broken(case))
    with pytest.raises(OSError, match="ends too early"):
        found.extend(match for some in run for match in some.matches())
    assert found == told(case)


def plan_of(case: Case) -> Plan:
    return plan_for(case.program, intervals=last(case.trace))


def pieces(case: Case) -> Iterator[EventColumns]:
    return (columns_of([event]) for event in case.trace)


def broken(case: Case) -> Iterator[EventColumns]:
    yield from pieces(case)
    raise OSError("the file ends too early")


def told(case: Case) -> list[Match]:
    """Return what is found before the end of the input, nothing where not all of it runs in kernels."""
    detector = TieredDetector(plan_of(case))
    if not detector.takes_columns or reach_of(plan_of(case)) is None:
        return []
    found = [detector.take_columns(piece) for piece in pieces(case)]
    return [match for some in found if some is not None for match in some.matches()]


def test_a_long_window_is_not_cut(short_slices: list[int]) -> None:
    query = pair("5 s")  # of 8
    assert (
        query.run(table(), time_unit="us", threads=2)
        .to_arrow()
        .equals(query.run(table(), time_unit="us", threads=1).to_arrow())
    )
    assert not short_slices


def test_no_bound_on_the_past_is_no_reach() -> None:
    a, b = c.event("A"), c.event("B")
    records = c.compile(c.query((a >> b).within(records=20), name="among"))
    fed = c.compile(
        c.program(
            c.query((a >> b).within("1 s"), name="first"),
            c.query((c.event("first", name="x") >> b).within("2 s"), name="second"),
        )
    )
    assert reach_of(records.plan) is None
    assert reach_of(pair("2 s").plan) == 2_000_003
    assert (reach_of(fed.plan) or 0) >= 3_000_000


def test_positions_that_are_read_count_from_the_first_record_of_all() -> None:
    text = "watchpoint w { main = a letting p = index() -> b[not index() > p + 10]; }"
    assert reads_positions(c.compile(text, language="hbl").plan)
    assert not reads_positions(neighbours().plan)


def test_pieces_are_cut_by_time() -> None:
    ends = np.array([1, 2, 2, 3, 5])
    piece = EventColumns(pa.array(["A"] * 5), ends, None, 1, {"value": pa.array(range(5))})
    (found,) = slices._within([piece], 2, 5)
    assert found.ends.tolist() == [2, 2, 3]
    assert found.numbers == 2
    assert found.fields["value"].to_pylist() == [1, 2, 3]


def test_threads_are_at_least_one() -> None:
    with pytest.raises(c.CepheidError, match="nothing runs on 0 threads"):
        pair().run(table(10), threads=0)
