"""Rows that are of no template, or have not what its slots ask for, in terms of Spark's columns."""

from collections.abc import Iterator

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.events import SlotKind, Templates

_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_TIMES = (T.TimestampType, T.TimestampNTZType, T.DateType)
_HELD: dict[str, tuple[type[T.DataType], ...]] = {
    "Integer": (*_WHOLE, T.FloatType, T.DoubleType, T.DecimalType),
    "Timestamp": (*_WHOLE, *_TIMES, T.FloatType, T.DoubleType, T.DecimalType),
    "Float": (*_WHOLE, T.FloatType, T.DoubleType, T.DecimalType),
    "String": (T.StringType,),
    "Boolean": (T.BooleanType,),
}


def template_faults(
    schema: T.StructType, templates: Templates, kind: Column, heartbeat: str | None
) -> Iterator[tuple[Column, Column]]:
    """Yield what may be wrong with a row of some type, and what is told of it then."""
    known = [*templates.slots, *([] if heartbeat is None else [heartbeat])]
    unknown = F.concat(F.lit("there is no template `"), kind, F.lit("`"))
    yield ~kind.isin(known), unknown
    for name, slots in templates.slots.items():
        for slot, wanted in slots.items():
            for fault, reason in _slot_faults(schema, name, slot, wanted):
                yield (kind == F.lit(name)) & fault, F.lit(reason)


def _slot_faults(schema: T.StructType, template: str, slot: str, wanted: SlotKind) -> Iterator[tuple[Column, str]]:
    missing = f"`{template}` has no `{slot}`"
    if slot not in schema.names:
        yield F.lit(True), missing
        return
    column, given = F.col(f"`{slot.replace('`', '``')}`"), schema[slot].dataType
    yield column.isNull(), missing
    fault = _mistyped(column, given, wanted)
    if fault is not None:
        yield F.coalesce(fault, F.lit(False)), f"expected `{wanted}`, got `{given.simpleString()}`"


def _mistyped(column: Column, given: T.DataType, wanted: SlotKind) -> Column | None:
    """Return whether a value is not of the type of its slot; None where all are."""
    if wanted.entries is None:
        if not _may_hold(given, wanted.name):
            return F.lit(True)
        return column != F.floor(column) if _may_have_a_fraction(given, wanted.name) else None
    if not isinstance(given, T.ArrayType) or not _may_hold(given.elementType, wanted.name):
        return F.lit(True)
    too_many = F.size(column) > F.lit(wanted.entries)
    if not _may_have_a_fraction(given.elementType, wanted.name):
        return too_many
    return too_many | F.exists(column, lambda entry: entry != F.floor(entry))


def _may_hold(given: T.DataType, wanted: str) -> bool:
    if wanted in _HELD:
        return isinstance(given, _HELD[wanted])
    return wanted == "Any" or not isinstance(given, T.ArrayType | T.MapType | T.StructType)


def _may_have_a_fraction(given: T.DataType, wanted: str) -> bool:
    """Say whether a column of numbers may have fractions, and its slot may not."""
    return wanted in ("Integer", "Timestamp") and isinstance(given, T.FractionalType)
