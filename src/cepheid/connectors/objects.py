"""Events from Python: `Event` objects, whose times are in ticks, and mappings such as `{"type": "A", "time": 12}`."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from cepheid.connectors.chunks import Chunk, Gathering
from cepheid.connectors.column_trials import ColumnTrial, trial_of
from cepheid.connectors.columns import Columns
from cepheid.connectors.missing_columns import watched
from cepheid.connectors.records import FormSeen, Reading, Record, event_maker, kind_of, time_as_given
from cepheid.connectors.rejects import Refused, refused
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import (
    MAX_TIME,
    MIN_TIME,
    PLAIN,
    TICKS_PER_UNIT,
    Calendar,
    Event,
    EventId,
    Form,
    Value,
    exact_ticks,
    plain_event,
    plain_json,
    plain_name,
    plain_point,
    plain_value,
    python_own,
    time_reader,
)
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER

_OWN = frozenset({int, float, str})
_AS_THEY_ARE = PLAIN - {str}
_MOST_NAMES = 1000
Glance = tuple[str, int, EventId, dict[str, Value]]
"""The type of an event, its time in ticks, its id, and the dictionary that says them."""


@dataclass(frozen=True, slots=True)
class Objects:
    """Objects as they were given; the first of them has the index `first` among all."""

    first: int
    objects: Sequence[object]

    def place(self, row: int) -> DataPlace:
        return DataPlace(path=(self.first + row,))

    def raw(self, row: int) -> object:
        given = self.objects[row]
        return plain_json({"type": given.type, **given.fields} if isinstance(given, Event) else given)


class ObjectReader:
    """Reads events one by one; it counts them, and knows the form of the first time it saw."""

    def __init__(self, reading: Reading, *, position: int = 0, form: Form | None = None) -> None:
        self.position = position
        self._reading = reading
        self._seen = FormSeen(reading.unit, form or (Calendar.ISO if reading.times is not None else None))
        self._make = event_maker(reading)
        self._own = reading.columns.own
        self._type, self._time = reading.columns.type, reading.columns.time
        # A time is a whole number of ticks, where nobody declared coarser ones.
        self._scale = TICKS_PER_UNIT.get(reading.unit, 0) if reading.tick == 1 else 0
        columns = reading.columns
        self._id = columns.id
        has_more = columns.start is not None or columns.source is not None or bool(columns.order_by)
        self._is_plain = not has_more and not reading.nested and reading.times is None
        # Of the fields of dictionaries that were looked at: those beside type and time.
        self._names: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.glance = self._glancer()

    @property
    def form(self) -> Form:
        return self._seen.found

    def read(self, given: object) -> Event:
        """Return the event that an object says, or raise why it says none."""
        try:
            return self.read_next(given)
        except Refused as reason:
            raise CepheidError(reason.diagnostic) from None

    def read_next(self, given: object) -> Event:
        """Return the event that an object says; what says none is `Refused`, and counts as well."""
        self.position += 1
        # What was looked at before has a form.
        if type(given) is dict and self.glance(given) is not None:
            return self._make(given.copy(), self.position)
        if isinstance(given, Event):
            self._seen.form = self._seen.form or "us"
            event = _checked(given)
            return event if event.number is not None else replace(event, number=self.position)
        if not isinstance(given, Mapping):
            message = f"expected an event or a mapping, got `{kind_of(given)}`"
            raise Refused(Diagnostic("bad-event", message, hints=('write `{"type": "A", "time": 12}`',)))
        event = self._make(_record(given, self._own), self.position)
        if self._seen.form is None:
            self._seen.see(time_as_given(given, self._reading.columns.time))
        return event

    def by_column(self, batch: Any) -> ColumnTrial | None:  # a pyarrow.RecordBatch
        """Return what a record batch says in columns, for trial; None where its rows have to be read."""
        return trial_of(batch, self._reading, self._seen.form, self.position)

    def took(self, trial: ColumnTrial) -> None:
        """Note what there is to note of a trial whose events were taken."""
        self.position += trial.rows
        self._seen.form = trial.form
        self._reading.rounding.add(trial.rounding)

    def event_of(self, seen: Glance) -> Event:
        """Return the event that a dictionary says of which this was seen, and which was counted."""
        kind, ticks, name, given = seen
        fields = given.copy()
        del fields[self._type], fields[self._time]
        return plain_point(kind, ticks, name, fields, None if self._id is None else self.position)

    def _glancer(self) -> Callable[[dict[str, Any]], Glance | None]:  # whatever somebody pushes
        """Return what says of an event that has no more than a type, a time, perhaps an id, and plain fields, these.

        It says None of one that has to be read, because it may say more, or nothing at all.
        """
        # What is looked at for every event is bound once.
        known, type_column, time_column, id_column, scale = self._names, self._type, self._time, self._id, self._scale

        def glance(given: dict[str, Any]) -> Glance | None:
            names = known.get(tuple(given))
            if names is None:
                names = self._known(tuple(given))
                if names is None:
                    return None
            for field in names:
                value = given[field]
                kind = type(value)
                if kind is int:
                    if not LEAST_INTEGER <= value <= GREATEST_INTEGER:
                        return None
                elif kind is str:
                    if not value.isascii():
                        return None
                elif kind is not float and kind not in _AS_THEY_ARE:
                    return None
            type_, time = given[type_column], given[time_column]
            ticks = time * scale if type(time) is int else exact_ticks(time, scale) if type(time) is float else None
            if type(type_) is not str or not type_.isascii() or ticks is None or not MIN_TIME < ticks < MAX_TIME:
                return None
            if id_column is None:
                return type_, ticks, self.position + 1, given
            name = given[id_column]
            return (type_, ticks, name, given) if type(name) is int or type(name) is str else None

        return glance

    def _known(self, names: tuple[str, ...]) -> tuple[str, ...] | None:
        """Return which fields there are beside type and time, where such dictionaries may be read at a glance."""
        plain = self._is_plain and self._scale and self._seen.form is not None and len(self._names) < _MOST_NAMES
        # Only texts are compared with others: some objects cannot say whether they are equal to anything.
        if not plain or not all(type(name) is str and name.isascii() for name in names):
            return None
        if not {self._type, self._time, self._id or self._type}.issubset(names):
            return None
        return self._names.setdefault(names, tuple([name for name in names if name not in (self._type, self._time)]))

    def read_time(self, time: object) -> int:
        """Return a time in ticks; where events come as `Event` objects it is in ticks already."""
        unit = "us" if self._seen.form == "us" else self._reading.unit
        return time_reader(unit, self._reading.tick, self._reading.rounding)(time)


@dataclass(frozen=True, slots=True)
class ObjectSource:
    """The events that some objects say, `size` of them at a time."""

    objects: Iterable[object]
    reader: ObjectReader
    columns: Columns
    identified: bool
    size: int
    name: str = "events"

    @property
    def form(self) -> Form:
        return self.reader.form

    def outlook(self, _: int = 1) -> None:
        """Nothing is known of objects before they are read."""

    def chunks(self) -> Iterator[Chunk]:
        return watched(self._chunks(), self.columns, self.name)

    def _chunks(self) -> Iterator[Chunk]:
        remaining = iter(self.objects)
        while some := list(islice(remaining, self.size)):
            gathering = Gathering(Objects(self.reader.position, some))
            for row, given in enumerate(some):
                try:
                    gathering.take(self.reader.read_next(given), row)
                except Refused as reason:
                    gathering.refuse(reason, row)
            yield gathering.chunk()


def _checked(event: Event) -> Event:
    try:
        return plain_event(event)
    except CepheidError as error:
        raise refused(error) from None


def _record(given: Mapping[str, object], own: frozenset[str]) -> Record:
    """Return the fields as events hold them; what the event itself is made of is read later."""
    record: dict[str, object] = {}
    try:
        for name, value in given.items():
            known = name if type(name) is str and name.isascii() else plain_name(name)
            if type(value) in _AS_THEY_ARE or (type(value) is str and value.isascii()):
                record[known] = value
            else:
                record[known] = _own(value) if name in own else plain_value(value, (name,))
    except CepheidError as error:
        raise refused(error) from None
    return dict[str, Value](record)  # type: ignore[arg-type]  # times and types of any kind are looked at next


def _own(value: object) -> object:
    """Return what the event itself is made of as Python has it."""
    own = value if type(value) in _OWN else python_own(value)
    return plain_value(own) if type(own) is str else own
