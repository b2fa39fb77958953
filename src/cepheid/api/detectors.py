"""Events that come in order are pushed to a detector of any kind, a portion of them at a time."""

from collections.abc import Iterator, Sequence

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.engine import Detector, Found, TieredDetector, WarmingDetector, portions, steps
from cepheid.events import Event

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
        yield from pushed(events, detector, plan)
        return
    for portion in portions(events, plan, PORTION):
        for time in on_the_way(portion[0], detector, plan):
            yield detector.advance(time)
        yield detector.push_events(portion, by_position=by_position)


def pushed(events: Sequence[Event], detector: AnyDetector, plan: Plan) -> Iterator[list[Match]]:
    """Yield what becomes certain by some events that come in order, a portion of them, or of a gap, at a time."""
    for portion in portions(events, plan, PORTION):
        for time in on_the_way(portion[0], detector, plan):
            yield detector.advance(time)
        if isinstance(detector, Detector):
            yield from _pushed_one_by_one(portion, detector)
        else:
            yield detector.push_all(portion)


def _pushed_one_by_one(events: Sequence[Event], detector: Detector) -> Iterator[list[Match]]:
    """Yield what becomes certain by some events, in more portions where it is much."""
    found: list[Match] = []
    for event in events:
        found += detector.push(event)
        if len(found) >= MOST_TOLD:
            yield found
            found = []
    yield found


def on_the_way(event: Event, detector: AnyDetector, plan: Plan) -> Iterator[int]:
    """Yield where the clock stops on the way to an event far ahead, lest all points of time between come at once."""
    clock = detector.clock()
    return steps(plan, clock, event.end - (detector.latest() - clock))
