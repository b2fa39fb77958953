"""Where each row goes: to the routes that it matters to, by their keys; what says no event goes straight through.

The columns of a dealt frame are those of its events, and `__route`, `__slot` and `__deal`: rows with one route and one
deal meet at one place, and slots come there one after another.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from cepheid.analysis.keys import ANY_TYPE
from cepheid.events import Kind
from cepheid.spark.catalyst import wanted_by
from cepheid.spark.event_columns import END, FIELD, FILE, REASON, RECORD, TYPE, EventRows, record_of
from cepheid.spark.lanes import Route

ROUTE, SLOT, DEAL, PLACES = "__route", "__slot", "__deal", "__places"
STRAIGHT_THROUGH = -1


def dealt(rows: EventRows, routes: Sequence[Route], slices: Mapping[int, int], *, every: bool = False) -> DataFrame:
    """Return the rows that matter, once for every place that they go to; `slices` are widths, by route.

    With `every`, rows that go nowhere stay too: they tell how late it is.
    """
    frame = rows.frame if every else rows.frame.where(F.col(REASON).isNotNull() | _wanted_by_any(rows, routes))
    bad = F.col(REASON).isNotNull()
    frame = frame.withColumns(
        {RECORD: F.when(bad, record_of(rows.frame)), FILE: F.when(bad, F.nullif(F.input_file_name(), F.lit("")))}
    )
    straight = F.array(_place(STRAIGHT_THROUGH, F.lit(0), F.hash(F.col(RECORD))))
    each = [_places(rows, route, slices.get(route.number)) for route in routes]
    nowhere = F.slice(straight, 1, 0)
    beats = F.lit(False) if rows.columns.heartbeat is None else F.col(TYPE) == F.lit(rows.columns.heartbeat)
    places = F.when(bad, straight).when(beats, nowhere).otherwise(F.flatten(F.array(*each)))
    chosen = [F.col(f"`{name}`") for name in (*rows.own, REASON, RECORD, FILE)]
    exploded = frame.select(*chosen, (F.explode_outer if every else F.explode)(places).alias(PLACES))
    return exploded.select("*", f"{PLACES}.*").drop(PLACES)


def key_hash(route: Route, rows: EventRows) -> Column:
    """Return a number that is the same for all events of one key: equal values meet, whatever their columns are."""
    if route.key is None:
        return F.lit(0)
    by_type = {kind: name for kind, name in route.key.items() if kind != ANY_TYPE}
    hashed = F.lit(0)
    if ANY_TYPE in route.key:
        return _hash(route.key[ANY_TYPE], rows)
    for name in dict.fromkeys(by_type.values()):
        types = sorted(kind for kind, its in by_type.items() if its == name)
        hashed = F.when(F.col(TYPE).isin(types), _hash(name, rows)).otherwise(hashed)
    return hashed


def _wanted_by_any(rows: EventRows, routes: Sequence[Route]) -> Column:
    each = [wanted_by(route, rows.compared) for route in routes]
    known = [one for one in each if one is not None]
    return reduce(or_, known, F.lit(False)) if len(known) == len(each) else F.lit(True)


def _places(rows: EventRows, route: Route, width: int | None) -> Column:
    wanted = wanted_by(route, rows.compared)
    if width is None:
        places = F.array(_place(route.number, F.lit(0), key_hash(route, rows)))
    else:
        past, ahead = _reach(route)
        first, last = (F.floor((F.col(END) + F.lit(by)) / F.lit(width)).cast("long") for by in (-ahead, past))
        places = F.transform(F.sequence(first, last), lambda slot: _place(route.number, slot, F.hash(slot)))
    return places if wanted is None else F.when(wanted, places).otherwise(F.slice(places, 1, 0))


def _reach(route: Route) -> tuple[int, int]:
    past = max(lane.past or 0 for lane in route.lanes)
    return past, max(lane.ahead or 0 for lane in route.lanes)


def _place(route: int, slot: Column, deal: Column) -> Column:
    return F.struct(F.lit(route).alias(ROUTE), slot.cast("long").alias(SLOT), deal.cast("int").alias(DEAL))


def _hash(name: str, rows: EventRows) -> Column:
    kind = rows.fields.get(name)
    if kind is None:
        return F.lit(0)
    column = F.col(f"`{FIELD}{name}`")
    # Numbers of all kinds are equal by value, and adding nothing makes one zero of two.
    return F.hash(column.cast("double") + F.lit(0.0)) if kind in (Kind.INT, Kind.FLOAT) else F.hash(column)
