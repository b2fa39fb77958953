"""Random programs whose rules are nests under windows, some of which feed others, some of them per key."""

from hypothesis import strategies as st

from cepheid.algebra.expressions import Expr, Field, Literal, Moment
from cepheid.algebra.keyed import key_of_pattern
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.programs import EVENT, HULL, Program, Rule
from cepheid.algebra.relations import end, start
from cepheid.algebra.validation import validate
from cepheid.diagnostics import CepheidError
from cepheid.testing import Case
from cepheid.testing.cases import Draw, TraceShape, random_disordered, random_trace
from cepheid.testing.strategies import drawn
from tests.rewrites.windowed_nests import TYPES, windowed_nest

FED = "Fed"


def windowed_cases() -> st.SearchStrategy[Case]:
    return drawn(windowed_case)


def windowed_case(draw: Draw) -> Case:
    """Return a program of one or two rules that means something, and events for it."""
    program = _program(draw)
    while not _is_valid(program):
        program = _program(draw)
    intervals = 40 if draw.chance(35) else 0
    trace = random_trace(draw, TraceShape(TYPES, least=4, most=9, intervals=intervals, ties=35))
    disorder = draw.pick([0, 0, 3])
    return Case(program, tuple(trace), tuple(random_disordered(draw, trace, disorder)), disorder)


def _program(draw: Draw) -> Program:
    first = _rule(draw, "first", windowed_nest(draw), FED)
    if draw.chance(50):
        return Program((first,))
    second = windowed_nest(draw, (*TYPES[:1], FED))
    return Program((first, _rule(draw, "second", second, "Told")))


def _rule(draw: Draw, name: str, pattern: Pattern, emits: str) -> Rule:
    """Return a rule whose events have a key and a value, so that others can ask for them."""
    fields: dict[str, Expr] = {"key": key_of_pattern(pattern, "key") or Literal(1), "value": Literal(1)}
    per = (Field(EVENT, "key"),) if draw.chance(30) else ()
    return Rule(name, pattern, emits, Moment(start(HULL)), Moment(end(HULL)), fields, per)


def _is_valid(program: Program) -> bool:
    try:
        validate(program)
    except CepheidError:
        return False
    return True
