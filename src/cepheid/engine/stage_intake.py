"""What a stage takes in at once: events from its sources, and events that stages before it emitted.

Both go in by the order of their ends. So all of a type that ends before an event is there when the event comes, as far
as the stages before are settled, and a stage never holds more than it would beside the rules that feed it.
"""

from collections.abc import Iterable, Mapping

from cepheid.algebra.matches import Match
from cepheid.engine.detector import Detector
from cepheid.engine.turn import Record
from cepheid.events import MIN_TIME, Event


def push_in_step(
    detector: Detector,
    events: Iterable[tuple[Event, str]],
    records: Iterable[Record],
    frontiers: Mapping[str, int],
) -> list[Match]:
    """Take in events, each with its source, and records of stages before that are settled up to `frontiers`."""
    found: list[Match] = []
    reached = MIN_TIME
    news: list[tuple[Event, str | Record]] = [*events, *((record.event, record) for record in records)]
    for event, origin in sorted(news, key=lambda one: one[0].end):
        if event.end > reached:
            reached = event.end
            detector.settle({name: min(frontier, reached) for name, frontier in frontiers.items()})
        found += detector.feed([origin]) if isinstance(origin, Record) else detector.push(event, origin)
    return found
