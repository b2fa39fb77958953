"""Detection over a stream: buckets with a detector each, whose state Spark keeps, batch after batch, exactly once.

All that comes in one batch is put in order before a detector sees it, and only then do the clocks move. So an event is
late only where an earlier batch, or its own bucket, was ahead of it by more than the disorder.

There is an operator for every level of stages. What is for another level goes through as it is, so that the input is
read once and no stage runs twice.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame

from cepheid.engine import Record
from cepheid.spark.at_hand import keep, taken
from cepheid.spark.carrying import carried
from cepheid.spark.dealing import BAD, dealt
from cepheid.spark.event_columns import EventRows
from cepheid.spark.event_tables import Table, in_order_of_time
from cepheid.spark.handing import Handed, copies_of, handed_from, heard_in_stream, takers_of
from cepheid.spark.lanes import Route
from cepheid.spark.packing import (
    BUCKET,
    CLOCKS,
    COLUMNS,
    EVENTS,
    HANDED,
    PACKED,
    RESULTS,
    bucket_of,
    packed,
    to_bytes,
    unpacked,
)
from cepheid.spark.partition_clocks import Held, later
from cepheid.spark.partition_clocks import Told as ToldClocks
from cepheid.spark.places import Place, Row, Settings, Told
from cepheid.spark.results import ResultForm
from cepheid.spark.rows_set_aside import corrupt_rows
from cepheid.spark.schemas import spark_schema
from cepheid.spark.sending import SentBuckets
from cepheid.spark.sessions import keeps_state, refuse_too_much
from cepheid.spark.state_settings import Told as StateSettings
from cepheid.spark.state_settings import settings_of
from cepheid.spark.stored_state import Pieces, StoredState, StoredText


def detect_stream(
    rows: EventRows, routes: Sequence[Route], form: ResultForm, settings: Settings, buckets: int
) -> DataFrame:
    """Return the results over a stream, which is dealt out into so many buckets for every route that has a key."""
    counted = {route.number: route.buckets(buckets) for route in routes}
    depends_on = settings_of(routes, buckets, rows)
    frame = dealt(rows, routes, {}, buckets, every=True).mapInArrow(carried(_packing(counted)), PACKED)
    keeps_state(frame.sparkSession)
    for level in range(max(route.level for route in routes) + 1):
        processor = SentBuckets(Buckets(tuple(routes), form, settings, buckets, level, depends_on))
        refuse_too_much(processor.size, frame.sparkSession)
        frame = frame.groupBy(BUCKET).transformWithStateInPandas(processor, PACKED, "Append", "None")
    return frame.mapInArrow(_unpacking, spark_schema(form.schema))


@dataclass(frozen=True, slots=True)
class Buckets:
    """The detectors of one bucket at a time; only those of one level work.

    The state that is stored depends on some settings; where they are not given, on those of the routes alone.
    """

    routes: tuple[Route, ...]
    form: ResultForm
    settings: Settings
    buckets: int
    level: int = 0
    depends_on: StateSettings | None = None

    def after(self, number: int, rows: Iterator[Any], index: StoredText, pieces: Pieces) -> Iterator[pd.DataFrame]:
        """Take in what one batch brings to a bucket, and yield what is certain by that."""
        route = self.routes[number // self.buckets]
        if route.level != self.level:
            yield from (frame[list(COLUMNS)] for frame in rows)
            return
        came = _received(rows)
        stored = StoredState(index, pieces, self.depends_on or settings_of(self.routes, self.buckets))
        place = self._place(route, number, stored)
        # What is promised is promised for all buckets of a route together, so one of them says it.
        promising = number == route.buckets(self.buckets).start
        told = [*came.bad, *self._told(place, came), *place.figures(promising=promising)]
        handed = list(self._handed(place))
        mark = stored.save(route.lanes, place.states(), place.held.to_bytes(), place.counts())
        keep(mark, place)
        results = (number, None, None, None, to_bytes(pa.Table.from_batches(self.form.batches(told))))
        yield pd.DataFrame([results, *handed], columns=COLUMNS)

    def _told(self, place: Place, came: "Received") -> Iterator[Told]:
        """Yield what is certain by what came: rows and events of stages before, then how far all of them are."""
        heard = heard_in_stream(came.handed, self.routes, self.buckets)
        rows, bounds = place.held.after(came.told, came.table)
        clocks = {**came.clocks(place.route.address or ""), **bounds}
        yield from place.push(None if rows is None else in_order_of_time(rows.combine_chunks()), heard, clocks)
        yield from place.settle(heard)
        yield from place.advance(clocks)

    def _handed(self, place: Place) -> Iterator[tuple[object, ...]]:
        """Yield what goes to buckets of later stages: to each of them at least how far this one is."""
        for lane, records, frontiers in place.handed():
            for route, types in takers_of(lane, self.routes):
                buckets = route.buckets(self.buckets)
                dealt: dict[int, list[Record]] = {bucket: [] for bucket in buckets}
                for record in (one for one in records if one.event.type in types):
                    for deal, copy in copies_of(record.event, route, self.buckets):
                        dealt[bucket_of(buckets, deal)].append(replace(record, event=copy))
                for bucket, some in dealt.items():
                    handed = Handed(lane.query, lane.name, place.number, tuple(some), frontiers)
                    yield bucket, None, None, handed.to_bytes(), None

    def _place(self, route: Route, number: int, stored: StoredState) -> Place:
        """Return the detectors of a bucket as they were after the last batch: from memory, or from what was kept."""
        stored.open()
        place = taken(route, number, stored.mark)
        if place is not None:
            return place
        states, held, counted = stored.load(route.lanes), Held.from_bytes(stored.held()), stored.counted()
        one_of = len(route.buckets(self.buckets))
        return Place(route, self.form, self.settings, number, states, one_of=one_of, held=held, counted=counted)


@dataclass(slots=True)
class Received:
    """What came to a bucket: rows that say no event and rows that do, what was handed on, how far the clocks are."""

    bad: list[Row] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    handed: list[Handed] = field(default_factory=list)
    told: ToldClocks = field(default_factory=ToldClocks)

    @property
    def table(self) -> Table | None:
        """The rows that say events."""
        return pa.concat_tables(self.tables) if self.tables else None

    def clocks(self, address: str) -> Mapping[str, int]:
        """Return how far the sources are for a query; what is addressed to nobody tells the time to all."""
        return later(self.told.clocks.get("", {}), self.told.clocks.get(address, {}))


def _received(rows: Iterator[Any]) -> Received:
    """Return what came to a bucket."""
    came = Received()
    for frame in rows:
        for told, data, handed in zip(frame[CLOCKS], frame[EVENTS], frame[HANDED], strict=True):
            if told is not None:
                came.told.merge(json.loads(told))
            if data is not None:
                table = unpacked(data)
                sound = pc.is_null(table.column(BAD))
                came.bad += corrupt_rows(table.filter(pc.invert(sound)))
                came.tables.append(table.filter(sound))
            if handed is not None:
                came.handed.append(handed_from(handed))
    return came


def _packing(buckets: Mapping[int, range]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    return lambda batches: packed(batches, buckets)


def _unpacking(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        for data in batch.column(RESULTS).to_pylist():
            if data is not None:
                yield from unpacked(data).to_batches()
