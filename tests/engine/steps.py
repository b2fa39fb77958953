"""A run as a list of steps: events and heartbeats, each from a source, that make no event late."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Instant
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector
from cepheid.events import MIN_TIME, Event, EventId, Value
from cepheid.testing.cases import Draw
from tests.engine_runner import last

ANYWHERE = ""


@dataclass(frozen=True, slots=True)
class Step:
    """An event, or where there is none a heartbeat up to `time`, from a source."""

    source: str
    event: Event | None = None
    time: int = 0


@dataclass(frozen=True, slots=True)
class Told:
    """What one call returned; before it, the frontier was `frontier`, and the events that had come were `seen`.

    `given` are the values that each pipe gave meanwhile.
    """

    matches: tuple[Match, ...]
    frontier: int
    seen: frozenset[EventId]
    given: Mapping[str, list[Value]]


def run(program: Program, steps: Sequence[Step], *, disorder: int = 0, restarts: bool = False) -> list[Told]:
    """Return what every step tells, and last what the end of the input does; with `restarts`, in ever new detectors."""
    plan = plan_of(program, intervals=last([step.event for step in steps if step.event is not None]))
    detector = Detector(plan, disorder=disorder)
    seen: frozenset[EventId] = frozenset()
    told = []
    for step in [*steps, None]:
        frontier = detector.frontier
        found = _take(detector, step)
        told.append(Told(tuple(found), frontier, seen, {pipe: detector.take(pipe) for pipe in program.pipes}))
        seen |= {step.event.id} if step is not None and step.event is not None else set()
        assert not detector.late
        if restarts:
            detector = Detector(plan, disorder=disorder, state=detector.snapshot())
    return told


def _take(detector: Detector, step: Step | None) -> list[Match]:
    """Take a step; after the last there is none."""
    if step is None:
        return detector.close()
    if step.event is not None:
        return detector.push(step.event, source=step.source)
    return detector.advance(step.time, source=step.source)


def all_of(told: Iterable[Told]) -> list[Match]:
    return [match for one in told for match in one.matches]


def content(found: Iterable[Match]) -> list[str]:
    """Return matches in a form that can be compared and read."""
    return sorted(f"{match.content()} {match.id}" for match in found)


def defined(program: Program, events: Iterable[Event]) -> list[str]:
    """Return what the definition finds in the whole trace."""
    return content(matches(program, events))


def with_heartbeats(draw: Draw, program: Program, arrivals: Sequence[Event], source: str = ANYWHERE) -> list[Step]:
    """Return the arrivals with heartbeats between them that promise no more than holds.

    After the last event they go on, unless there is a schedule: that would run on to the last heartbeat.
    """
    steps: list[Step] = []
    for number, event in enumerate(arrivals):
        to_come = min(other.end for other in arrivals[number:])
        steps += _heartbeats(draw, source, to_come - 3, to_come)
        steps.append(Step(source, event))
    ends = [event.end for event in arrivals]
    if ends and not any(isinstance(node, Instant) for node in walk(program.rules)):
        steps += _heartbeats(draw, source, max(ends), max(ends) + 12)
    return steps


def _heartbeats(draw: Draw, source: str, first: int, last: int) -> list[Step]:
    times = sorted(draw.integer(first, last) for _ in range(draw.weighted({0: 60, 1: 30, 2: 10})))
    return [Step(source, time=max(time, MIN_TIME)) for time in times]
