"""Rows that go to several places: to one for each role in which their events may hold the key, or to all of them.

A copy is marked with the attributes by which it did not come to its place (`analysis/keys/roles.py`), and all but one
with that they are copies, so that what becomes of an event is told and counted once. On its way it has its marks as the
bits of a number: each route says them where it says the place, however many routes there are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add

from pyspark.sql import Column
from pyspark.sql import functions as F

from cepheid.analysis.keys.roles import AGAIN, mark_of
from cepheid.spark.catalyst import wanted_in_role
from cepheid.spark.event_columns import TYPE, EventRows, field_column
from cepheid.spark.key_hashes import hashed_column
from cepheid.spark.lanes import Route

BITS = 62
MASK = "__marks"


@dataclass(frozen=True, slots=True)
class Marks:
    """The marks that copies may have on some routes: the attributes, in order, and after them that they are copies."""

    names: tuple[str, ...]

    @classmethod
    def on(cls, routes: Sequence[Route]) -> "Marks":
        several = [route for route in routes if route.multiplies]
        return cls(tuple(dict.fromkeys(name for route in several for name in attributes(route))) if several else ())

    @property
    def masks(self) -> list[str]:
        """The columns that have the marks as bits, none where nothing is multiplied."""
        return [f"{MASK}{number}" for number in range(len(self.names) // BITS + 1)] if self.names else []

    def none(self) -> list[Column]:
        """Return the masks of what is no copy."""
        return [F.lit(0).cast("long").alias(mask) for mask in self.masks]

    def of_copies(self, rows: EventRows, route: Route, count: int) -> Callable[[Column, Column], list[Column]]:
        """Return how the masks of a copy are made of its bucket and of its number among the copies."""
        places = {name: (_is_of(route, name), _bucket_in_role(rows, route, name, count)) for name in attributes(route)}

        def masks(bucket: Column, number: Column) -> list[Column]:
            away = [(self.names.index(name), held & ~bucket.eqNullSafe(own)) for name, (held, own) in places.items()]
            bits = [*away, (len(self.names), number > 0)]
            return [
                _mask([(bit % BITS, is_set) for bit, is_set in bits if bit // BITS == k]).alias(mask)
                for k, mask in enumerate(self.masks)
            ]

        return masks

    def columns(self) -> dict[str, Column]:
        """Return the marks as fields of events, made of the masks."""
        marks = [*map(mark_of, self.names), AGAIN] if self.names else []
        return {field_column(mark): _bit(self.masks[bit // BITS], bit % BITS) for bit, mark in enumerate(marks)}


def bucket_numbers(rows: EventRows, route: Route, count: int) -> Column:
    """Return the buckets of a route that a row goes to, each once; there are so many of them."""
    each = [_bucket_in_role(rows, route, name, count) for name in attributes(route)]
    by_role = F.array_compact(F.array_distinct(F.array(*each)))
    everywhere = sorted(kind for kind, names in (route.key or {}).items() if not names)
    every = F.sequence(F.lit(0), F.lit(count - 1))
    return F.when(F.col(TYPE).isin(everywhere), every).otherwise(by_role) if everywhere else by_role


def attributes(route: Route) -> list[str]:
    """Return the attributes in which events of a route hold its key."""
    return list(dict.fromkeys(name for names in (route.key or {}).values() for name in names))


def _bucket_in_role(rows: EventRows, route: Route, name: str, count: int) -> Column:
    """Return the bucket that an event goes to by an attribute, null where it holds no key in it, as Spark can tell."""
    holds = _is_of(route, name) & wanted_in_role(route, name, rows.compared)
    return F.when(holds, F.pmod(hashed_column(name, rows.fields), F.lit(count)).cast("int"))


def _is_of(route: Route, name: str) -> Column:
    return F.col(TYPE).isin(sorted(kind for kind, names in (route.key or {}).items() if name in names))


def _mask(bits: Sequence[tuple[int, Column]]) -> Column:
    """Return the number that has those bits of which conditions hold."""
    return reduce(
        add,
        (F.when(is_set, F.lit(1 << bit)).otherwise(F.lit(0)).cast("long") for bit, is_set in bits),
        F.lit(0).cast("long"),
    )


def _bit(mask: str, bit: int) -> Column:
    """Return true where a mask has a bit, and null elsewhere."""
    return F.when(F.col(mask).bitwiseAND(F.lit(1 << bit).cast("long")) != 0, F.lit(True))
