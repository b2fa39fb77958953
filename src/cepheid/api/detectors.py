"""Events that come in order are pushed to a detector of any kind, a portion of them at a time."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TypeVar

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.engine import Detector, Found, RunsPlan, TieredDetector, WarmingDetector, portions, steps
from cepheid.events import Event

Output = TypeVar("Output")
AnyDetector = Detector | TieredDetector | WarmingDetector
PORTION = 4096
MOST_TOLD = 10_000
"""So many matches are told at a time."""


def found_by(
    events: Sequence[Event], detector: AnyDetector, plan: Plan, *, by_position: bool
) -> Iterator[list[Match] | Found]:
    """Yield what becomes certain by some events that come in order, in columns where kernels find it.

    `by_position`: events are called by their positions, which order simultaneous ones too.
    """
    if not isinstance(detector, TieredDetector) or not detector.takes_columns:
        return pushed(events, detector, plan)
    tiered = detector
    return _in_portions(events, detector, plan, lambda some: [tiered.push_events(some, by_position=by_position)])


def pushed(events: Sequence[Event], detector: AnyDetector, plan: Plan) -> Iterator[list[Match]]:
    """Yield what becomes certain by some events that come in order, a portion of them, or of a gap, at a time."""
    if isinstance(detector, Detector):
        return _in_portions(events, detector, plan, partial(_pushed_one_by_one, detector))
    push_all = detector.push_all
    return _in_portions(events, detector, plan, lambda some: [push_all(some)])


def _in_portions(
    events: Sequence[Event], detector: AnyDetector, plan: Plan, push: Callable[[Sequence[Event]], Iterable[Output]]
) -> Iterator[Output | list[Match]]:
    """Yield what becomes certain on the way to each portion of some events, and then by pushing it."""
    for portion in portions(events, plan, PORTION):
        for time in on_the_way(portion[0], detector, plan):
            yield detector.advance(time)
        yield from push(portion)


def _pushed_one_by_one(detector: Detector, events: Sequence[Event]) -> Iterator[list[Match]]:
    """Yield what becomes certain by some events, in more portions where it is much."""
    found: list[Match] = []
    for event in events:
        found += detector.push(event)
        if len(found) >= MOST_TOLD:
            yield found
            found = []
    yield found


def on_the_way(event: Event, detector: RunsPlan, plan: Plan) -> Iterator[int]:
    """Yield where the clock stops on the way to an event far ahead, lest all points of time between come at once."""
    clock = detector.clock()
    return steps(plan, clock, event.end - (detector.latest() - clock))
