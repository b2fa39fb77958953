"""Times between Spark's columns and ticks: what a column says comes out again in the form in which it came."""

from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.connectors import TICKS_PER_UNIT, TimeUnit
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import MAX_TIME, MIN_TIME

_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
_DAY = 86_400_000_000


@dataclass(frozen=True, slots=True)
class TimeForm:
    """How a column of a type says times; numbers are in a unit."""

    type: T.DataType
    unit: TimeUnit
    tick: int = 1

    def checked(self, ticks: Column) -> Column:
        """Return ticks where they are a time; null where they are too far away, or between two ticks."""
        inside = (ticks > F.lit(MIN_TIME)) & (ticks < F.lit(MAX_TIME))
        return F.when(inside if self.tick == 1 else inside & (ticks % F.lit(self.tick) == 0), ticks)

    def ticks(self, column: Column) -> Column:
        """Return the ticks that a column says, null where it says none; nobody has looked yet whether they will do."""
        match self.type:
            case T.TimestampType():
                return F.unix_micros(column)
            case T.TimestampNTZType():
                return F.call_function("timestampdiff", F.lit("MICROSECOND"), F.expr(_EPOCH), column)
            case T.DateType():
                return F.unix_date(column).cast("long") * F.lit(_DAY)
            case T.StringType():
                return F.unix_micros(F.try_to_timestamp(column))
            case _:
                return self._number(column)

    def _number(self, column: Column) -> Column:
        scale = TICKS_PER_UNIT[self.unit]
        if isinstance(self.type, _WHOLE):
            return F.try_multiply(column.cast("long"), F.lit(scale).cast("long"))
        real = column.cast("double")
        rounded = F.round(real * F.lit(float(scale)))
        return F.when(rounded / F.lit(float(scale)) == real, rounded).try_cast("long")

    def shown(self, ticks: Column, *, between: bool = False) -> Column:
        """Return ticks in the form of the column; `between`: they may lie between two of its numbers."""
        match self.type:
            case T.TimestampType() | T.DateType() | T.StringType():
                return F.timestamp_micros(ticks)
            case T.TimestampNTZType():
                return F.timestamp_micros(ticks).cast("timestamp_ntz")
            case _:
                return self._shown_number(ticks, between)

    def shown_after(self, ticks: Column, *, between: bool = False) -> Column:
        """Return ticks in the form of the column, rounded up where its numbers are not as fine."""
        if isinstance(self.type, _WHOLE) and not between:
            return F.ceil(ticks / F.lit(float(TICKS_PER_UNIT[self.unit])))
        return self.shown(ticks, between=between)

    def _shown_number(self, ticks: Column, between: bool) -> Column:
        scale = TICKS_PER_UNIT[self.unit]
        if scale == 1 and isinstance(self.type, _WHOLE):
            return ticks
        number = ticks / F.lit(float(scale))
        return F.round(number).cast("long") if isinstance(self.type, _WHOLE) and not between else number


def time_form(field: T.StructField, unit: TimeUnit, tick: int, option: str) -> TimeForm:
    """Return how a column says times, or refuse one that cannot."""
    known = (T.TimestampType, T.TimestampNTZType, T.DateType, T.StringType, T.NumericType)
    if not isinstance(field.dataType, known):
        message = f"the column `{field.name}` is of type `{field.dataType.simpleString()}`, which says no time"
        hint = f'name a column of timestamps or numbers: `detect(..., {option}="ts")`'
        raise CepheidError(Diagnostic("bad-time-column", message, hints=(hint,)))
    return TimeForm(field.dataType, unit, tick)
