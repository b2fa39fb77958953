"""Arrow in, Arrow out: in columns a pipe gives what it gives row by row."""

import math
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid import pipes as p
from cepheid.engine.pipes.columns import in_columns
from cepheid.engine.pipes.columns.window_sums import window_sums
from tests.pipes.same import same

close = p.apply(p.field("close"))
mean = p.cumulate(p.add) / (p.turn_into(1) | p.cumulate(p.add))
IN_COLUMNS = {
    "passthrough": p.passthrough(),
    "where": p.where(p.field("symbol") == 1),
    "text": p.where((p.field("name") == "b") | ~(p.field("close") < 3)),
    "mean": p.where(p.field("symbol") != 2) | close | p.window(mean, 3),
    "hopping": close | p.window(mean, 2) | p.decimate(2) | p.prefix(3),
    "above the mean": p.fan(p.trim(2), p.fan(close | p.trim(2), close | p.window(mean, 3)) | p.apply(p.x > p.y))
    | p.filter(),
    "squares": close | p.window((p.apply(p.x * p.x) | p.cumulate(p.add)) / 2.0, 2),
    "difference": p.apply(p.field("close") - p.field("close") * 0.5),
    "quotient": p.apply(p.field("close") / 4),
    "record": p.apply(p.record_of(twice=p.field("close") * 2.0, one=1, name=p.field("name"))),
    "collated": p.fan(p.trim(2), close | p.window(mean, 3))
    | p.collate("row", "mean")
    | p.where(p.x["row"]["close"] > p.x["mean"])
    | p.apply(p.record_of(symbol=p.x["row"]["symbol"], mean=p.x["mean"])),
    "nested": p.fan(p.trim(1), close) | p.collate("row", "close"),
    "tuples": p.fan(close, p.apply(p.field("symbol")) | p.trim(1))
    | p.collate(2)
    | p.where(p.x[1] == 1)
    | p.apply(p.x[0]),
    "choice": p.apply(p.if_(p.field("close") > 1, 1, 0)) | p.window(p.cumulate(p.add), 3) | p.where(p.x >= 2),
    "successive": close | p.successive(p.x < p.y),
    "slices": p.slice(p.field("symbol"), close | p.window(mean, 2)) | p.apply(p.if_(p.x[1] > p.x[2], 1, 0)),
    "slices by name": p.fan(p.passthrough(), p.slice(p.field("name"), close | p.trim(1)))
    | p.collate("row", "last")
    | p.where(p.x["last"]["a"] >= p.x["row"]["close"])
    | p.apply(p.x["last"]["a"]),
    "one slice": p.slice(p.field("symbol"), close) | p.apply(p.x[1]),
    "next": p.exists(
        "seen",
        p.if_(p.field("symbol") == 2, p.list_of(p.field("close")), p.list_of()),
        p.where(p.field("symbol") == 1) | p.apply(p.field("close") >= p.context("seen")),
    ),
    "all next": p.fan(
        p.passthrough(),
        p.for_all(
            "seen",
            p.if_(p.field("symbol") == 2, p.list_of(p.field("name")), p.list_of()),
            p.apply(p.field("name") == "a"),
        ),
    )
    | p.filter(),
    "machine": p.machine(
        "calm",
        [
            p.transition("calm", "low", p.field("close") < 1, seen=p.field("close"), row=p.field("symbol")),
            p.transition("low", "twin", (p.field("symbol") == 1) & (p.field("close") >= p.context("seen"))),
            p.transition("low", "low", p.field("name") == "b", seen=p.context("row"), row=p.context("seen")),
            p.transition("twin", "calm"),
        ],
        {"twin": p.context("row") * 1.0},
        context={"seen": None, "row": 0},
    ),
    "machine of numbers": close
    | p.machine("low", [p.transition("low", "high", p.x > 1), p.transition("high", "low")], {"high": 1}),
}
BY_ROWS = {
    "function": p.apply(lambda row: row["symbol"]),
    "slice": p.slice(p.field("symbol"), close),
    "set of slices": p.slice(p.field("symbol"), close, gather="set"),
    "slice of some": p.slice(p.field("symbol"), p.where(p.field("close") > 1) | close) | p.apply(p.x[1]),
    "tuples as they are": p.fan(close, close) | p.collate(2),
    "mixed choice": p.apply(p.if_(p.field("close") > 1, 1, 0.5)),
    "machine of rows": p.machine(
        0, [p.transition(0, 1, p.field("symbol") == 1, row=p.x)], {1: p.context("row")}, {"row": 0}
    ),
    "machine of a function": p.machine(0, [p.transition(0, 1, lambda row: row["symbol"] == 1)], {1: 5}),
    "several elements": p.exists("a", p.list_of(1, 2), p.apply(p.field("symbol") == p.context("a"))),
    "integers": p.apply(p.field("symbol") + 1),
    "division": p.apply(p.field("close") / p.field("symbol")),
    "no such column": p.apply(p.field("nothing")),
    "least": close | p.window(p.cumulate(p.minimum), 2),
}
floats = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([0.1, 1e100, -1e100, 5e-324, -0.0])
rows = st.lists(st.tuples(st.integers(0, 2), floats, st.sampled_from("ab")), max_size=12)
odd_rows = st.lists(
    st.tuples(st.integers(0, 2) | st.none(), st.floats() | st.none(), st.sampled_from(["a", "b", None])), max_size=12
)


def table(told: Sequence[tuple[int | None, float | None, str | None]]) -> pa.Table:
    columns = [[row[place] for row in told] for place in range(3)]
    types = {"symbol": pa.int64(), "close": pa.float64(), "name": pa.string()}
    return pa.table({name: pa.array(values, kind) for (name, kind), values in zip(types.items(), columns, strict=True)})


@pytest.mark.parametrize("name", [*IN_COLUMNS, *BY_ROWS])
@given(rows | odd_rows)
def test_a_table_gives_what_its_rows_give(name: str, told: list[tuple[int | None, float | None, str | None]]) -> None:
    processor = {**IN_COLUMNS, **BY_ROWS}[name]
    given_table = table(told)
    found = processor.run(given_table)
    assert same(found if isinstance(found, list) else found.to_pylist(), processor.run(given_table.to_pylist()))


PLAIN = table([(number % 3, number * 0.1, "ab"[number % 2]) for number in range(20)])


@pytest.mark.parametrize("name", IN_COLUMNS)
def test_chains_of_known_functions_run_in_columns(name: str) -> None:
    assert in_columns(IN_COLUMNS[name], PLAIN) is not None
    assert isinstance(IN_COLUMNS[name].run(PLAIN), pa.Table | pa.Array | pa.ChunkedArray)


@pytest.mark.parametrize("name", BY_ROWS)
def test_what_cannot_goes_row_by_row(name: str) -> None:
    assert in_columns(BY_ROWS[name], PLAIN) is None
    assert isinstance(BY_ROWS[name].run(PLAIN), list)


@given(st.lists(floats, min_size=1, max_size=40), st.integers(1, 8))
def test_sums_of_windows_are_correctly_rounded(values: list[float], size: int) -> None:
    sums = window_sums(np.array(values), size)
    if sums is not None:
        assert sums.tolist() == [math.fsum(values[first : first + size]) for first in range(len(values) - size + 1)]


@given(st.lists(st.floats(0.01, 1000), min_size=5, max_size=60))
def test_usual_numbers_need_no_other_way(values: list[float]) -> None:
    sums = window_sums(np.array(values), 5)
    assert sums is not None
    assert sums.tolist() == [math.fsum(values[first : first + 5]) for first in range(len(values) - 4)]
