"""Events that rules read, in tables of columns: one for what is given, others for what is made of it.

An event is called by a reference: the number of its table, and its serial number there. Serial numbers stay when older
events are forgotten. What is no event at all, such as the part of a branch that was not taken, is called -1.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

import numpy as np

from cepheid.algebra.expressions import TYPE
from cepheid.algebra.match_ids import match_id
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of, nulls, values_of
from cepheid.engine.kernels.columns.packing import count_of
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.plans.pattern_stages import PLACE
from cepheid.engine.kernels.tables.evidence_kernels import close_up, count_evidence, gather_evidence, rows_of
from cepheid.engine.kernels.tables.given_table import GivenTable
from cepheid.engine.kernels.tables.made_tables import DerivedTable, GroupTable, MadeTable, PointTable
from cepheid.events import EventId, OrderKey, Value, before_arrivals, derived_order, last_arrival

Order = tuple[tuple[object, ...], ...]
SHIFT = 48
SERIAL = (1 << SHIFT) - 1
GIVEN = 0
NOWHERE = 1 << 62
ECHO = 1 << 14
"""Events once more, beside a group that they are in: what they say can be read, and that is all they do."""
_NO_LIST = np.zeros(0, np.int64)


class Tables:
    """All tables, by their numbers; what is given comes first."""

    def __init__(self, given: GivenTable, words: Words) -> None:
        self.given, self.words = given, words
        self.made: list[MadeTable] = []

    def __getitem__(self, source: int) -> GivenTable | MadeTable:
        source &= ECHO - 1
        return self.given if source == GIVEN else self.made[source - 1]

    @property
    def has_only_events(self) -> bool:
        """Say whether nothing but events is in tables: no groups, and no points of time."""
        return all(isinstance(table, DerivedTable) for table in self.made)

    def add(self, table: MadeTable) -> int:
        """Add a table, whose rows are made of events of those that there are, and return its number."""
        self.made.append(table)
        return len(self.made)

    def add_groups(
        self,
        table: GroupTable,
        times: Sequence[Data],
        items: Ragged,
        values: Mapping[str, Column],
        grounds: Ragged | None,
        places_of: Callable[[Data], Data] | None = None,
    ) -> tuple[int, int]:
        """Add groups of items to a table of theirs, and return their serial numbers.

        `places_of` says where events are, where places count.
        """
        places = np.full((len(table.places), len(times[0])), -1)
        places[0] = NOWHERE
        if places_of is not None:
            low, *others = places_of(items.flat[None, :])
            group = np.repeat(np.arange(len(times[0])), np.diff(items.offsets))
            np.minimum.at(places[0], group, low)
            for line, some in enumerate(others, 1):
                np.maximum.at(places[line], group, some)
        return table.append(times, items, values, grounds, places, self.words)

    def places(self, refs: Data) -> Data:
        """Return the first and the last place of occurrences in a stream of which every event was given a number.

        What is beside an occurrence has no place in it.
        """
        if refs.size and refs.min() >= 0 and refs.max() >> SHIFT == GIVEN:
            return np.stack([refs.min(axis=0), refs.max(axis=0)])
        low, high = np.full(refs.shape[1], NOWHERE), np.full(refs.shape[1], -1)
        for line in refs:
            sources = line >> SHIFT
            for source in np.unique(sources[line >= 0]).tolist():
                own, table = np.flatnonzero(sources == source), self[source]
                serials = line[own] & SERIAL
                if isinstance(table, PointTable):
                    continue
                first, last = serials, serials
                if isinstance(table, GroupTable) or (isinstance(table, DerivedTable) and table.placed):
                    first, last = table.places[:, serials - table.base]
                low[own], high[own] = np.minimum(low[own], first), np.maximum(high[own], last)
        return np.stack([low, high])

    def read(self, refs: Data, name: str) -> Column:
        """Return a field of some events; what is no event has none."""
        return self._of(refs, lambda source, rows: self.read_rows(source, name, rows))

    def read_rows(self, source: int, name: str, rows: Rows | slice) -> Column:
        """Return a field of some rows of a table; what a rule emits has a type as well."""
        table = self[source]
        if name == TYPE and isinstance(table, DerivedTable) and TYPE not in table.fields:
            return column_of([table.emits] * count_of(rows), self.words)
        return table.read(name, rows)

    def starts(self, refs: Data) -> Column:
        return self._of(refs, lambda source, rows: Column(Kind.INT, self[source].starts(rows)))

    def ends(self, refs: Data) -> Column:
        return self._of(refs, lambda source, rows: Column(Kind.INT, self[source].ends(rows)))

    def rest_on(self, refs: Data, group: Data | None = None, groups: int = 0) -> Ragged:
        """Return the serial numbers of the given events that occurrences rest on, each once and in order.

        Or those of groups of occurrences, where it is said in which of so many groups each occurrence is.
        """
        group, groups = (np.arange(refs.shape[1]), refs.shape[1]) if group is None else (group, groups)
        begins, counts = np.zeros(groups + 1, np.int64), np.zeros(groups, np.int64)
        refs = refs if self.has_only_events else np.where(refs >> SHIFT >= ECHO, -1, refs)
        for some in refs:
            for source in self._sources(some):
                compiled(count_evidence)(some, source, self[source].base, self._lists(source)[0], group, counts)
        np.cumsum(counts, out=begins[1:])
        serials = np.empty(int(begins[-1]), np.int64)
        counts[:] = 0
        for some in refs:
            for source in self._sources(some):
                own = (source, self[source].base, *self._lists(source))
                compiled(gather_evidence)(some, *own, group, serials, begins, counts)
        offsets = np.empty_like(begins)
        return Ragged(serials[: compiled(close_up)(serials, begins, counts, offsets)], offsets)

    def _sources(self, refs: Data) -> range:
        if not len(refs):
            return range(0)
        return range(max(int(refs.min() >> SHIFT), GIVEN), int(refs.max() >> SHIFT) + 1)

    def _lists(self, source: int) -> tuple[Data, Data]:
        table = self[source]
        return (_NO_LIST, _NO_LIST) if isinstance(table, GivenTable) else (table.grounds.starts, table.grounds.flat)

    def id(self, ref: int) -> EventId:
        """Return the id of an event."""
        source, serial = ref >> SHIFT, ref & SERIAL
        table = self[source]
        if isinstance(table, GivenTable):
            return table.id(serial - table.base, self.words)
        if isinstance(table, PointTable):
            return f"@{table.times[0, serial - table.base]}"
        assert isinstance(table, DerivedTable)
        ahead = [] if serial in table.names else [ref]
        while ahead:  # what a rule that feeds itself emits may be made of its own events many times over
            unnamed = list(self._unnamed(ahead[-1]))
            if not unnamed:
                self._name(ahead.pop())
            ahead += unnamed
        return table.names[serial]

    def _unnamed(self, ref: int) -> Iterator[int]:
        """Yield the derived events right below something that have no ids yet."""
        for one in self.made_of(ref):
            table = self[one >> SHIFT]
            if isinstance(table, GroupTable):
                yield from self._unnamed(one)
            elif isinstance(table, DerivedTable) and one & SERIAL not in table.names:
                yield one

    def _name(self, ref: int) -> None:
        table, serial = self[ref >> SHIFT], ref & SERIAL
        assert isinstance(table, DerivedTable)
        table.names[serial] = self._match_id(table, serial - table.base)

    def made_of(self, ref: int) -> list[int]:
        """Return what something is made of that is made."""
        table = self[ref >> SHIFT]
        return [] if isinstance(table, GivenTable) else table.made_of((ref & SERIAL) - table.base)

    def ids(self, refs: Iterable[int]) -> Iterator[EventId]:
        """Yield the ids of the events that parts are: one, or for a group those of all its items."""
        for ref in refs:
            table = self[ref >> SHIFT] if 0 <= ref < ECHO << SHIFT else None
            if isinstance(table, GroupTable):
                yield from self.ids(table.made_of((ref & SERIAL) - table.base))
            elif table is not None:
                yield self.id(ref)

    def order_key(self, ref: int) -> OrderKey:
        """Return the place of an event in the total order."""
        source, serial = ref >> SHIFT, ref & SERIAL
        table = self[source]
        if isinstance(table, GivenTable):
            return table.order_key(serial - table.base, self.words)
        start, end = map(int, table.times[:2, serial - table.base])
        if not isinstance(table, DerivedTable):
            return before_arrivals(end)
        said = (column.one(serial - table.base, self.words) for column in table.fields.values())
        rests_on = [self.given.order_key(one - self.given.base, self.words) for one in set(self.given_under(ref))]
        parts = [one for one in self.made_of(ref) if not self.is_beside(one) and self._end(one) == end]
        last = max((self.order(one)[0][:4] for one in parts), default=last_arrival(end, rests_on))
        return derived_order(table.number, last, (start, self.id(ref)), said, rests_on)

    def order(self, ref: int) -> Order:
        """Return the places of the events that a part is, latest first."""
        table = self[ref >> SHIFT]
        if not isinstance(table, GroupTable):
            return (self.order_key(ref),)
        return merged(map(self.order, table.made_of((ref & SERIAL) - table.base)))

    def _end(self, ref: int) -> int:
        table, serial = self[ref >> SHIFT], ref & SERIAL
        ends = table.log.time if isinstance(table, GivenTable) else table.times[1]
        return int(ends[serial - table.base])

    def is_beside(self, ref: int) -> bool:
        """Say whether a part has no say in the order of occurrences."""
        table = self[ref >> SHIFT]
        return isinstance(table, GroupTable) and table.beside

    def place(self, ref: int) -> Value:
        """Return the place of the run of a chain among those over the same records."""
        table, row = self.made[(ref >> SHIFT) - 1], (ref & SERIAL) - self[ref >> SHIFT].base
        return table.fields[PLACE].one(row, self.words) if PLACE in table.fields else 0

    def given_under(self, ref: int) -> Iterator[int]:
        """Yield the given events that a part rests on."""
        ahead = [ref]
        while ahead:
            one = ahead.pop()
            if isinstance(self[one >> SHIFT], GivenTable):
                yield one & SERIAL
            ahead += self.made_of(one)

    def _match_id(self, table: DerivedTable, row: int) -> str:
        start, end = int(table.times[0, row]), int(table.times[1, row])
        fields: dict[str, Value] = {name: column.one(row, self.words) for name, column in table.fields.items()}
        identity = tuple(self.ids(table.made_of(row)))
        return match_id(table.version, start, end, fields, identity, int(table.ordinal[row]))

    def _of(self, refs: Data, one: Callable[[int, Rows], Column]) -> Column:
        """Return what each table says about its own events."""
        if not len(refs):
            return nulls(0)
        first = int(refs[0]) >> SHIFT
        rows = np.empty(len(refs), np.int32)
        if first >= 0 and compiled(rows_of)(refs, first, self[first].base, rows):
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


def unechoed(refs: Data) -> Data:
    """Return the events themselves in the place of their echoes."""
    found: Data = np.where(refs < 0, refs, refs & ((ECHO << SHIFT) - 1))
    return found


def merged(orders: Iterable[Order]) -> Order:
    """Return the places of the events of several parts, latest first."""
    return tuple(sorted({key for order in orders for key in order}, reverse=True))


def present_in(column: Column) -> tuple[Data, Mask | None]:
    """Return whole numbers, and where there is one; None: everywhere."""
    if column.kind is Kind.INT:
        return column.data, column.valid
    assert column.kind is Kind.NULL
    return np.zeros(len(column), np.int64), np.zeros(len(column), np.bool_)
