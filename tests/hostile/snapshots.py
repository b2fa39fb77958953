"""Snapshots that were damaged: each is refused with a code, or goes on exactly as if nothing had happened to it.

Usage: python -m tests.hostile.snapshots FIRST LAST
"""

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from cepheid.analysis import Plan, plan_of
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

AnyDetector = Detector | TieredDetector
Make = Callable[[Plan, bytes | None], AnyDetector]


@dataclass(frozen=True, slots=True)
class Begun:
    """A detector that was stopped: how it goes on, its state, the events to come, and what must come of them."""

    resumed: Callable[[bytes], AnyDetector]
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
    return [f"{match.content()} {match.id}" for match in (*found, *detector.close())]


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
    return tuple(_stopped(plan_of(read_program("\n".join(rules))), make) for rules, make in ways)


def _stopped(plan: Plan, make: Make) -> Begun:
    events = [point("AB"[number % 3 == 2], 2 * number, number, {"k": number % 2, "v": number}) for number in range(24)]
    detector = make(plan, None)
    for event in events[:12]:
        detector.push(event)
    state = detector.snapshot()
    return Begun(lambda given: make(plan, given), state, events[12:], _told(make(plan, state), events[12:]))


if __name__ == "__main__":
    sys.exit(main("tests.hostile.snapshots", sys.argv[1:]))
