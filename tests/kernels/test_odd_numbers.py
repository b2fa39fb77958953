"""What is compared in machine code and is no plain number is compared as the interpreter does."""

from itertools import product
from typing import Literal

import pytest

import cepheid as c
from cepheid.events import Value, point

Engine = Literal["interpreter", "kernels"]
ODD: tuple[Value, ...] = (1, 2.5, float("inf"), float("-inf"), float("nan"), 2**53, 2**53 + 1, True, "x", None, -0.0, 0)


def found(query: c.CompiledQuery, first: Value, second: Value, engine: Engine) -> list[tuple[object, object]]:
    values = (first, second, first)
    events = [point("AB"[number % 2], number, number + 1, {"value": value}) for number, value in enumerate(values)]
    return [(match.start, match.end) for match in query.run(events, engine=engine)]


@pytest.mark.parametrize("policy", ["all", "recent", "next"])
@pytest.mark.parametrize("added", [0, 0.5, 2**50])
def test_odd_numbers_are_compared_as_the_interpreter_does(policy: str, added: float) -> None:
    a, b = c.event("A"), c.event("B")
    pattern = (a >> b).within(5).choose(policy).where(b.value + added > a.value)
    query = c.compile(c.query(pattern, name="odd"))
    for first, second in product(ODD, ODD):
        assert found(query, first, second, "kernels") == found(query, first, second, "interpreter"), (first, second)
