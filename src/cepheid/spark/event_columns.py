"""From a frame to rows that say events: type, start, end and id under names of our own, and the fields that are read.

A row that says no event has a reason. It goes on to the output as it is, and never to a detector.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.connectors import TimeUnit
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.engine import REACH
from cepheid.events import Kind, Templates
from cepheid.spark.template_faults import template_faults
from cepheid.spark.times import TimeForm, time_form

OURS = "__cepheid_"
"""What our own columns begin with, and no column of a frame may."""
TYPE, START, END, ID, SOURCE, ADDRESS = (OURS + name for name in ("type", "start", "end", "id", "source", "address"))
SAID_START, SAID_END, TIE, FIELD = (OURS + name for name in ("said_start", "said_end", "tie_", "field_"))
CORRUPT_RECORD = "_corrupt_record"
FILE = f"{OURS}file"
"""The file that a row comes from, where Spark could not tell any more."""

ORIGIN = f"{OURS}origin"
"""The source of a pipeline that a row comes from."""
PARTITION, OFFSET = f"{OURS}partition", f"{OURS}offset"
"""The partition of its source that a row comes from, which has a clock of its own, and where in it the row stands."""
WAITED_FOR = f"{OURS}waited_for"
"""Says, in a row that is no event, which partitions of its source are waited for, as a list of JSON."""
OF_SOURCES = (FILE, ORIGIN, PARTITION, OFFSET, WAITED_FOR)
_SIGNS = (("%", "%25"), (".", "%2E"), ("`", "%60"))
_KINDS: tuple[tuple[tuple[type[T.DataType], ...], Kind], ...] = (
    ((T.BooleanType,), Kind.BOOL),
    ((T.ByteType, T.ShortType, T.IntegerType, T.LongType), Kind.INT),
    ((T.FloatType, T.DoubleType, T.DecimalType), Kind.FLOAT),
    ((T.StringType,), Kind.STRING),
    ((T.TimestampType, T.TimestampNTZType, T.DateType), Kind.TIME),
)


@dataclass(frozen=True, slots=True)
class EventColumns:
    """The columns of a frame that say what an event is; without `id`, an event is called by a hash of its row.

    Where `query` is given, that column names the query that an event is meant for. `heartbeat` is no column: it is the
    type of rows that are no events, and only tell how late it is.
    """

    type: str = "type"
    time: str = "time"
    start: str | None = None
    id: str | None = None
    source: str | None = None
    order_by: tuple[str, ...] = ()
    query: str | None = None
    heartbeat: str | None = None

    @property
    def needed(self) -> Mapping[str, str]:
        """The columns that must be there, by the options that name them."""
        named = {"type": self.type, "time": self.time, "start": self.start, "id": self.id, "source": self.source}
        named["query"] = self.query
        return {option: name for option, name in named.items() if name is not None}


@dataclass(frozen=True, slots=True)
class EventRows:
    """A frame with our columns beside its own, and what is known about them.

    `fields` are the kinds of the fields that are read, `compared` those of fields that Catalyst compares as we do.
    `numbered`: the ids of events are whole numbers. Where there are `templates`, events are of one of them. Events
    without an id are called by the columns of `called_by`, which has their types.
    """

    frame: DataFrame
    columns: EventColumns
    form: TimeForm
    fields: Mapping[str, Kind]
    compared: Mapping[str, Kind]
    numbered: bool
    templates: Templates | None = None
    called_by: Mapping[str, str] = field(default_factory=dict)

    @property
    def bad(self) -> Column:
        """Whether a row says no event: true or false, and never null."""
        faulty = reduce(or_, (fault for fault, _ in self._faults()))
        return faulty & F.col(WAITED_FOR).isNull() if self.partitioned else faulty

    @property
    def partitioned(self) -> bool:
        """Whether rows come from partitions that have clocks of their own."""
        return WAITED_FOR in self.frame.columns

    @property
    def reason(self) -> Column:
        """Why a row says no event, null where it does; a text for every row would cost, so ask where one is bad."""
        (first, its), *others = self._faults()
        return reduce(lambda chain, fault: chain.when(*fault), others, F.when(first, its))

    def _faults(self) -> Iterator[tuple[Column, Column]]:
        """Yield what may be wrong with a row, and what is told of it then; the first that is true is told."""
        columns, end = self.columns, F.col(END)
        if CORRUPT_RECORD in self.frame.columns:
            yield F.col(CORRUPT_RECORD).isNotNull(), F.lit("the record is malformed")
        yield F.col(TYPE).isNull(), F.lit(f"no type in `{columns.type}`")
        missing = F.when(F.col(quoted(columns.time)).isNull(), F.lit(f"no time in `{columns.time}`"))
        missing = missing.when(self.form.is_far(F.col(SAID_END)), F.lit(f"`{columns.time}` is too far away"))
        yield end.isNull(), missing.otherwise(F.lit(f"`{columns.time}` says no time"))
        if columns.start is not None:
            far = F.when(self.form.is_far(F.col(SAID_START)), F.lit(f"`{columns.start}` is too far away"))
            yield F.col(START).isNull(), far.otherwise(F.lit(f"`{columns.start}` says no time"))
            yield F.col(START) > end, F.lit("it starts after its end")
        if columns.id is not None:
            yield F.col(ID).isNull(), F.lit(f"no id in `{columns.id}`")
        if self.templates is not None:
            yield from template_faults(self.frame.schema, self.templates, F.col(TYPE), columns.heartbeat)

    @property
    def own(self) -> list[str]:
        """The columns that a detector reads; events start where they end, unless a column says otherwise."""
        ties = [f"{TIE}{place}" for place in range(len(self.columns.order_by))]
        source = [SOURCE] if self.columns.source is not None else []
        address = [ADDRESS] if self.columns.query is not None else []
        start = [START] if self.columns.start is not None else []
        partition = [PARTITION, WAITED_FOR] if self.partitioned else []
        return [TYPE, *start, END, ID, *source, *address, *partition, *ties, *map(field_column, self.fields)]


def event_rows(
    frame: DataFrame,
    columns: EventColumns,
    fields: Sequence[str],
    unit: TimeUnit,
    tick: int,
    *,
    hashed: bool,
    templates: Templates | None = None,
    reach: int = REACH,
) -> EventRows:
    """Return a frame whose rows say events, with the fields that are read and that it has.

    `hashed`: the ids of events matter, so without a column of ids each row is called by a hash of all it holds. Times
    lie within `reach` of the epoch.
    """
    _refuse_missing(frame, columns)
    refuse_ours(frame)
    schema = {one.name: one for one in frame.schema.fields}
    form = time_form(schema[columns.time], unit, tick, "time", reach)
    there = [name for name in fields if name in schema and name != CORRUPT_RECORD]
    # Ticks have a name of their own before anybody looks at them, so that they are computed once.
    said, times = {SAID_END: form.ticks(F.col(quoted(columns.time)))}, {END: form.checked(F.col(SAID_END))}
    if columns.start is not None:
        began = time_form(schema[columns.start], unit, tick, "start", reach)
        said[SAID_START] = began.ticks(F.col(quoted(columns.start)))
        times[START] = began.checked(F.col(SAID_START))
    ours = {
        TYPE: F.col(quoted(columns.type)).cast("string"),
        **times,
        ID: _id(frame, columns, hashed),
        **({SOURCE: F.col(quoted(columns.source)).cast("string")} if columns.source is not None else {}),
        **({ADDRESS: F.col(quoted(columns.query)).cast("string")} if columns.query is not None else {}),
        **{f"{TIE}{place}": F.col(quoted(name)) for place, name in enumerate(columns.order_by)},
        **{field_column(name): F.col(quoted(name)) for name in there},
    }
    marked = frame.withColumns(said).withColumns(ours)
    kinds = {name: kind_of_type(schema[name].dataType) for name in there}
    numbered = columns.id is not None and kind_of_type(schema[columns.id].dataType) is Kind.INT
    # Decimals become floats on their way to a detector, and nobody rounds them in quite the same way.
    compared = {name: kind for name, kind in kinds.items() if not isinstance(schema[name].dataType, T.DecimalType)}
    called_by = {} if columns.id is not None or not hashed else _hashed_columns(frame)
    return EventRows(marked, columns, form, kinds, compared, numbered, templates, called_by)


def field_column(name: str) -> str:
    """Return our column for a field; Spark takes some signs in the name of a column for its own.

    >>> field_column("user"), field_column("a.b")
    ('__cepheid_field_user', '__cepheid_field_a%2Eb')
    """
    for sign, told in _SIGNS:
        name = name.replace(sign, told)
    return FIELD + name


def field_of(column: str) -> str:
    """Return the field that a column of ours is for; any other column is as it is.

    >>> field_of("__cepheid_field_a%2Eb"), field_of("__cepheid_type")
    ('a.b', '__cepheid_type')
    """
    if not column.startswith(FIELD):
        return column
    name = column.removeprefix(FIELD)
    for sign, told in reversed(_SIGNS):
        name = name.replace(told, sign)
    return name


def kind_of_type(data_type: T.DataType) -> Kind:
    """Return the kind of the values of a column."""
    return next((kind for types, kind in _KINDS if isinstance(data_type, types)), Kind.ANY)


def record_of(frame: DataFrame) -> Column:
    """Return a row as the text it was, or else as JSON."""
    names = [name for name in frame.columns if not name.startswith(OURS) and name != CORRUPT_RECORD]
    whole = F.to_json(F.struct(*(F.col(quoted(name)) for name in names)))
    return F.coalesce(F.col(CORRUPT_RECORD), whole) if CORRUPT_RECORD in frame.columns else whole


def _id(frame: DataFrame, columns: EventColumns, hashed: bool) -> Column:
    if columns.id is not None:
        column, kind = F.col(quoted(columns.id)), kind_of_type(frame.schema[columns.id].dataType)
        return column.cast("long") if kind is Kind.INT else column.cast("string")
    if not hashed:
        return F.lit("")
    every = [F.col(quoted(name)) for name in _hashed_columns(frame)]
    halves = (F.xxhash64(F.lit(half), *every) for half in (1, 2))
    return F.lower(F.concat(*(F.lpad(F.hex(half), 16, "0") for half in halves)))


def _hashed_columns(frame: DataFrame) -> Mapping[str, str]:
    """Return the columns that a row is called by, with their types."""
    types = {name: frame.schema[name].dataType for name in sorted(frame.columns) if name not in (FILE, WAITED_FOR)}
    return {name: kind.simpleString() for name, kind in types.items() if _is_hashable(kind)}


def _is_hashable(data_type: T.DataType) -> bool:
    return not isinstance(data_type, T.MapType | T.VariantType)


def _refuse_missing(frame: DataFrame, columns: EventColumns) -> None:
    for option, name in (*columns.needed.items(), *(("order_by", name) for name in columns.order_by)):
        if name not in frame.columns:
            closest = close_match(name, frame.columns)
            hint = f'did you mean `detect(events, query, {option}="{closest}")`?' if closest else _there(frame, option)
            message = f"the frame has no column `{name}`, which says the {option} of events"
            raise CepheidError(Diagnostic("missing-column", message, hints=(hint,)))


def refuse_ours(frame: DataFrame) -> None:
    """Refuse a frame with columns that are called like ours."""
    for name in frame.columns:
        if name.casefold().startswith(OURS) and name not in OF_SOURCES:
            message = f"the column `{name}` has a name that is kept for our own columns"
            hint = f'call it otherwise: `events.withColumnRenamed("{name}", "{name.lstrip("_")}")`'
            raise CepheidError(Diagnostic("reserved-column", message, hints=(hint,)))


def _there(frame: DataFrame, option: str) -> str:
    first = frame.columns[0] if frame.columns else "column"
    return f'name one of its columns: `detect(events, query, {option}="{first}")`'


def quoted(name: str | None) -> str:
    """Return the name of a column as Spark takes it, whatever is in it."""
    return f"`{(name or '').replace('`', '``')}`"
