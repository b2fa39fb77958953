"""Cases whose events of one time come one after the other, as they arrive or as a column says."""

from dataclasses import replace

from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Ties
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from cepheid.testing.cases import Draw, draw_case, random_disordered

TYPES = ("A", "B")


def by_arrival(case: Case) -> Case:
    """Return a case whose events are in threes at one time, and come one after the other."""
    trace = sorted((_coarse(event) for event in case.trace), key=lambda event: event.end)
    numbered = tuple(replace(event, number=number, tie=()) for number, event in enumerate(trace))
    in_order = tuple(replace(stream, disorder=0, sources=()) for stream in case.program.streams)
    return Case(replace(case.program, streams=in_order, ties=Ties.ARRIVAL), numbered, numbered)


def _coarse(event: Event) -> Event:
    return replace(event, start=event.start // 3 * 3, end=event.end // 3 * 3)


def ordered_by_column(case: Case) -> Case:
    """Return such a case in which a column says how the events follow each other."""
    trace = tuple(replace(event, tie=(event.number,), number=None) for event in case.trace)
    return replace(case, trace=trace, arrivals=trace)


def shuffled(draw: Draw) -> Case:
    """Return such a case whose events come out of order."""
    case = ordered_by_column(by_arrival(draw_case(draw)))
    return replace(case, arrivals=tuple(random_disordered(draw, case.trace, 4)), disorder=4)


def crowded_choice(draw: Draw) -> Case:
    """Return joins that choose, with many events of few times."""
    text = f"e0: {draw.pick(TYPES)}"
    for number in range(1, draw.integer(2, 3)):
        choice = draw.pick(tuple(choice for choice in Choice if choice is not Choice.STRICT))
        kind = "then" if draw.chance(70) else "and"
        within = f" within {draw.integer(0, 4)}" if draw.chance(40) else ""
        text = f"({text} {kind} e{number}: {draw.pick(TYPES)}{within} choose {choice.value})"
    times = sorted(draw.integer(0, 3) for _ in range(draw.integer(3, 7)))
    events = (point(draw.pick(TYPES), time, number, {}) for number, time in enumerate(times))
    trace = tuple(replace(event, number=number) for number, event in enumerate(events))
    return Case(replace(read_program(f"rule r: {text} emits R"), ties=Ties.ARRIVAL), trace, trace)
