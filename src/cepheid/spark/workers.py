"""What runs inside Spark's Python workers: rows become events, detectors take them, and results become rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cepheid.algebra.matches import Match
from cepheid.connectors import values_of
from cepheid.engine import Detector, Excess
from cepheid.events import Duration, Event, order_key
from cepheid.spark.event_columns import END, FIELD, ID, SOURCE, START, TIE, TYPE
from cepheid.spark.lanes import Lane, Route
from cepheid.spark.results import DUPLICATE, LATE, ResultForm, figures, set_aside

Row = Mapping[str, object]
Sourced = tuple[Event, str]


@dataclass(frozen=True, slots=True)
class Settings:
    """How detectors are set up: with evidence, with ids that tell duplicates, and what happens to too many events."""

    evidence: bool = True
    identified: bool = False
    on_excess: Excess = Excess.WARN


def events_of(batch: Any) -> list[Sourced]:  # pyarrow has no types: a record batch
    """Return the events that the rows of a batch say, each with the source it comes from."""
    columns = {name: values_of(batch.column(name)) for name in batch.schema.names}
    count = batch.num_rows
    ties = list(zip(*(columns[name] for name in columns if name.startswith(TIE)), strict=True)) or [()] * count
    named = {name.removeprefix(FIELD): values for name, values in columns.items() if name.startswith(FIELD)}
    names, rows = list(named), zip(*named.values(), strict=True) if named else iter([()] * count)
    sources = columns.get(SOURCE, [""] * count)
    return [
        (
            Event(
                kind, start, end, name, {key: one for key, one in zip(names, row, strict=True) if one is not None}, tie
            ),
            source or "",
        )
        for kind, start, end, name, tie, row, source in zip(
            columns[TYPE], columns[START], columns[END], columns[ID], ties, rows, sources, strict=True
        )
    ]


def in_order(events: Iterable[Sourced]) -> list[Sourced]:
    """Return events in the order in which they are looked at."""
    return sorted(events, key=lambda sourced: order_key(sourced[0]))


class Place:
    """The detectors of one route at one place: a part of a frame, or a bucket of a stream."""

    def __init__(
        self, route: Route, form: ResultForm, settings: Settings, number: int = 0, states: Sequence[bytes | None] = ()
    ) -> None:
        self.route, self.form, self.number = route, form, number
        known = states or [None] * len(route.lanes)
        self.detectors = [_detector(lane, settings, state) for lane, state in zip(route.lanes, known, strict=True)]
        self.taken = [0] * len(route.lanes)

    def push(self, events: Iterable[Sourced]) -> Iterator[Row]:
        """Take in events, and yield the rows of what is certain now and of what was set aside."""
        for event, source in events:
            for number, lane in enumerate(self.route.lanes):
                if lane.types is None or event.type in lane.types:
                    yield from self._push(number, lane, event, source)

    def _push(self, number: int, lane: Lane, event: Event, source: str) -> Iterator[Row]:
        detector = self.detectors[number]
        self.taken[number] += lane.speaks_for(event.type)
        yield from self._told(lane, detector.push(event, source))
        if detector.late or detector.duplicates:
            if lane.speaks_for(event.type):
                yield from (set_aside(LATE, lane.query, one, _late(lane)) for one in detector.late)
                yield from (set_aside(DUPLICATE, lane.query, one, _again(one)) for one in detector.duplicates)
            detector.late.clear()
            detector.duplicates.clear()

    def advance(self, clocks: Mapping[str, int]) -> Iterator[Row]:
        """Note how far the clocks of the sources are, and yield the rows of what is certain by that."""
        for lane, detector in zip(self.route.lanes, self.detectors, strict=True):
            for source, clock in clocks.items():
                if source in detector.arrivals:
                    bound = clock - detector.arrivals[source].allowed.ticks
                    if bound > detector.settled.sources[source]:
                        yield from self._told(lane, detector.advance(bound, source))

    def close(self) -> Iterator[Row]:
        """End the input, and yield the rows of all that waited for it."""
        for lane, detector in zip(self.route.lanes, self.detectors, strict=True):
            yield from self._told(lane, detector.close())

    def figures(self) -> Iterator[Row]:
        """Yield how much was taken in since the last time, and how much is held."""
        for lane, detector, taken in zip(self.route.lanes, self.detectors, self.taken, strict=True):
            usage = detector.usage()
            promised = [one.promised for one in usage]
            known = [one for one in promised if one is not None]
            most = sum(known) if len(known) == len(promised) else None
            yield figures(lane.query, self.number, taken, sum(one.used for one in usage), most)
        self.taken = [0] * len(self.route.lanes)

    def _told(self, lane: Lane, matches: Iterable[Match]) -> Iterator[Row]:
        return (self.form.match(lane.query, match) for match in matches)


def _detector(lane: Lane, settings: Settings, state: bytes | None) -> Detector:
    return Detector(
        lane.plan,
        state=state,
        evidence=settings.evidence,
        identified=settings.identified,
        disorder=lane.disorder,
        certificate=lane.certificate,
        on_excess=settings.on_excess,
    )


def _again(event: Event) -> str:
    return f"an event with the id `{event.id}` came before"


def _late(lane: Lane) -> str:
    return f"it came more than {Duration(lane.disorder)} after a later one"
