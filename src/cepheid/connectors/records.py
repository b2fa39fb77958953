"""A record becomes an event: its columns of type, time, start and id are taken out or read, the rest are fields."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from cepheid.connectors.columns import Columns
from cepheid.connectors.notes import InputNotes
from cepheid.connectors.rejects import Refused, refused
from cepheid.connectors.written_times import WrittenTimes
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import Calendar, Event, EventId, Form, ReadTime, Rounding, TimeUnit, Value, form_of, time_reader

Record: TypeAlias = dict[str, Value]
MakeEvent: TypeAlias = Callable[[Record, int], Event]
ReadLine: TypeAlias = Callable[[str], Record | Refused]


@dataclass(frozen=True, slots=True)
class Reading:
    """How events are read: which columns they are in, what unit numbers of time have, how fine time is.

    `fields` are those that somebody will look at; where columns can be left unread, only these are read. None is all.
    `rounding` keeps count of times that were too fine. `lines` reads a line of text, where the input has such, and
    `times` those times that are written in a form of their own; `kind` is what the input holds, whatever it is called.
    `notes` are what is worth knowing beside the events.
    """

    columns: Columns = Columns()  # noqa: RUF009
    unit: TimeUnit = "s"
    tick: int = 1
    fields: frozenset[str] | None = None
    rounding: Rounding = field(default_factory=Rounding, compare=False)
    lines: ReadLine | None = field(default=None, compare=False)
    times: WrittenTimes | None = field(default=None, compare=False)
    kind: str | None = None
    notes: InputNotes = field(default_factory=InputNotes, compare=False)

    @property
    def is_told(self) -> bool:
        """Whether somebody said what the input holds, so that names of files need not."""
        return self.lines is not None or self.kind is not None

    def reads(self, name: str) -> bool:
        """Say whether somebody looks at this column, or at something inside of it."""
        if self.fields is None or name in self.fields or name in self._named:
            return True
        return any(path[0] == name for _, path in self.nested)

    @property
    def _named(self) -> tuple[str, ...]:
        return (self.columns.type, *self.columns.needed, *self.columns.order_by)

    @property
    def nested(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Names such as `geo.city`, which are found inside of records where no column is called so, and their parts."""
        names = dict.fromkeys((*self._named, *sorted(self.fields or ())))
        return tuple((name, tuple(name.split("."))) for name in names if "." in name)

    @property
    def read_time(self) -> ReadTime:
        reader = time_reader(self.unit, self.tick, self.rounding)
        return reader if self.times is None else self.times.reader(reader)


@dataclass(slots=True)
class FormSeen:
    """The form of the time of the first event; what is no time has none, and without an event a column may say it."""

    unit: TimeUnit
    form: Form | None = None
    of_column: Form | None = None

    def begin(self, reading: Reading) -> None:
        """Begin with an input; times that are written in a form of their own are told in ISO 8601."""
        self.unit = reading.unit
        if reading.times is not None:
            self.form = Calendar.ISO

    def see(self, time: object) -> None:
        """Note the time of an event as it was given."""
        if self.form is None:
            self.form = form_of(time, self.unit)

    @property
    def found(self) -> Form:
        return self.form or self.of_column or self.unit


def event_maker(reading: Reading) -> MakeEvent:
    """Return the function that makes an event of a record and its position; it keeps the record as the fields.

    What is no event is `Refused`.

    >>> event_maker(Reading())({"type": "login", "time": 12, "user": "ann"}, 1).fields
    {'user': 'ann'}
    """
    columns, read_time = reading.columns, reading.read_time
    type_column, time_column, otherwise = columns.type, columns.time, columns.otherwise

    def point(record: Record, position: int) -> Event:
        if otherwise is not None and record.get(type_column) is None:
            record[type_column] = otherwise
        try:
            name, time = record.pop(type_column), read_time(record.pop(time_column))
        except KeyError as missing:
            raise _lacking(missing.args[0], record, type_column) from None
        except CepheidError as error:
            raise refused(error, time_column) from None
        if type(name) is not str:
            raise _no_type(name, type_column)
        return Event(name, time, time, position, record)

    make = _maker_of_more(columns, read_time, point) if columns.has_more else point
    return _unfolding(make, reading.nested) if reading.nested else make


