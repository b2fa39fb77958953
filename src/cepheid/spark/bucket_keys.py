"""Which key of a bucket has the most events in a batch, so that somebody can be told where a bucket is busy.

A bucket counts the keys of the rows that it takes in, as columns, and says one text, with all that it takes to read it:

    {"route":0,"lanes":[[0,"Pair"]],"of":32,"bucket":3,"events":90,"keys":7,"by":["user"],"key":"12","most":80}

Nothing is kept from batch to batch. Events that rules of an earlier stage emit are not counted.
"""

import json
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cepheid.analysis.keys.key_classes import ANY_TYPE
from cepheid.analysis.keys.roles import mark_of
from cepheid.spark.event_columns import TYPE, field_column
from cepheid.spark.event_tables import Table
from cepheid.spark.lanes import Route
from cepheid.spark.role_dealing import attributes

LONGEST = 60
"""So many characters of a key are said."""


def told_keys(route: Route, bucket: int, of: int, table: Table) -> str | None:
    """Return the text of the keys that rows of one bucket have, where a route has so many; None for nothing."""
    column = pa.nulls(0) if route.key is None else _keys(route, table)
    if len(column) == 0:
        return None
    counts = pc.value_counts(column)
    place = pc.index(counts.field("counts"), most := pc.max(counts.field("counts"))).as_py()
    told = {
        "route": route.number,
        "lanes": [[lane.query, lane.name] for lane in route.lanes],
        "of": of,
        "bucket": bucket - route.buckets(of).start,
        "events": len(column),
        "keys": len(counts),
        "by": attributes(route),
        "key": shown_key(counts.field("values")[place].as_py()),
        "most": most.as_py(),
    }
    return json.dumps(told, separators=(",", ":"))


def shown_key(value: object) -> str:
    """Return a key as a query would write it, cut where it is long.

    >>> shown_key("ann"), shown_key(7), shown_key(None), len(shown_key("x" * 1000))
    ('"ann"', '7', 'null', 60)
    """
    plain = value if value is None or isinstance(value, str | int | float) else str(value)
    text = json.dumps(plain[:LONGEST] if isinstance(plain, str) else plain, ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _keys(route: Route, table: Table) -> Any:  # a column; pyarrow has no types
    """Return the keys by which rows came to their bucket; what is given to every bucket has none."""
    names = attributes(route)
    if len(names) == 1 and not route.multiplies:
        return _column(table, names[0])
    each = [_column(table.filter(mask), name) for name, mask in _by_attribute(route, table)]
    kinds = {one.type for one in each}
    alike = each if len(kinds) == 1 else [one.cast(pa.string()) for one in each]
    return pa.chunked_array([chunk for one in alike for chunk in one.chunks], alike[0].type)


def _by_attribute(route: Route, table: Table) -> Iterator[tuple[str, Any]]:
    """Yield each attribute of the key with the rows that came by it: all but those that are marked."""
    kinds = table.column(TYPE)
    for name in attributes(route):
        own = sorted(kind for kind, names in (route.key or {}).items() if name in names)
        mask = pc.is_in(kinds, value_set=pa.array(own, pa.string()))
        if ANY_TYPE in own:
            others = sorted(set(route.key or {}) - set(own))
            mask = pc.invert(pc.is_in(kinds, value_set=pa.array(others, pa.string())))
        mark = field_column(mark_of(name))
        yield name, pc.and_(mask, pc.is_null(table.column(mark))) if mark in table.schema.names else mask


def _column(table: Table, name: str) -> Any:
    column = field_column(name)
    if column not in table.schema.names:
        return pa.chunked_array([pa.nulls(table.num_rows, pa.string())])
    found = table.column(column)
    return found if isinstance(found, pa.ChunkedArray) else pa.chunked_array([found])
