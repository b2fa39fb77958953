"""A length that is a bare number is in the unit of the query, in Python as it is in a text."""

from collections.abc import Callable

import pytest

import cepheid as c
from cepheid.events import TimeUnit

A, B = c.event("A"), c.event("B")
ROWS = [{"type": "A", "time": 1}, {"type": "B", "time": 5}]
BUILT: dict[str, Callable[[int], c.parts.Part]] = {
    "a: A then b: B within {}": lambda n: (A >> B).within(n),
    "sequence within {} {{ a: A, b: B }}": lambda n: c.sequence(A, B, window=n),
    "a: A unless b: B relation 1 us <= end(b) - end(a) <= {}": lambda n: A.unless(B, after=n),
    "repeat r: 2 of x: {{A, B}} window end($last) - start($first) <= {}": lambda n: c.repeat(
        c.event("A", "B"), least=2, most=2, within=n
    ),
}


@pytest.mark.parametrize("text", BUILT)
@pytest.mark.parametrize("unit", ["s", "ms", "us"])
@pytest.mark.parametrize("length", [3, 4, 5])
def test_a_bare_number_is_in_the_same_unit_as_in_a_text(text: str, unit: TimeUnit, length: int) -> None:
    written = c.compile(text.format(length), time_unit=unit).run(ROWS)
    built = c.compile(c.query(BUILT[text](length)), time_unit=unit).run(ROWS)
    assert [(m.start, m.end) for m in built] == [(m.start, m.end) for m in written]


def test_a_query_that_runs_by_itself_has_the_unit_of_its_rows() -> None:
    query = c.query((A >> B).within(4))
    assert len(query.run(ROWS)) == 1
    assert len(c.query((A >> B).within(3)).run(ROWS)) == 0
    points = [c.point("A", 1, 1), c.point("B", 5, 2)]
    assert len(query.run(points)) == 1
    assert len(c.query((A >> B).within(3)).run(points)) == 0


def test_declared_lengths_are_in_the_unit_too() -> None:
    program = c.program(c.query((A >> B).within(4)), streams=[c.declare("A", every=2, disorder=1)])
    [stream] = c.compile(program).program.streams
    assert stream.arrival is not None
    assert (stream.arrival.per, stream.disorder) == (2_000_000, 1_000_000)
