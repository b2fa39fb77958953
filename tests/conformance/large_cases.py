"""Random programs of every language with as many events as it takes for them to run in kernels by default.

The interpreter must keep up, so a program is drawn anew where a short part of its trace has many matches or much state.
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import CO_GENERATOR
from types import FrameType
from typing import TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

import cepheid
from cepheid.algebra.patterns import Instant
from cepheid.algebra.programs import Program
from cepheid.algebra.relations import Axis, Difference
from cepheid.algebra.traversal import event_types, transform, walk
from cepheid.analysis.plans.inputs import from_one_source
from cepheid.engine import Detector, tiers_of
from cepheid.events import Event
from cepheid.testing import random_case
from cepheid.testing.cases import Draw, seeded
from cepheid.testing.cases.detection_algebra import Expression, Operation, Primitive, Within, random_expression
from tests.conformance.long_traces import LongTrace, disordered, random_events, random_shape, sparser
from tests.kernels.random_rules import random_rule
from tests.languages.etalis.random_programs import bounded_chains, programs
from tests.languages.parte.soak_cases import soak_case

T = TypeVar("T")
EVERYTHING = tuple(HealthCheck)
LONG, PROBED, MOST_HELD, MOST_CALLS = 200_000, 300, 300, 400
DIFFERENT = 1_000_003
"""Far from a small number, so that the attempts of one seed are no attempts of the next ones."""


@dataclass(frozen=True, slots=True)
class LargeCase:
    """A query, and the events that it is given; `text` says what it is."""

    text: str
    query: cepheid.CompiledQuery
    events: list[Event]


@dataclass(frozen=True, slots=True)
class Drawn:
    """A query as it is written, how it is compiled, and how long its windows are about."""

    query: str | Program
    how: dict[str, object]
    scale: int


def large_case(number: int) -> LargeCase:
    """Return the case of a seed: its first attempt that runs in kernels, and that the interpreter can follow."""
    attempt = 0
    while True:
        found = _attempt(number + DIFFERENT * attempt)
        if found is not None:
            return found
        attempt += 1


def _attempt(number: int) -> LargeCase | None:
    draw = seeded(number)
    drawn = draw.pick(LANGUAGES)(draw, number)
    lasts = draw.chance(25)
    disorder = draw.integer(1, 3) * drawn.scale if draw.chance(20) else None
    how = {**drawn.how, "intervals": lasts, "disorder": None if disorder is None else f"{disorder} us"}
    query = cepheid.compile(drawn.query, allow_unbounded=True, **how)  # type: ignore[call-overload]  # options by name
    if all(tier.shape is None for tier in tiers_of(from_one_source(query.plan))):
        return None
    near = any(isinstance(node, Instant) for node in walk(query.program.rules))
    shape = random_shape(draw, input_types(query.program), drawn.scale, lasts=lasts, near=near)
    for one in (shape,) if near else (shape, sparser(shape), sparser(sparser(shape))):
        held = _probed(query, random_events(draw, replace(one, count=2 * PROBED)))
        if held is not None:
            count = _size(draw, held, one.count)
            # One event in twelve is of no template, so that there must be more for as many to be taken.
            count = count if query.templates is None else count * 6 // 5
            return _whole(draw, drawn, query, replace(one, count=count), disorder)
    return None


def _size(draw: Draw, held: int, usual: int) -> int:
    return LONG if held < MOST_HELD // 8 and draw.chance(4) else usual


def _whole(draw: Draw, drawn: Drawn, query: cepheid.CompiledQuery, shape: LongTrace, disorder: int | None) -> LargeCase:
    events = random_events(draw, shape)
    arrivals = events if disorder is None else disordered(draw, events, disorder)
    return LargeCase(f"{drawn.query} {drawn.how} {shape} disorder {disorder}", query, arrivals)


def input_types(program: Program) -> list[str]:
    """Return the types that are read and that no rule emits, sometimes also given ones; none: any will do."""
    read = {name for rule in program.rules for name in event_types(rule.pattern)}
    return sorted(read - {rule.emits for rule in program.rules}) or sorted(read) or ["A", "B"]


def _probed(query: cepheid.CompiledQuery, events: list[Event]) -> int | None:
    """Return how much is held after some events; None where that, or what is found, is too much, or nothing is."""
    detector, whole, held = Detector(from_one_source(query.plan)), 0, 0
    for half in (events[:PROBED], events[PROBED:]):
        found = _pushed(detector, half, MOST_CALLS * PROBED)
        if found is None or found > PROBED:
            return None
        whole += found
        before, held = held, sum(one.used for one in detector.usage())
    return held if whole and held <= max(MOST_HELD, before + before // 8) else None


def _pushed(detector: Detector, events: list[Event], most: int) -> int | None:
    """Return how many matches events make; None where that takes more calls.

    Unlike seconds, these are as many on every machine.
    """
    calls = 0

    def note(frame: FrameType, what: str, _: object) -> None:
        nonlocal calls
        if what == "call":
            calls += 1
            # Where a generator is thrown away, nobody would hear of it.
            if calls > most and not frame.f_code.co_flags & CO_GENERATOR:
                raise TimeoutError

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        return sum(len(detector.push(event)) for event in events)
    except TimeoutError:
        return None
    finally:
        sys.setprofile(before)


def _algebra(draw: Draw, _: int) -> Drawn:
    unit, scale = _unit(draw)
    text = _written(random_expression(draw, ("A", "B", "C"), draw.integer(1, 3)), unit)
    text = f"({text} within {draw.integer(1, 9)} {unit})" if draw.chance(70) else text
    text = f"{text} by key" if draw.chance(40) else text
    return Drawn(text, {"language": "algebra", "policy": draw.weighted({None: 70, "all": 30})}, scale)


def _written(expression: Expression, unit: str) -> str:
    match expression:
        case Primitive(name):
            return name
        case Within(below, longest):
            return f"({_written(below, unit)} within {longest} {unit})"
        case Operation(sign, one, other):
            return f"({_written(one, unit)} {sign} {_written(other, unit)})"
        case _:
            raise AssertionError(f"not an expression: {expression!r}")


def _etalis(draw: Draw, number: int) -> Drawn:
    unit, scale = _unit(draw)
    text = _nth(programs() if draw.chance(40) else bounded_chains(), number)
    return Drawn(text.replace(" us", f" {unit}"), {"language": "etalis"}, scale)


def _parte(draw: Draw, number: int) -> Drawn:
    unit, scale = _unit(draw)
    return Drawn(soak_case(number).text.replace(" us", f" {unit}"), {"language": "parte"}, scale)


def _built(draw: Draw, number: int) -> Drawn:
    return _stretched(draw, replace(random_case(number).program, streams=()))


def _one_rule(draw: Draw, _: int) -> Drawn:
    return _stretched(draw, random_rule(draw).program)


def _stretched(draw: Draw, program: Program) -> Drawn:
    """Return a program whose distances in time are longer; points of time stay where they are."""
    _, scale = _unit(draw)
    if any(isinstance(node, Instant) for node in walk(program.rules)):
        return Drawn(program, {}, 1)

    def longer(node: object) -> object:
        if not isinstance(node, Difference) or node.later.axis is not Axis.TIME:
            return node
        low, high = (None if by is None else by * scale for by in (node.low, node.high))
        return replace(node, low=low, high=high)

    return Drawn(transform(program, longer), {}, scale)


def _unit(draw: Draw) -> tuple[str, int]:
    return draw.weighted({("us", 1): 40, ("ms", 1000): 45, ("s", 1_000_000): 15})


def _nth(strategy: st.SearchStrategy[T], number: int) -> T:
    """Return what a strategy makes of a number: always the same."""
    found: list[T] = []

    @seed(number)
    @settings(max_examples=8, database=None, phases=[Phase.generate], deadline=None, suppress_health_check=EVERYTHING)
    @given(strategy)
    def note(one: T) -> None:
        found.append(one)

    note()
    return found[-1]


LANGUAGES: tuple[Callable[[Draw, int], Drawn], ...] = (_algebra, _etalis, _parte, _built, _one_rule)
