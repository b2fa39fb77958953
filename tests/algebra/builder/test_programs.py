"""Programs hold queries that feed each other, declarations and tables."""

from collections.abc import Callable

import pytest

import cepheid as c
from cepheid.algebra.json_form import program_from_json
from cepheid.algebra.pipes import Detect, Source
from cepheid.algebra.programs import Arrival, Program, Stream, Table
from cepheid.algebra.text import show
from tests.algebra.builder.nodes import SECOND, error_of

a, b = c.event("A"), c.event("B")

rise = c.query((a >> b).where(b.value > a.value), name="Rise", values={"delta": b.value - a.value})


def twice() -> c.Query:
    one, other = c.event("Rise"), c.event("Rise")
    return c.query(one >> other, name="Twice", values={"sum": one.delta + other.delta})


def test_a_program_holds_what_it_is_given() -> None:
    table = c.table(["item", "price"], [("pear", 3)])
    program = c.program(
        rise,
        twice(),
        streams=[c.declare("A", rate="5/s")],
        tables={"prices": table},
        tick="1 s",
        pipes={"rises": Detect(rule="Rise")},
    )
    assert program.program == Program(
        (rise.rule, twice().rule),
        (Stream("A", Arrival(5, SECOND)),),
        {"rises": Detect(rule="Rise")},
        {"prices": Table(("item", "price"), (("pear", 3),), 1)},
        SECOND,
    )


def test_rules_feed_rules() -> None:
    events = [
        {"type": kind, "time": time, "value": value}
        for time, (kind, value) in enumerate([("A", 1), ("B", 3), ("A", 2), ("B", 7)])
    ]
    found = c.program(twice(), rise).run(events, time_unit="us")
    assert sorted((match.name, match.start, match.end, *match.values.values()) for match in found) == [
        ("Rise", 0, 1, 2),
        ("Rise", 0, 3, 6),
        ("Rise", 2, 3, 5),
        ("Twice", 0, 3, 7),
    ]


def test_tables_are_looked_up() -> None:
    order = c.event("order")
    query = c.query(order, values={"price": c.lookup("prices", order.item, column="value")})
    program = c.program(query, tables={"prices": {"pear": 3}})
    events = [{"type": "order", "time": time, "item": item} for time, item in enumerate(("pear", "plum"))]
    assert [match.values["price"] for match in program.run(events, time_unit="us")] == [3, None]


def test_a_program_shows_itself_and_is_kept_as_json() -> None:
    program = c.program(c.query(a, name="Seen"), streams=[c.declare("A", every="10 ms", disorder="2 s")], tick="1 ms")
    assert str(program) == show(program.program)
    assert str(program).endswith("rule Seen:\n    a: A\n    emits Seen")
    assert program_from_json(program.to_json()) == program.program


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        (c.declare("A"), Stream("A")),
        (c.declare("A", rate="5/s"), Stream("A", Arrival(5, SECOND))),
        (c.declare("A", rate="10 per 100 ms"), Stream("A", Arrival(10, SECOND // 10))),
        (c.declare("A", rate="5 / 2 min"), Stream("A", Arrival(5, 120 * SECOND))),
        (c.declare("A", every="10 ms"), Stream("A", Arrival(1, 10_000, spaced=True))),
        (
            c.declare("A", disorder="2 s", sources=["left", "right"], keys=100),
            Stream("A", None, 2 * SECOND, ("left", "right"), 100),
        ),
    ],
)
def test_declarations(declared: Stream, expected: Stream) -> None:
    assert declared == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"pear": 3, "plum": 2}, Table(("key", "value"), (("pear", 3), ("plum", 2)), 1)),
        ({"pear": {"price": 3, "kilo": 1}}, Table(("key", "price", "kilo"), (("pear", 3, 1),), 1)),
        ([{"item": "pear", "price": 3}], Table(("item", "price"), (("pear", 3),), 1)),
        (c.table(["a", "b", "c"], [(1, 2, 3)], keys=2), Table(("a", "b", "c"), ((1, 2, 3),), 2)),
        ({}, Table(("key", "value"), (), 1)),
        ([], Table(("key",), (), 1)),
    ],
)
def test_tables(given: Table, expected: Table) -> None:
    assert c.program(tables={"prices": given}).program.tables == {"prices": expected}


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda: c.table(["item", "price"], [("pear", 3), ("plum",)]), "row 2 has 1 of 2 columns"),
        (lambda: c.table(["item"], [], keys=2), "a table of 1 columns cannot be looked up by 2 of them"),
        (
            lambda: c.program(tables={"t": [{"a": 1}, {"b": 2}]}),
            "`{'b': 2}` has other columns than the first row",
        ),
        (lambda: c.program(tables={"t": {"x": {"a": 1}, "y": 2}}), "`2` has other columns than the first row"),
    ],
)
def test_rows_that_make_no_table(mistake: Callable[[], object], message: str) -> None:
    assert error_of(mistake) == (
        f'error[bad-table]: {message}\n  = hint: write `table(["item", "price"], [("pear", 3)], keys=1)`'
    )


@pytest.mark.parametrize("rate", ["5", "often", "0/s", "/s", "5 per"])
def test_texts_that_are_no_rate(rate: str) -> None:
    assert error_of(lambda: c.declare("A", rate=rate)) == (
        f"error[bad-rate]: `{rate}` is not a rate\n"
        "  = hint: write how many in which time, for example `5/s` or `10 per 100 ms`"
    )


def test_a_stream_has_one_rate() -> None:
    assert error_of(lambda: c.declare("A", rate="5/s", every="1 s")) == (
        "error[conflicting-options]: `rate` and `every` both say how often `A` comes\n"
        "  = hint: keep `rate` for a number of events in a time, or `every` for the least time between two"
    )


def test_rules_have_different_names() -> None:
    assert error_of(lambda: c.program(c.query(a, name="Seen"), c.query(b, name="Seen"))) == (
        "error[duplicate-rule]: two rules are called `Seen`\n  = hint: call one of them `Seen2`"
    )


def test_pipes_read_what_queries_find() -> None:
    program = c.program(rise, pipes={"deltas": c.detections("Rise")["delta"].sum()})
    events = [
        {"type": kind, "time": time, "value": value}
        for time, (kind, value) in enumerate([("A", 1), ("B", 3), ("B", 7)])
    ]
    assert program.trace("deltas", events) == [2, 2 + 6]


def test_the_pipes_of_a_program_are_checked_too() -> None:
    assert error_of(lambda: c.program(rise, pipes={"p": Detect(rule="Rice")})).startswith("error[bad-pipe]: ")
    assert c.program(pipes={"p": Source(stream="A")}).program.pipes == {"p": Source(stream="A")}
