"""The declared rates of a whole frame: Spark counts the events of every period, wherever they are dealt out to.

Each worker sees a part of the events, and those only that matter to a query. A rate is about all of them.
"""

from collections.abc import Iterable, Mapping

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from cepheid.algebra.programs import Arrival, Stream
from cepheid.engine import told_too_fast
from cepheid.spark.counted_spans import shortest_stretch
from cepheid.spark.event_columns import END, ID, TYPE, EventRows

_WINDOW, _COUNT, _MOST, _LAST_TYPE = "window", "count", "most", "last_type"


def broken_rates(rows: EventRows, streams: Iterable[Stream]) -> list[str]:
    """Return what is said of each type that comes faster than was declared, in the order of the declarations.

    A period with more events than the rate allows breaks it. Periods begin at multiples of their length, so a rate that
    is broken for no longer than one may go unseen here.
    """
    declared = {one.name: one.arrival for one in streams if one.arrival is not None}
    if not declared:
        return []
    events = _each_once(rows).where(F.col(TYPE).isin(sorted(declared)))
    counted = events.groupBy(TYPE, _window(declared).alias(_WINDOW)).agg(F.count("*").alias(_COUNT))
    most = {row[TYPE]: row[_MOST] for row in counted.groupBy(TYPE).agg(F.max(_COUNT).alias(_MOST)).collect()}
    return [told_too_fast(name, one) for name, one in declared.items() if most.get(name, 0) > _most_allowed(one)]


def _most_allowed(arrival: Arrival) -> int:
    """Return how many events a period holds at most; those that are spaced may be at both its edges."""
    length, most = shortest_stretch(arrival)
    return -(-arrival.per // length) * most


def _window(declared: Mapping[str, Arrival]) -> Column:
    """Return the time at which the period of an event begins: whole numbers, before the epoch too."""
    periods = F.lit(None).cast("long")
    for name, arrival in declared.items():
        periods = F.when(F.col(TYPE) == F.lit(name), F.lit(arrival.per).cast("long")).otherwise(periods)
    return F.col(END) - F.pmod(F.col(END), periods)


def _each_once(rows: EventRows) -> DataFrame:
    """Return the types and ends of events; where events have ids, of those alone that surely are no duplicates.

    Of several events with one id the first is counted, and none where it is not clear which type that one has.
    """
    events = rows.frame.where(~rows.bad).select(TYPE, END, ID)
    if rows.columns.id is None:
        return events.drop(ID)
    alike = events.groupBy(ID).agg(F.min(TYPE).alias(TYPE), F.max(TYPE).alias(_LAST_TYPE), F.min(END).alias(END))
    return alike.where(F.col(TYPE) == F.col(_LAST_TYPE)).select(TYPE, END)
