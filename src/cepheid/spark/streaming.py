"""Detection over a stream: buckets with a detector each, whose state Spark keeps, batch after batch, exactly once.

All that comes in one batch is put in order before a detector sees it, and only then do the clocks move. So an event is
late only where an earlier batch, or its own bucket, was ahead of it by more than the disorder.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from cepheid.algebra.json_form import fingerprint
from cepheid.events import MIN_TIME
from cepheid.spark.dealing import BAD, dealt
from cepheid.spark.event_columns import EventRows
from cepheid.spark.event_tables import Table, in_order_of_time
from cepheid.spark.lanes import Route
from cepheid.spark.packing import BUCKET, CLOCKS, EVENTS, PACKED, packed, to_bytes, unpacked
from cepheid.spark.places import Place, Row, Settings
from cepheid.spark.results import ResultForm
from cepheid.spark.rows_set_aside import corrupt_rows
from cepheid.spark.schemas import spark_schema
from cepheid.spark.stored_state import INDEX, INDEX_VALUE, PIECE_KEY, PIECE_VALUE, PIECES, StoredState

RESULTS = "results"
# The detectors that this worker still has in memory, by the mark of the state they are in and what they run. No mark is
# used twice, so detectors of a batch that was not committed are never taken for those that are asked for.
AT_HAND: dict[tuple[str, str], Place] = {}
MOST_AT_HAND = 1024


def detect_stream(
    rows: EventRows, routes: Sequence[Route], form: ResultForm, settings: Settings, buckets: int
) -> DataFrame:
    """Return the results over a stream, which is dealt out into so many buckets for every route that has a key."""
    every = dealt(rows, routes, {}, every=True)
    first = {route.number: route.number * buckets for route in routes}
    packing = _packing(first, {route.number: 1 if route.key is None else buckets for route in routes})
    grouped = every.mapInArrow(packing, PACKED).groupBy(BUCKET)
    processor = Buckets(tuple(routes), form, settings, buckets)
    found = grouped.transformWithStateInPandas(processor, f"{RESULTS} binary", "Append", "None")
    return found.mapInArrow(_unpacking, spark_schema(form.schema))


@dataclass
class Buckets(StatefulProcessor):
    """The detectors of one bucket at a time, with the state that Spark keeps for it."""

    routes: tuple[Route, ...]
    form: ResultForm
    settings: Settings
    buckets: int

    def init(self, handle: StatefulProcessorHandle) -> None:
        index = handle.getValueState(INDEX, INDEX_VALUE)
        self.stored = StoredState(index, handle.getMapState(PIECES, PIECE_KEY, PIECE_VALUE))

    def handleInputRows(  # noqa: N802  # as Spark calls it
        self,
        key: Any,
        rows: Iterator[Any],  # frames of pandas
        timerValues: Any,  # noqa: ARG002, N803  # Spark gives it, by this name
    ) -> Iterator[pd.DataFrame]:
        """Take in what one batch brings to a bucket, and yield what is certain by that."""
        (number,) = key
        route = self.routes[number // self.buckets]
        bad, tables, clocks = _received(rows, route.address or "")
        place = self._place(route, number)
        found = [] if not tables else place.push(in_order_of_time(pa.concat_tables(tables).combine_chunks()))
        told = [*bad, *found, *place.advance(clocks), *place.figures()]
        mark = self.stored.save(route.lanes, place.states())
        _keep_at_hand(mark, place)
        yield pd.DataFrame({RESULTS: [to_bytes(self.form.batch(told))]})

    def _place(self, route: Route, number: int) -> Place:
        """Return the detectors of a bucket as they were after the last batch: from memory, or from what was kept."""
        self.stored.open()
        place = AT_HAND.pop((self.stored.mark, _what_runs(route)), None)
        if place is not None:
            return place
        return Place(route, self.form, self.settings, number, self.stored.load(route.lanes))

    def close(self) -> None:
        """Nothing is kept between batches but what Spark keeps."""


def _keep_at_hand(mark: str, place: Place) -> None:
    if len(AT_HAND) >= MOST_AT_HAND:
        AT_HAND.pop(next(iter(AT_HAND)))
    AT_HAND[mark, _what_runs(place.route)] = place


def _what_runs(route: Route) -> str:
    return " ".join(fingerprint(lane.plan.program) for lane in route.lanes)


def _received(rows: Iterator[Any], address: str) -> tuple[list[Row], list[Table], dict[str, int]]:
    """Return what came to a bucket: rows that say no event, rows that do, and how far the clocks are.

    What is addressed to nobody tells the time to all.
    """
    bad: list[Row] = []
    tables: list[Table] = []
    clocks: dict[str, int] = {}
    for frame in rows:
        for told, data in zip(frame[CLOCKS], frame[EVENTS], strict=True):
            if told is not None:
                by_address = json.loads(told)
                clocks = later(later(clocks, by_address.get("", {})), by_address.get(address, {}))
            if data is not None:
                table = unpacked(data)
                sound = pc.is_null(table.column(BAD))
                bad += corrupt_rows(table.filter(pc.invert(sound)))
                tables.append(table.filter(sound))
    return bad, tables, clocks


def later(one: Mapping[str, int], other: Mapping[str, int]) -> dict[str, int]:
    """Return the later of two clocks, source by source."""
    return {source: max(clock.get(source, MIN_TIME) for clock in (one, other)) for source in {**one, **other}}


def _packing(first: Mapping[int, int], counts: Mapping[int, int]) -> Callable[[Iterator[Any]], Iterator[Any]]:
    return lambda batches: packed(batches, first, counts)


def _unpacking(batches: Iterator[Any]) -> Iterator[Any]:
    for batch in batches:
        for data in batch.column(RESULTS).to_pylist():
            yield from unpacked(data).to_batches()
