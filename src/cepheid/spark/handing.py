"""Events on their way from one stage to the next, with how far the place is that sends them.

A place of a later stage goes to the least frontier of all places before it, once each of them has spoken; what all of
them will still emit ends there or later. So no such event is ever late.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from cepheid.analysis.keys.key_classes import ANY_TYPE
from cepheid.analysis.keys.roles import AGAIN, mark_of
from cepheid.engine import FromBefore, Record, decode, encode
from cepheid.events import MAX_TIME, Event
from cepheid.spark.key_hashes import hashed_long, hashed_value
from cepheid.spark.lanes import Lane, Route

Ground = frozenset[tuple[tuple[object, ...], int | str]]


@dataclass(frozen=True, slots=True)
class Handed:
    """What a lane hands on from one bucket: some events that its rules emitted, and the frontier of each type."""

    query: int
    lane: str
    bucket: int
    records: tuple[Record, ...]
    frontiers: Mapping[str, int]

    def to_bytes(self) -> bytes:
        """Return it as bytes that `handed_from` reads back."""
        records = [(one.event, one.known, one.rests_on) for one in self.records]
        return encode([self.query, self.lane, self.bucket, records, dict(self.frontiers)])


def handed_from(data: bytes) -> Handed:
    """Return what was handed on as bytes."""
    query, lane, bucket, told, frontiers = cast(
        tuple[int, str, int, list[tuple[Event, int | None, Ground]], dict[str, int]], decode(data)
    )
    records = tuple(Record(event, known, rests_on) for event, known, rests_on in told)
    return Handed(query, lane, bucket, records, frontiers)


@dataclass(frozen=True, slots=True)
class Heard:
    """What a place heard from stages before it: events by query, and frontiers by query and type.

    Without frontiers, all that those stages emit comes before what ends later.
    """

    records: Mapping[int, Sequence[Record]]
    frontiers: Mapping[tuple[int, str], int] | None = None

    def by(self, lane: Lane) -> FromBefore:
        """Return what came for a lane."""
        records = [one for one in self.records.get(lane.query, ()) if one.event.type in lane.takes]
        if self.frontiers is None:
            return FromBefore(records, dict.fromkeys(lane.takes, MAX_TIME))
        told = {name: self.frontiers.get((lane.query, name)) for name in lane.takes}
        return FromBefore(records, {name: time for name, time in told.items() if time is not None})


def heard_in_frame(handed: Iterable[Handed]) -> Heard:
    """Return what is heard in a whole frame, in which events come by their ends, whoever emits them."""
    return Heard(_by_query(handed))


def heard_in_stream(handed: Sequence[Handed], routes: Sequence[Route], buckets: int) -> Heard:
    """Return what is heard in one batch of a stream; a type is settled where all spoke that emit it."""
    told: dict[tuple[int, str], list[int]] = {}
    silent: set[tuple[int, str]] = set()
    for route in routes:
        for lane in (one for one in route.lanes if one.hands):
            spoken = [one for one in handed if (one.query, one.lane) == (lane.query, lane.name)]
            for name in lane.hands:
                told.setdefault((lane.query, name), []).extend(one.frontiers[name] for one in spoken)
                if {one.bucket for one in spoken} != set(route.buckets(buckets)):
                    silent.add((lane.query, name))
    return Heard(_by_query(handed), {key: min(times) for key, times in told.items() if key not in silent})


def _by_query(handed: Iterable[Handed]) -> Mapping[int, Sequence[Record]]:
    records: dict[int, list[Record]] = {}
    for one in handed:
        records.setdefault(one.query, []).extend(one.records)
    return records


def takers_of(lane: Lane, routes: Sequence[Route]) -> Iterator[tuple[Route, frozenset[str]]]:
    """Yield the routes that lead to lanes which take events of a lane, with the types that they take."""
    for route in (one for one in routes if one.level > lane.level):
        types = frozenset().union(*(one.takes for one in route.lanes if one.query == lane.query)) & lane.hands
        if types:
            yield route, types


def copies_of(event: Event, route: Route, buckets: int) -> Iterator[tuple[int, Event]]:
    """Yield the numbers by which an event is dealt out on a route: those of all events with its keys.

    On a route that multiplies events these are the numbers of its buckets, and a copy is marked with the attributes by
    which it does not come to its own.
    """
    key = route.key or {}
    names = key.get(event.type, key.get(ANY_TYPE, ("",)))
    deals = {name: hashed_value(event.fields.get(name)) for name in names}
    if not route.multiplies:
        yield (0 if route.key is None else deals[names[0]]), event
        return
    places = list(dict.fromkeys(deal % buckets for deal in deals.values())) if names else list(range(buckets))
    for bucket in places:
        marks = [mark_of(name) for name, deal in deals.items() if deal % buckets != bucket]
        marks += [AGAIN] if bucket != places[0] else []
        yield bucket, replace(event, fields={**event.fields, **dict.fromkeys(marks, True)}) if marks else event


def slots_of(event: Event, width: int, past: int, ahead: int) -> Iterator[tuple[int, int]]:
    """Yield the slices of time that an event is read in, each with the number by which it is dealt out."""
    for slot in range((event.end - ahead) // width, (event.end + past) // width + 1):
        yield slot, hashed_long(slot)