def _unfolding(make: MakeEvent, nested: tuple[tuple[str, tuple[str, ...]], ...]) -> MakeEvent:
    """Return the function for events with fields inside of records, which get names with dots."""

    def unfold(record: Record, position: int) -> Event:
        for name, path in nested:
            if name not in record and path[0] in record:
                found = _inside(record, path)
                if found is not _NOTHING:
                    record[name] = found  # type: ignore[assignment]  # a value, as it is something
        return make(record, position)

    return unfold


_NOTHING = object()


def time_as_given(record: Mapping[str, object], column: str) -> object:
    """Return the time of a record as it stands there, which may be inside of another record."""
    if column in record:
        return record[column]
    found = _inside(record, tuple(column.split(".")))
    return None if found is _NOTHING else found


def _inside(value: object, path: tuple[str, ...]) -> object:
    """Return what stands in records inside of each other under these names."""
    for key in path:
        if not isinstance(value, Mapping) or key not in value:
            return _NOTHING
        value = value[key]
    return value


def _maker_of_more(columns: Columns, read_time: ReadTime, point: MakeEvent) -> MakeEvent:
    """Return the function for events with a start, an id, a source or an order of their own."""

    def make(record: Record, position: int) -> Event:
        identity = _identity(record, columns.id, position)
        _name_source(record, columns.source)
        start = _start(record, columns.start, read_time)
        tie = tuple(record.get(column) for column in columns.order_by)
        event = point(record, position)
        begin = event.end if start is None else start
        if begin > event.end:
            raise _reversed(event.type, columns)
        # An id of its own says nothing about when an event came.
        number = None if columns.id is None else position
        return Event(event.type, begin, event.end, identity, event.fields, tie, number=number)

    return make


def _identity(record: Record, column: str | None, position: int) -> EventId:
    if column is None:
        return position
    if column not in record:
        raise _lacking(column, record)
    identity = record[column]
    if isinstance(identity, int | str) and not isinstance(identity, bool):
        return identity
    raise _wrong(f"expected an id, got `{kind_of(identity)}`", column, "an id is a whole number or a string")


def _name_source(record: Record, column: str | None) -> None:
    """Make sure that a record says which source it comes from; a number is a name too."""
    if column is None:
        return
    if column not in record:
        raise _lacking(column, record)
    source = record[column]
    if isinstance(source, bool) or not isinstance(source, int | str):
        raise _wrong(f"expected the name of a source, got `{kind_of(source)}`", column, "a source has a name")
    record[column] = str(source)


def _start(record: Record, column: str | None, read_time: ReadTime) -> int | None:
    if column is None:
        return None
    if column not in record:
        raise _lacking(column, record)
    try:
        return read_time(record.pop(column))
    except CepheidError as error:
        raise refused(error, column) from None


def kind_of(value: object) -> str:
    """Return what a value is called in messages."""
    if value is None:
        return "null"
    return "record" if isinstance(value, Mapping) else type(value).__name__


def _lacking(column: str, record: Record, taken: str = "") -> Refused:
    """Return the reason to refuse a record without `column`; `taken` may have been taken out already."""
    diagnostic = Diagnostic("bad-event", f"there is no `{column}`", hints=(f'add it: `"{column}": 1`',))
    names = (*record, taken) if taken and taken != column else tuple(record)
    return Refused(diagnostic, column, names)


def _reversed(name: str, columns: Columns) -> Refused:
    path = None if columns.start is None else (columns.start,)
    hint = f"swap them: the start is `{columns.start}`, the end is `{columns.time}`"
    message = f"`{name}` starts after it ends"
    return Refused(Diagnostic("bad-interval", message, hints=(hint,), place=DataPlace(path=path)))


def _no_type(value: object, column: str) -> Refused:
    return _wrong(f"expected a type, got `{kind_of(value)}`", column, "a type is a string")


def _wrong(message: str, column: str, hint: str) -> Refused:
    return Refused(Diagnostic("bad-event", message, hints=(hint,), place=DataPlace(path=(column,))))
