"""A length that is a bare number is in the unit of the query, in Python as it is in a text."""

from collections.abc import Callable

import pytest

import cepheid as c
from cepheid.events import TimeUnit

A, B = c.event("A"), c.event("B")
PAIR, BOTH = (A >> B).within("1 h"), (A & B).within("1 h")
ROWS = [{"type": "A", "time": 1}, {"type": "B", "time": 5}]
BUILT: dict[str, Callable[[int], c.parts.Part]] = {
    "a: A then b: B within {}": lambda n: (A >> B).within(n),
    "sequence within {} {{ a: A, b: B }}": lambda n: c.sequence(A, B, window=n),
    "a: A unless b: B relation 1 us <= end(b) - end(a) <= {}": lambda n: A.unless(B, after=n),
    "repeat r: 2 of x: {{A, B}} window end($last) - start($first) <= {}": lambda n: c.repeat(
        c.event("A", "B"), least=2, most=2, within=n
    ),
}


CONDITIONS: dict[str, Callable[[int], c.parts.Part]] = {
    "a: A then b: B within 1 h where start(b) - end(a) <= {}": lambda n: PAIR.where(B.start - A.end <= n),
    "a: A then b: B within 1 h where {} > start(b) - end(a)": lambda n: PAIR.where(n > B.start - A.end),
    "a: A then b: B within 1 h where start(b) < end(a) + {}": lambda n: PAIR.where(B.start < A.end + n),
    "a: A then b: B within 1 h where start(b) - {} >= end(a)": lambda n: PAIR.where(B.start - n >= A.end),
    "a: A then b: B within 1 h where (start(b) - end(a)) * 2 <= {0} * {0}": lambda n: PAIR.where(
        (B.start - A.end) * 2 <= c.constant(n) * n
    ),
    "a: A and b: B within 1 h relation start(b) - end(a) <= {}": lambda n: BOTH.relate(B.start - A.end <= n),
    "a: A and b: B within 1 h relation start(b) - end(a) >= {}": lambda n: BOTH.relate(n <= B.start - A.end),
    "a: A and b: B within 1 h relation start(b) - end(a) == {}": lambda n: BOTH.relate(B.start == A.end + n),
    "a: A and b: B within 1 h relation 2 s <= start(b) - end(a) <= {}": lambda n: BOTH.relate(
        (B.start - A.end).between("2 s", n)
    ),
}


@pytest.mark.parametrize("text", [*BUILT, *CONDITIONS])
@pytest.mark.parametrize("unit", ["s", "ms", "us"])
@pytest.mark.parametrize("length", [3, 4, 5])
def test_a_bare_number_is_in_the_same_unit_as_in_a_text(text: str, unit: TimeUnit, length: int) -> None:
    written = c.compile(text.format(length), time_unit=unit).run(ROWS)
    built = c.compile(c.query({**BUILT, **CONDITIONS}[text](length)), time_unit=unit).run(ROWS)
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


def test_bounds_of_one_distance_in_a_unit_and_in_ticks() -> None:
    both = BOTH.relate((B.start - A.end <= 4) & (B.start - A.end <= "3 s") & (B.start - A.end < 5))
    assert c.compile(c.query(both)).run(ROWS).count() == 0
    assert c.compile(c.query(BOTH.relate(B.start - A.end >= 3, B.start - A.end > 3))).run(ROWS).count() == 1
    apart = BOTH.relate((B.start - A.end >= 5) & (B.start - A.end > 4))
    assert c.compile(c.query(apart)).run([ROWS[0], {"type": "B", "time": 5.5}]).count() == 0
    assert c.compile(c.query(apart)).run([ROWS[0], {"type": "B", "time": 6}]).count() == 1
