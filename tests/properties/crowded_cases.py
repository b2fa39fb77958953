"""Cases whose events come in crowds with pauses between: bounds are reached, and old entries meet new events."""

from dataclasses import replace
from itertools import accumulate

from hypothesis import strategies as st

from cepheid.events import Event
from cepheid.testing import Case
from cepheid.testing.cases import Draw, Shape, TraceShape, random_disordered, random_program, random_trace
from cepheid.testing.strategies import drawn

TYPES = ("A", "B", "C")


def crowded_cases() -> st.SearchStrategy[Case]:
    return drawn(crowded_case)


def crowded_case(draw: Draw) -> Case:
    """Return a small program and a trace of crowds, with pauses longer than most windows."""
    program = random_program(draw, Shape(types=TYPES), most_rules=2)
    shape = TraceShape(types=TYPES, least=10, most=18, intervals=20, ties=65, plain=draw.chance(50))
    trace = _with_pauses(draw, random_trace(draw, shape))
    disorder = draw.integer(1, 6) if draw.chance(50) else 0
    return Case(program, tuple(trace), tuple(random_disordered(draw, trace, disorder)), disorder)


def _with_pauses(draw: Draw, trace: list[Event]) -> list[Event]:
    pauses = accumulate(draw.integer(5, 40) if draw.chance(12) else 0 for _ in trace)
    return [
        replace(event, start=event.start + pause, end=event.end + pause)
        for event, pause in zip(trace, pauses, strict=True)
    ]
