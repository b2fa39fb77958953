"""Snapshots that were damaged: each is refused with a code, or goes on exactly as if nothing had happened to it.

Usage: python -m tests.hostile.snapshots FIRST LAST
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from random import Random
from typing import Literal

import cepheid
from cepheid.algebra.matches import Match
from cepheid.analysis import Plan, plan_of
from cepheid.api import CompiledQuery, QueryDetector, Report
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, Engine, TieredDetector
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from tests.hostile.damage import damaged
from tests.hostile.watching import main

JOIN = "rule r: a: A then b: B within 9 on a.k == b.k emits R(v = b.v)"
ABSENCE = "rule s: a: A unless b: B relation 1 <= start(b) - end(a) <= 4 emits S"
POINTS = "rule t: (a: A and instant t: every(3, 1)) within 5 emits T"
PIECES = "rule u: chain from one { step one: A then two step two: B } emits U"
WATCHPOINT = "watchpoint w { window 9 s; one = A letting x = v -> two; two = B letting y = v; alert { x = x, y = y } }"

AnyDetector = Detector | TieredDetector | QueryDetector
Make = Callable[[Plan, bytes | None], AnyDetector]
Resumed = Callable[[bytes | None], AnyDetector]


@dataclass(frozen=True, slots=True)
class Begun:
    """A detector that was stopped: how it goes on, its state, the events to come, and what must come of them."""

    resumed: Resumed
    state: bytes
    rest: Sequence[Event]
    expected: Sequence[str]


def case(seed: int) -> str:
    """Return what became of a damaged snapshot: it was refused, or it said the same."""
    random = Random(seed)
    begun = _begun()[seed % len(_begun())]
    state = _spliced(begun.state, random) if random.random() < 0.2 else damaged(begun.state, random)
    try:
        detector = begun.resumed(state)
        found = _told(detector, begun.rest)
    except CepheidError:
        return "refused"  # no error is without a code
    assert found == begun.expected, "a damaged snapshot gave other matches"
    return "the same"


def _spliced(state: bytes, random: Random) -> bytes:
    """Return the beginning of one snapshot and the end of another."""
    other = random.choice(_begun()).state
    return state[: random.randint(0, len(state))] + other[random.randint(0, len(other)) :]


def _told(detector: AnyDetector, events: Sequence[Event]) -> list[str]:
    found = [match for event in events for match in detector.push(event)]
    return [_said(match) for match in (*found, *detector.close())]


def _said(match: Match | Report) -> str:
    return f"{match.content()} {match.id}" if isinstance(match, Match) else str(match.to_dict())


def _interpreted(plan: Plan, state: bytes | None) -> AnyDetector:
    return Detector(plan, state=state)


def _compiled(plan: Plan, state: bytes | None) -> AnyDetector:
    return TieredDetector(plan, Engine.AUTO, state=state)


@cache
def _begun() -> tuple[Begun, ...]:
    """Return detectors of the interpreter, of kernels, and of both."""
    ways: tuple[tuple[tuple[str, ...], Make], ...] = (
        ((JOIN, ABSENCE, POINTS), _interpreted),
        ((PIECES,), _interpreted),
        ((JOIN, ABSENCE), _compiled),
        ((JOIN, POINTS), _compiled),
    )
    inner: list[Resumed] = [partial(make, plan_of(read_program("\n".join(rules)))) for rules, make in ways]
    return tuple(map(_stopped, (*inner, *_by_the_door())))


def _by_the_door() -> Iterator[Resumed]:
    """Return the detectors that users have: events are taken directly, in the interpreter, or in kernels."""
    queries = (cepheid.compile(JOIN, language="cep"), cepheid.compile(WATCHPOINT, language="hbl"))
    for query in queries:
        for engine in ("auto", "interpreter", "kernels"):
            yield partial(_detector, query, engine)


def _detector(
    query: CompiledQuery, engine: Literal["auto", "interpreter", "kernels"], state: bytes | None
) -> AnyDetector:
    return query.detector(state, engine=engine)


def _stopped(resumed: Resumed) -> Begun:
    events = [point("AB"[number % 3 == 2], 2 * number, number, {"k": number % 2, "v": number}) for number in range(24)]
    detector = resumed(None)
    for event in events[:12]:
        detector.push(event)
    state = detector.snapshot()
    expected = _told(resumed(state), events[12:])
    assert expected, "a state that nothing depends on shows nothing"
    return Begun(resumed, state, events[12:], expected)


if __name__ == "__main__":
    sys.exit(main("tests.hostile.snapshots", sys.argv[1:]))
