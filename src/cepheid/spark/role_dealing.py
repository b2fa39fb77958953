"""Rows that go to several places: to one for each role in which their events may hold the key, or to all of them.

A copy is marked with the attributes by which it did not come to its place (`analysis/roles.py`), and all copies but one
with that they are copies, so that what becomes of an event is told and counted once.
"""

from collections.abc import Sequence

from pyspark.sql import Column
from pyspark.sql import functions as F

from cepheid.analysis.roles import AGAIN, mark_of
from cepheid.spark.catalyst import wanted_in_role
from cepheid.spark.event_columns import TYPE, EventRows, field_column
from cepheid.spark.key_hashes import hashed_column
from cepheid.spark.lanes import Route


def bucket_numbers(rows: EventRows, route: Route, count: int) -> Column:
    """Return the buckets of a route that a row goes to, each once; there are so many of them."""
    each = [F.when(_holds(rows, route, name), _bucket(rows, name, count)) for name in _attributes(route)]
    by_role = F.array_compact(F.array_distinct(F.array(*each))) if each else F.array().cast("array<int>")
    everywhere = sorted(kind for kind, names in (route.key or {}).items() if not names)
    every = F.sequence(F.lit(0), F.lit(count - 1))
    return F.when(F.col(TYPE).isin(everywhere), every).otherwise(by_role) if everywhere else by_role


def marks(rows: EventRows, routes: Sequence[tuple[Route, Column]], count: int, bucket: Column) -> dict[str, Column]:
    """Return the marks of copies that came to a bucket, by their columns; each route with what says that it is it."""
    names = dict.fromkeys(name for route, _ in routes for name in _attributes(route))
    away = {mark_of(name): [_is_away(rows, *each, name, count, bucket) for each in routes] for name in names}
    again = [is_it & (bucket != F.get(bucket_numbers(rows, route, count), 0)) for route, is_it in routes]
    return {field_column(mark): _any(some) for mark, some in {**away, AGAIN: again}.items()}


def _is_away(rows: EventRows, route: Route, is_it: Column, name: str, count: int, bucket: Column) -> Column:
    """Say whether a copy came to its bucket in other roles than one."""
    there = _holds(rows, route, name) & (_bucket(rows, name, count) == bucket)
    return is_it & F.col(TYPE).isin(_types(route, name)) & ~there if name in _attributes(route) else F.lit(False)


def _holds(rows: EventRows, route: Route, name: str) -> Column:
    """Say whether an event may hold the key in an attribute, as far as Spark can tell."""
    wanted = wanted_in_role(route, name, rows.compared)
    return F.col(TYPE).isin(_types(route, name)) & wanted


def _bucket(rows: EventRows, name: str, count: int) -> Column:
    return F.pmod(hashed_column(name, rows.fields), F.lit(count)).cast("int")


def _attributes(route: Route) -> list[str]:
    return list(dict.fromkeys(name for names in (route.key or {}).values() for name in names))


def _types(route: Route, name: str) -> list[str]:
    return sorted(kind for kind, names in (route.key or {}).items() if name in names)


def _any(conditions: Sequence[Column]) -> Column:
    """Return true where one of some conditions is, and null elsewhere."""
    found = conditions[0]
    for one in conditions[1:]:
        found = found | one
    return F.when(found, F.lit(True))
