"""Times between Spark's columns and ticks: what a column says comes out again in the form in which it came."""

from dataclasses import dataclass

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.connectors import TICKS_PER_UNIT, TimeUnit
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import REACH

_WHOLE = (T.ByteType, T.ShortType, T.IntegerType, T.LongType)
_EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
_HOUR, _DAY = 3_600_000_000, 86_400_000_000
_TOLD_APART = float(2**52)  # from here on, numbers of ticks have no fractions
_ONLY_A_DAY = r"^\s*\d{4}-\d\d-\d\d\s*$"
_NO_OFFSET = r"^[^T ]+[T ]\d\d:\d\d(:\d\d(\.\d+)?)?\s*$"
_TOO_FINE = r":\d\d[.]\d{6}"
_NUMBER = r"^\s*[-+]?(\d+(\.\d*)?|\.\d+)([eE][-+]?\d+)?\s*$"
_EXACT = "decimal(38,12)"


@dataclass(frozen=True, slots=True)
class TimeForm:
    """How a column of a type says times; numbers are in a unit, and so are texts that are numbers.

    Times lie within `reach` of the epoch: further away, kernels cannot compute with them.
    """

    type: T.DataType
    unit: TimeUnit
    tick: int = 1
    reach: int = REACH

    def is_far(self, ticks: Column) -> Column:
        """Say whether ticks are too far away."""
        return (ticks <= F.lit(-self.reach)) | (ticks >= F.lit(self.reach))

    def checked(self, ticks: Column) -> Column:
        """Return ticks where they are a time; null where they are too far away, or between two ticks."""
        inside = ~self.is_far(ticks)
        return F.when(inside if self.tick == 1 else inside & (ticks % F.lit(self.tick) == 0), ticks)

    def ticks(self, column: Column) -> Column:
        """Return the ticks that a column says, null where it says none; nobody has looked yet whether they will do."""
        match self.type:
            case T.TimestampType():
                return F.unix_micros(column)
            case T.TimestampNTZType():
                return _ticks_of_day(column.cast("date")) + _ticks_in_day(column)
            case T.DateType():
                return _ticks_of_day(column)
            case T.StringType():
                return self._text(column)
            case _:
                return self._number(column)

    def is_rounded(self, column: Column) -> Column:
        """Say whether what a column says is finer than a microsecond, so that it is rounded."""
        if isinstance(self.type, T.StringType):
            exact = self._exact(column)
            fine = column.rlike(_TOO_FINE + r"\d*[1-9]")
            return F.when(column.rlike(_NUMBER), exact != F.round(exact)).otherwise(fine)
        if self.tick != 1 or not isinstance(self.type, T.FractionalType):
            return F.lit(False)
        scaled = column.cast("double") * F.lit(float(TICKS_PER_UNIT[self.unit]))
        return F.round(scaled) / F.lit(float(TICKS_PER_UNIT[self.unit])) != column.cast("double")

    def _text(self, column: Column) -> Column:
        """Return the ticks that a text says: a number of the unit, or a point in time."""
        exact = self._exact(column)
        rounded = F.floor(exact + F.lit(0.5).cast("decimal(2,1)")).try_cast("long")
        number = rounded if self.tick == 1 else F.when(exact == rounded, rounded)
        return F.when(column.rlike(_NUMBER), number).otherwise(self._moment(column))

    def _exact(self, column: Column) -> Column:
        """Return the ticks that a text with a number says, with what is finer than a tick."""
        return F.try_multiply(F.trim(column).try_cast(_EXACT), F.lit(TICKS_PER_UNIT[self.unit]).cast("decimal(10,0)"))

    def _moment(self, column: Column) -> Column:
        """Return the ticks of a point in time; without an offset it is UTC, whatever the zone of the session."""
        text = F.rtrim(column)
        in_utc = F.when(column.rlike(_NO_OFFSET), F.concat(text, F.lit("Z")))
        in_utc = in_utc.when(column.rlike(_ONLY_A_DAY), F.concat(text, F.lit(" 00:00:00Z")))
        ticks = F.unix_micros(F.try_to_timestamp(in_utc.otherwise(column)))
        if self.tick != 1:
            return F.when(~column.rlike(_TOO_FINE + r"\d*[1-9]"), ticks)
        return ticks + F.when(column.rlike(_TOO_FINE + "[5-9]"), F.lit(1)).otherwise(F.lit(0))

    def _number(self, column: Column) -> Column:
        scale = TICKS_PER_UNIT[self.unit]
        if isinstance(self.type, _WHOLE):
            return F.try_multiply(column.cast("long"), F.lit(scale).cast("long"))
        real = column.cast("double")
        scaled = real * F.lit(float(scale))
        if self.tick != 1:
            rounded = F.round(scaled)
            return F.when(rounded / F.lit(float(scale)) == real, rounded).try_cast("long")
        near = F.when(F.abs(scaled) < F.lit(_TOLD_APART), F.floor(scaled + F.lit(0.5)).cast("double"))
        return near.otherwise(scaled).try_cast("long")

    def shown(self, ticks: Column, *, between: bool = False) -> Column:
        """Return ticks in the form of the column; `between`: they may lie between two of its numbers."""
        match self.type:
            case T.TimestampType() | T.DateType() | T.StringType():
                return F.timestamp_micros(ticks)
            case T.TimestampNTZType():
                seconds = (ticks.cast("decimal(20,0)") / F.lit(10**6)).cast("decimal(18,6)")
                return F.expr(_EPOCH) + F.make_dt_interval(F.lit(0), F.lit(0), F.lit(0), seconds)
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


def _ticks_of_day(day: Column) -> Column:
    return F.unix_date(day).cast("long") * F.lit(_DAY)


def _ticks_in_day(moment: Column) -> Column:
    """Return the ticks since midnight of a timestamp without a zone, whatever the zone of the session."""
    seconds = F.extract(F.lit("SECOND"), moment) * F.lit(10**6)
    minutes = (F.hour(moment) * F.lit(60) + F.minute(moment)).cast("long")
    return minutes * F.lit(_HOUR // 60) + seconds.cast("long")


def time_form(field: T.StructField, unit: TimeUnit, tick: int, option: str, reach: int = REACH) -> TimeForm:
    """Return how a column says times, or refuse one that cannot."""
    known = (T.TimestampType, T.TimestampNTZType, T.DateType, T.StringType, T.NumericType)
    if not isinstance(field.dataType, known):
        message = f"the column `{field.name}` is of type `{field.dataType.simpleString()}`, which says no time"
        hint = f'name a column of timestamps or numbers: `detect(events, query, {option}="ts")`'
        raise CepheidError(Diagnostic("bad-time-column", message, hints=(hint,)))
    return TimeForm(field.dataType, unit, tick, reach)
