"""What a stage takes in at once: events from its sources, and events that stages before it emitted.

Both go in by the order of their ends. So all that ends before an event is there when the event comes, as far as it can
be, and a stage never holds more than it would beside the rules that feed it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.matches import Match
from cepheid.engine.clock.turn import Record
from cepheid.engine.detectors.detector import Detector
from cepheid.events import MIN_TIME, Event


@dataclass(frozen=True, slots=True)
class FromBefore:
    """Events that stages before a stage emitted; all that is still to come of a type ends at its frontier or later."""

    records: Sequence[Record] = ()
    frontiers: Mapping[str, int] = field(default_factory=dict)


def push_in_step(
    detector: Detector, events: Iterable[tuple[Event, str]], before: FromBefore, sources: Mapping[str, int]
) -> Iterator[list[Match]]:
    """Take in events, each with its source, and what came from before; yield what is certain after each of them.

    When all events are taken in, the `sources` that are named have come as far as that; so they have meanwhile, too.
    """
    reached = MIN_TIME
    news: list[tuple[Event, str | Record]] = [*events, *((record.event, record) for record in before.records)]
    for event, origin in sorted(news, key=lambda one: one[0].end):
        if event.end > reached:
            reached = event.end
            detector.settle({name: min(frontier, reached) for name, frontier in before.frontiers.items()})
            for source, bound in sources.items():
                detector.promise(min(bound, reached), source)
        yield detector.feed([origin]) if isinstance(origin, Record) else detector.push(event, origin)
