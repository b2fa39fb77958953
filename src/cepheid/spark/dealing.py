"""Where each row goes: to the routes that it matters to, by their keys; what says no event goes straight through.

The columns of a dealt frame are those of its events, `__bad` with what is told of a row that says no event, and
`__route`, `__slot` and `__deal`: rows with one route and one deal meet at one place, and slots come there one after
another. What says no event has no end, so that it comes first wherever rows are sorted by time.

Where all rows go one way, they have none of these: every column that goes along is paid for with every event.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from cepheid.analysis.keys.key_classes import ANY_TYPE
from cepheid.spark.catalyst import wanted_by
from cepheid.spark.event_columns import (
    ADDRESS,
    END,
    FILE,
    PARTITION,
    SOURCE,
    TYPE,
    WAITED_FOR,
    EventRows,
    quoted,
    record_of,
)
from cepheid.spark.key_hashes import hashed_column
from cepheid.spark.lanes import Route
from cepheid.spark.role_dealing import Marks, bucket_numbers

ROUTE, SLOT, DEAL, PLACES, BAD = "__route", "__slot", "__deal", "__places", "__bad"
STRAIGHT_THROUGH = -1


def dealt(
    rows: EventRows,
    routes: Sequence[Route],
    slices: Mapping[int, int],
    buckets: int,
    *,
    every: bool = False,
    sound: bool = False,
) -> DataFrame:
    """Return the rows that matter, once for every place that they go to; `slices` are widths, by route.

    Where an event may go to several places for its roles, there are so many `buckets`, and each is a slot of its own.
    With `every`, rows that go nowhere stay too: they tell how late it is. With `sound`, rows that say no event go.
    """
    bad, wanted = rows.bad, _wanted_by_any(rows, routes)
    frame = rows.frame if every else rows.frame.where(~bad & wanted if sound else bad | wanted)
    frame = frame.withColumns({BAD: F.when(bad, _told(rows)), END: F.when(~bad, F.col(END))})
    chosen = [F.col(quoted(name)) for name in (*rows.own, BAD)]
    if len(routes) == 1 and not slices and not routes[0].multiplies:
        placed = frame.select(*chosen, *_only_place(rows, routes[0]))
        return _with_little_of_the_rest(placed, rows) if every else placed.where(F.col(ROUTE).isNotNull())
    marks = Marks.on(routes)
    straight = F.array(_place(STRAIGHT_THROUGH, F.lit(0), F.hash(F.col(BAD)), marks.none()))
    each = [_places(rows, route, slices.get(route.number), buckets, marks) for route in routes]
    nowhere = F.slice(straight, 1, 0)
    places = F.when(_is_bad(), straight).when(_beats(rows), nowhere).otherwise(F.flatten(F.array(*each)))
    exploded = frame.select(*chosen, (F.explode_outer if every else F.explode)(places).alias(PLACES))
    placed = exploded.select("*", f"{PLACES}.*").drop(PLACES)
    return placed.withColumns(marks.columns()).drop(*marks.masks) if marks.names else placed


def of_one_route(rows: EventRows, route: Route) -> DataFrame:
    """Return the rows that matter to the only route there is, in the columns of their events alone.

    A row that says no event has no end, and in place of its type stands what is told of it.
    """
    bad, wanted = rows.bad, _matters(rows, route)
    frame = rows.frame if wanted is None else rows.frame.where(wanted | bad)
    told = F.when(bad, _told(rows)).otherwise(F.col(TYPE))
    marked = {TYPE: told.alias(TYPE), END: F.when(~bad, F.col(END)).alias(END)}
    return frame.select(*(marked.get(name, F.col(quoted(name))) for name in rows.own))


def of_several_roles(rows: EventRows, route: Route, buckets: int) -> DataFrame:
    """Return the rows that matter to the only route there is, once for each of its buckets that they go to."""
    marks = Marks.on([route])
    masks = marks.of_copies(rows, route, buckets)
    numbers = F.when(F.col(END).isNull(), F.array(F.lit(0))).otherwise(bucket_numbers(rows, route, buckets))
    places = F.transform(
        numbers, lambda bucket, number: F.struct(bucket.cast("long").alias(SLOT), *masks(bucket, number))
    )
    copies = of_one_route(rows, route).select("*", F.explode(places).alias(PLACES)).select("*", f"{PLACES}.*")
    return copies.withColumns(marks.columns()).drop(PLACES, *marks.masks)


def sliced(rows: EventRows, route: Route, width: int) -> DataFrame:
    """Return the rows that matter, once for every slice that reads them, where slices are all that there is."""
    first, last = _slots(route, width)
    slots = F.when(F.col(END).isNull(), F.array(F.lit(0).cast("long"))).otherwise(F.sequence(first, last))
    return of_one_route(rows, route).withColumn(SLOT, F.explode(slots))


def order_in_slices(route: Route) -> Column:
    """Return a number that orders sliced rows by slot and then by time."""
    past, ahead = route.reach
    return F.col(SLOT) * F.lit(past + ahead + 1) + F.col(END)


def key_hash(route: Route, rows: EventRows) -> Column:
    """Return a number that is the same for all events of one key: equal values meet, whatever their columns are."""
    if route.key is None:
        return F.lit(0)
    names = list(dict.fromkeys(route.key.values()))
    if ANY_TYPE in route.key or len(names) == 1:
        return hashed_column(route.key.get(ANY_TYPE, names[0])[0], rows.fields)
    hashed = F.lit(0)
    for (name,) in names:
        types = sorted(kind for kind, its in route.key.items() if its == (name,))
        hashed = F.when(F.col(TYPE).isin(types), hashed_column(name, rows.fields)).otherwise(hashed)
    return hashed


def _told(rows: EventRows) -> Column:
    """Return what is told of a row that says no event."""
    file = F.nullif(F.input_file_name(), F.lit(""))
    file = F.coalesce(F.col(FILE), file) if FILE in rows.frame.columns else file
    said = F.struct(record_of(rows.frame).alias("record"), rows.reason.alias("reason"), file.alias("file"))
    return F.to_json(said)


def _is_bad() -> Column:
    return F.col(BAD).isNotNull()


def _wanted_by_any(rows: EventRows, routes: Sequence[Route]) -> Column:
    each = [wanted_by(route, rows.compared) for route in routes]
    known = [one for one in each if one is not None]
    return reduce(or_, known, F.lit(False)) if len(known) == len(each) else F.lit(True)


def _places(rows: EventRows, route: Route, width: int | None, buckets: int, marks: Marks) -> Column:
    wanted = wanted_by(route, rows.compared)
    if route.multiplies:
        masks = marks.of_copies(rows, route, buckets)
        numbers = bucket_numbers(rows, route, buckets)
        places = F.transform(numbers, lambda one, number: _place(route.number, one, one, masks(one, number)))
    elif width is None:
        places = F.array(_place(route.number, F.lit(0), key_hash(route, rows), marks.none()))
    else:
        first, last = _slots(route, width)
        slots, none = F.sequence(first, last), marks.none()
        places = F.transform(slots, lambda slot: _place(route.number, slot, F.hash(slot), none))
    return places if wanted is None else F.when(wanted, places).otherwise(F.slice(places, 1, 0))


def _slots(route: Route, width: int) -> tuple[Column, Column]:
    """Return the first and the last slice that read an event."""
    past, ahead = route.reach
    first, last = (F.floor((F.col(END) + F.lit(by)) / F.lit(width)).cast("long") for by in (-ahead, past))
    return first, last


def _only_place(rows: EventRows, route: Route) -> list[Column]:
    """Return the place of each row where there is one for all: nothing need be listed and taken apart again."""
    matters = _matters(rows, route)
    own = F.lit(route.number) if matters is None else F.when(matters, F.lit(route.number))
    number = F.when(_is_bad(), F.lit(STRAIGHT_THROUGH)).otherwise(own)
    deal = F.when(_is_bad(), F.hash(F.col(BAD))).otherwise(key_hash(route, rows))
    return [number.alias(ROUTE), F.lit(0).cast("long").alias(SLOT), deal.cast("int").alias(DEAL)]


def _matters(rows: EventRows, route: Route) -> Column | None:
    """Return the condition that a row with an event must meet to matter to a route; None where every one does."""
    wanted = wanted_by(route, rows.compared)
    if rows.columns.heartbeat is None and not rows.partitioned:
        return wanted
    return ~_beats(rows) if wanted is None else ~_beats(rows) & wanted


def _with_little_of_the_rest(placed: DataFrame, rows: EventRows) -> DataFrame:
    """Return rows of which those that go nowhere only tell the time."""
    goes = F.col(ROUTE).isNotNull()
    names = [name for name in rows.own if name not in (END, SOURCE, ADDRESS, PARTITION, WAITED_FOR)]
    return placed.withColumns({name: F.when(goes, F.col(quoted(name))) for name in names})


def _beats(rows: EventRows) -> Column:
    """Say whether a row only tells how late it is."""
    beat = rows.columns.heartbeat
    beats = F.lit(False) if beat is None else F.col(TYPE) == F.lit(beat)
    return beats | F.col(WAITED_FOR).isNotNull() if rows.partitioned else beats


def _place(route: int, slot: Column, deal: Column, masks: Sequence[Column]) -> Column:
    where = F.lit(route).alias(ROUTE), slot.cast("long").alias(SLOT), deal.cast("int").alias(DEAL)
    return F.struct(*where, *masks)
