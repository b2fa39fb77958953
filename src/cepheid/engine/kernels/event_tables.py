"""Events that rules read, in tables of columns: one for what is given, one for each rule whose events others read.

An event is called by a reference: the number of its table, and its serial number there. Serial numbers stay when older
events are forgotten. What is no event at all, such as the part of a branch that was not taken, is called -1.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np

from cepheid.algebra.matches import match_id
from cepheid.engine.kernels.batches import START, TIE, Batch
from cepheid.engine.kernels.columns import Column, Kind, column_of, nulls, values_of
from cepheid.engine.kernels.compiled import compiled
from cepheid.engine.kernels.event_log import LEAST_ROOM, EventLog, LogColumn
from cepheid.engine.kernels.gathering import gathered
from cepheid.engine.kernels.packing import packed, roomy
from cepheid.engine.kernels.pattern_stages import StagedShape, names_of
from cepheid.engine.kernels.stage_sources import REST_ON, ROWS
from cepheid.engine.kernels.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.words import Words
from cepheid.events import EventId, Value, id_key

SHIFT = 48
SERIAL = (1 << SHIFT) - 1
GIVEN = 0
_NO_KEY = np.zeros((1, 1), np.int32)


class GivenTable:
    """The given events of some types, in the order in which rules see them; with `every`, those of all types.

    `counts`: every event is told at its place, which is its serial number.
    """

    def __init__(
        self, types: Iterable[str], fields: Iterable[str], *, last: bool, every: bool = False, counts: bool = False
    ) -> None:
        self.types = {name: number for number, name in enumerate(sorted(types), 1)}
        self.log = EventLog([*sorted(fields), *([START] if last else []), TIE], 0)
        self.base, self.every, self.counts = 0, every, counts
        # Simultaneous events came in another order than their ids have.
        self.unordered = False
        self._codes: dict[tuple[str | None, ...], Data] = {}

    @property
    def lasts(self) -> bool:
        """Can its events be more than points?"""
        return START in self.log.fields

    @property
    def unseen(self) -> int:
        """The serial number of the next event that rules will see; where it counts, its place in the stream."""
        return self.base + self.log.done

    def append(self, batch: Batch, words: Words, *, sorts: bool) -> None:
        """Add the events of a batch that are of use; there must be room. `sorts`: they are put in order later."""
        table = self._codes_of(batch)
        codes = table[batch.codes]
        if self.every or table[:-1].all():
            rows = np.arange(len(batch), dtype=np.int32)
        else:
            rows = np.flatnonzero(codes).astype(np.int32)
            codes = codes[rows]
        if not len(rows):
            return
        first = self.log.top
        self.log.append(batch, rows, codes, _NO_KEY, words)
        if not sorts and not batch.in_order:
            self.unordered = self.unordered or not self._is_ordered(max(first - 1, 0))

    def news(self, frontier: int | None) -> tuple[int, int]:
        """Return the serial numbers of what rules see now and did not before; None: all that came."""
        log = self.log
        if frontier is not None:
            log.sort()
        first, last = log.done, log.top if frontier is None else log.ready(frontier)
        log.finish(last)
        return self.base + first, self.base + last

    def drop(self, serial: int, room: int) -> None:
        """Forget what comes before a serial number, and make so much room."""
        log = self.log
        rows = min(max(serial - self.base, 0), log.done)
        count = log.top - rows
        log.resize(slice(rows, log.top), log.room if count + room <= log.room else roomy(count + room))
        self.base += rows

    def present(self, first: int, last: int) -> Mask:
        """Return for every code whether an event of that type is among some serial numbers."""
        found: Mask = np.bincount(self.log.member[first - self.base : last - self.base], minlength=1) > 0
        return found

    def read(self, name: str, rows: Rows | slice) -> Column:
        found = self.log.fields.get(name)
        return nulls(_count(rows)) if found is None else found.read(rows)

    def ends(self, rows: Rows | slice) -> Data:
        return _taken(self.log.time, rows)

    def starts(self, rows: Rows | slice) -> Data:
        return _taken(self.log.fields[START].data if self.lasts else self.log.time, rows)

    def known(self, rows: Rows | slice) -> Data:
        """Return when events were certain: when they came, or where places count when nothing could come before."""
        return self.ends(rows) + 1 if self.counts else self.ends(rows)

    def order_key(self, row: int, words: Words) -> tuple[object, ...]:
        """Return the place of an event in the total order."""
        tie = self.log.fields[TIE].one(row, words)
        return (int(self.log.time[row]), False, () if tie is None else tie, id_key(self.id(row, words)))

    def id(self, row: int, words: Words) -> EventId:
        found = self.log.ids.one(row, words)
        assert isinstance(found, int | str)
        return found

    def _codes_of(self, batch: Batch) -> Data:
        types = tuple(batch.types)
        if types not in self._codes:
            codes = [0 if name is None else self.types.get(name, 0) for name in types]
            self._codes[types] = np.array([*codes, 0], np.uint32)
        return self._codes[types]

    def _is_ordered(self, first: int) -> bool:
        """Say whether the rows from one on are in the total order."""
        log = self.log
        times = log.time[first : log.top]
        level = np.flatnonzero(times[1:] == times[:-1]) + first
        if not len(level):
            return True
        if log.ids.kind is not Kind.INT or log.fields[TIE].kind is not Kind.NULL:
            return False
        return bool((log.ids.data[level + 1] > log.ids.data[level]).all())


class DerivedTable:
    """The events that the matches of one rule are, with the events that each is made of."""

    lasts = True

    def __init__(self, shape: StagedShape, width: int) -> None:
        self.shape, self.rule, self.version = shape, shape.plan.rule, shape.plan.version
        self.width, self.base, self.top, self.room = width, 0, 0, LEAST_ROOM
        self.times = np.zeros((3, self.room), np.int64)
        self.refs = np.zeros((len(names_of(shape.root)), self.room), np.int64)
        self.grounds = np.zeros((self.room, width), np.int64)
        self.ordinal = np.zeros(self.room, np.int32)
        self.fields = {name: LogColumn(self.room) for name in self.rule.fields}
        self.names: dict[int, str] = {}

    def append(
        self, times: Sequence[Data], refs: Data, grounds: Data | None, values: Mapping[str, Column], words: Words
    ) -> tuple[int, int]:
        """Add matches, and return their serial numbers."""
        first, last = self.top, self.top + refs.shape[1]
        if last > self.room:
            self._resize(slice(0, self.top), roomy(last))
        for number, some in enumerate(times):
            self.times[number, first:last] = some
        self.refs[:, first:last] = refs
        self.ordinal[first:last] = 0
        if grounds is not None:
            self.grounds[first:last] = grounds
        for name, column in self.fields.items():
            column.put(first, values[name], words)
        self.top = last
        return self.base + first, self.base + last

    def drop(self, serial: int) -> None:
        """Forget what comes before a serial number."""
        rows = min(max(serial - self.base, 0), self.top)
        if rows:
            self._resize(slice(rows, self.top), self.room)
            self.base, self.top = self.base + rows, self.top - rows
            self.names = {one: name for one, name in self.names.items() if one >= self.base}

    def read(self, name: str, rows: Rows | slice) -> Column:
        found = self.fields.get(name)
        return nulls(_count(rows)) if found is None else found.read(rows)

    def starts(self, rows: Rows | slice) -> Data:
        return _taken(self.times[0], rows)

    def ends(self, rows: Rows | slice) -> Data:
        return _taken(self.times[1], rows)

    def known(self, rows: Rows | slice) -> Data:
        return _taken(self.times[2], rows)

    def _resize(self, kept: slice, room: int) -> None:
        for name in ("times", "refs", "ordinal"):
            setattr(self, name, packed(getattr(self, name), kept, room))
        grounds = packed(self.grounds.T, kept, room)
        self.grounds = np.ascontiguousarray(grounds.T)
        for column in self.fields.values():
            column.resize(kept, room)
        self.room = room


class Tables:
    """All tables, by their numbers; what is given comes first."""

    def __init__(self, given: GivenTable, words: Words) -> None:
        self.given, self.words = given, words
        self.derived: list[DerivedTable] = []

    def __getitem__(self, source: int) -> GivenTable | DerivedTable:
        return self.given if source == GIVEN else self.derived[source - 1]

    def read(self, refs: Data, name: str) -> Column:
        """Return a field of some events; what is no event has none."""

        def one(source: int, rows: Rows) -> Column:
            return self[source].read(name, rows)

        return self._of(refs, one)

    def starts(self, refs: Data) -> Column:
        return self._of(refs, lambda source, rows: Column(Kind.INT, self[source].starts(rows)))

    def ends(self, refs: Data) -> Column:
        return self._of(refs, lambda source, rows: Column(Kind.INT, self[source].ends(rows)))

    def rest_on(self, refs: Data, serials: Data, counts: Data) -> None:
        """Add what each of some events rests on to the serial numbers of given events that others rest on."""
        kernel = compiled(REST_ON)
        if not len(refs):
            return
        for source in range(max(int(refs.min() >> SHIFT), GIVEN), int(refs.max() >> SHIFT) + 1):
            table = self[source]
            grounds = serials if isinstance(table, GivenTable) else table.grounds
            kernel(refs, source, table.base, grounds, serials, counts)

    def id(self, ref: int) -> EventId:
        """Return the id of an event."""
        source, serial = ref >> SHIFT, ref & SERIAL
        if source == GIVEN:
            return self.given.id(serial - self.given.base, self.words)
        table = self.derived[source - 1]
        if serial not in table.names:
            table.names[serial] = self._match_id(table, serial - table.base)
        return table.names[serial]

    def order_key(self, ref: int) -> tuple[object, ...]:
        """Return the place of an event in the total order."""
        source, serial = ref >> SHIFT, ref & SERIAL
        if source == GIVEN:
            return self.given.order_key(serial - self.given.base, self.words)
        table = self.derived[source - 1]
        return (int(table.times[1, serial - table.base]), True, (), id_key(self.id(ref)))

    def _match_id(self, table: DerivedTable, row: int) -> str:
        start, end = int(table.times[0, row]), int(table.times[1, row])
        fields: dict[str, Value] = {name: column.one(row, self.words) for name, column in table.fields.items()}
        identity = tuple(self.id(ref) for ref in table.refs[:, row].tolist() if ref >= 0)
        return match_id(table.version, start, end, fields, identity, int(table.ordinal[row]))

    def _of(self, refs: Data, one: Callable[[int, Rows], Column]) -> Column:
        """Return what each table says about its own events."""
        if not len(refs):
            return nulls(0)
        first = int(refs[0]) >> SHIFT
        rows = np.empty(len(refs), np.int32)
        if first >= 0 and compiled(ROWS)(refs, first, self[first].base, rows):
            return one(first, rows)
        sources = refs >> SHIFT
        values: list[Value] = [None] * len(refs)
        for source in np.unique(sources).tolist():
            if source >= 0:
                places = np.flatnonzero(sources == source)
                own = ((refs[places] & SERIAL) - self[source].base).astype(np.int32)
                told = values_of(one(source, own), self.words)
                for place, value in zip(places.tolist(), told, strict=True):
                    values[place] = value
        return column_of(values, self.words)


def _taken(data: Data, rows: Rows | slice) -> Data:
    return data[rows] if isinstance(rows, slice) else gathered(data, rows)


def _count(rows: Rows | slice) -> int:
    return rows.stop - rows.start if isinstance(rows, slice) else len(rows)


def present_in(column: Column) -> tuple[Data, Mask | None]:
    """Return whole numbers, and where there is one; None: everywhere."""
    if column.kind is Kind.INT:
        return column.data, column.valid
    assert column.kind is Kind.NULL
    return np.zeros(len(column), np.int64), np.zeros(len(column), np.bool_)
