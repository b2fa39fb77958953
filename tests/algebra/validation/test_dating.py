"""Rules that feed themselves and date their events otherwise: refused where a turn may lead back to where it began."""

import pytest

from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.algebra.validation import validate
from cepheid.events import point
from cepheid.languages.cep import read_program
from tests.algebra.builder.nodes import error_of

EVENTS = [point("c", 1, 1), point("c", 2, 2), point("a", 3, 3), point("c", 4, 4), point("c", 5, 5)]


def loop(turn: str, dates: str) -> Program:
    return read_program(f"rule p: either [a, ({turn} within 20)] emits p {dates}")


@pytest.mark.parametrize(
    ("turn", "dates"),
    [
        ("p then c", "to start($pattern)"),
        ("p then c", "from start($pattern) to end(p)"),
        ("c then p", "from end($pattern) to end($pattern)"),
        ("p then c", "from start($pattern) to start($pattern) + p.value"),
    ],
)
def test_what_may_be_dated_back_to_where_it_came_from_is_refused(turn: str, dates: str) -> None:
    assert error_of(lambda: validate(loop(turn, dates))).splitlines()[0] == (
        "error[forbidden-cycle]: `p` feeds itself and may be dated back to where it came from, again and again"
    )


@pytest.mark.parametrize(
    ("turn", "dates", "found"),
    [
        ("p then c", "", 4),
        ("p then c", "from end($pattern) to end($pattern)", 4),
        ("p then c", "from start($pattern) to end($pattern) + 1", 2),
        ("c then p", "", 4),
        ("c then p", "to start($pattern)", 4),
    ],
)
def test_what_leads_on_with_every_turn_comes_to_an_end(turn: str, dates: str, found: int) -> None:
    program = loop(turn, dates)
    validate(program)
    assert len(matches(program, EVENTS)) == found


def test_a_cycle_of_several_rules_leads_on_as_a_whole() -> None:
    rules = "rule q: p emits q to {}  rule p: either [a, (x: q then y: c within 20)] emits p to {}"
    validate(read_program(rules.format("end(p)", "end(y)")))
    back = read_program(rules.format("start(p)", "end(x)"))
    assert "forbidden-cycle" in error_of(lambda: validate(back))
