"""Rows become events inside Spark's Python workers: as columns for kernels, as objects for the interpreter."""

from collections.abc import Iterable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from cepheid.analysis.keys.roles import AGAIN
from cepheid.connectors import values_of
from cepheid.events import Event, order_key
from cepheid.spark.event_columns import END, FIELD, ID, SOURCE, START, TIE, TYPE, field_column, field_of

Table = Any  # pyarrow has no types: a record batch or a table
Sourced = tuple[Event, str]


def events_of(table: Table) -> list[Sourced]:
    """Return the events that rows say, each with the source it comes from."""
    columns = {name: values_of(table.column(name)) for name in table.schema.names}
    count = table.num_rows
    ties = list(zip(*(columns[name] for name in columns if name.startswith(TIE)), strict=True)) or [()] * count
    named = {field_of(name): values for name, values in columns.items() if name.startswith(FIELD)}
    rows = zip(*named.values(), strict=True) if named else iter([()] * count)
    fields = [{key: one for key, one in zip(named, row, strict=True) if one is not None} for row in rows]
    own = zip(columns[TYPE], columns.get(START, columns[END]), columns[END], columns[ID], fields, ties, strict=True)
    return [
        (Event(*said), str(source or "")) for said, source in zip(own, columns.get(SOURCE, [""] * count), strict=True)
    ]


def in_order(events: Iterable[Sourced]) -> list[Sourced]:
    """Return events in the order in which they are looked at."""
    return sorted(events, key=lambda sourced: order_key(sourced[0]))


def in_order_of_time(table: Table) -> Table:
    """Return rows by the ends of their events."""
    return table.take(pc.sort_indices(table, sort_keys=[(END, "ascending")]))


def of_types(table: Table, types: frozenset[str] | None) -> Table:
    """Return the rows of some types, all where no types are named."""
    if types is None:
        return table
    return table.filter(pc.is_in(table.column(TYPE), value_set=pa.array(sorted(types), pa.string())))


def first_copies(table: Table) -> Table:
    """Return the rows without those that are copies of others, for another role of their events."""
    again = field_column(AGAIN)
    return table.filter(pc.is_null(table.column(again))) if again in table.schema.names else table


def with_plain_names(table: Table) -> Table:
    """Return rows whose fields are columns under their own names."""
    return table.rename_columns([field_of(name) for name in table.schema.names])
