"""The records of one rule: given events of all types and those of the rules that it reads, in the order it sees them.

A rule that counts records needs this where serial numbers of given events are no places: where it is detected by a key,
whose records are counted apart, and where it reads what rules emit.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.algebra.expressions import conjuncts
from cepheid.algebra.programs import EVENT, Rule
from cepheid.algebra.relations import Axis, Difference
from cepheid.algebra.traversal import walk
from cepheid.analysis.closures.told_positions import tells_positions
from cepheid.analysis.plans.plan import RulePlan
from cepheid.engine.kernels.columns.columns import Column, values_of
from cepheid.engine.kernels.columns.fixed_kernels import count_by_key
from cepheid.engine.kernels.columns.packing import roomy
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM, ByRow, RowStore
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.facts.absences import rule_keys
from cepheid.engine.kernels.plans.pattern_stages import ScanShape
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stage_order import in_order
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.event_tables import GIVEN, NOWHERE, SERIAL, SHIFT, unechoed
from cepheid.engine.kernels.tables.given_table import GivenTable
from cepheid.engine.kernels.tables.made_tables import GroupTable, PointTable
from cepheid.engine.kernels.tables.occurrences import Occurrences, View, complete_at, none_of, together
from cepheid.events import MAX_TIME, MIN_TIME, Value

REF, START, END, KNOWN, KIND, PLACE, KEY = range(7)
_NAMES = (EVENT,)
MOST_APART = 1 << 32
"""Where a rule compares places that are farther from each other, its keys are not forgotten."""


class Records(RowStore):
    """Rows in order; their serial numbers stay when older ones are forgotten. Those from `waiting` have none yet.

    `numbers` say for each table which serial number the records have that it holds, from a first one on.
    """

    height = 3
    rows: Data

    def __init__(self, plan: RulePlan, context: Context) -> None:
        self.tables, self.types = context.tables, context.tables.given.types
        self.derived = {one: name for name in sorted(plan.reads_derived) for one in context.sources.get(name, ())}
        self.sources = (GIVEN, *self.derived)
        self.view = View(context.tables, context.lookups, _NAMES, context.standing.places)
        self.per = rule_keys(plan, EVENT)
        self.keys = StageKeys(len(self.per), len(self.per), context)
        scans = [operator for operator in plan.operators if not operator.inputs]
        self.lag = None if any(one.lag is None for one in scans) else max(one.lag or 0 for one in scans)
        self.is_prompt, self.is_told = all(one.prompt for one in scans), tells_positions(plan.rule)
        super().__init__(None, rows=ByRow(np.int64, 7))
        self.base, self.counted, self.since, self.apart = 0, np.zeros(LEAST_ROOM, np.int64), 0, _farthest(plan.rule)
        self.numbers = {source: (0, np.zeros(0, np.int64)) for source in self.sources}
        self.waiting = none_of(1)
        self._news = (0, 0)

    @property
    def unseen(self) -> int:
        """The serial number of the next record."""
        return self.base + self.top

    def news(self, turn: Turn) -> tuple[int, int]:
        """Return the serial numbers of the records that are new in a turn."""
        if self not in turn.scanned:
            first = self.unseen
            turn.scanned[self] = self._taken(turn)
            self._news = (first, self.unseen)
        return self._news

    def reached(self, tables: Mapping[int, int]) -> int:
        """Return before when nothing ends that is still to come, given that for each table."""
        return min(tables[source] for source in self.sources)

    def _taken(self, turn: Turn) -> Occurrences:
        """Give places to what is in its final order now."""
        found = together([self.waiting, *(self._new(source, turn) for source in self.sources)])
        if not self.is_prompt:
            last = int(np.searchsorted(found.end, self.reached(turn.reached), "left"))
            self.waiting, found = found.take(np.arange(last, len(found))), found.take(np.arange(last))
        if len(found):
            found = in_order(found, self.tables, _NAMES)
            self._append(*self.keys.of(found, self.per, self.view))
        return found

    def _new(self, source: int, turn: Turn) -> Occurrences:
        table, (first, last) = self.tables[source], turn.news.get(source, (0, 0))
        if first == last:
            return none_of(1)
        rows, refs = slice(first - table.base, last - table.base), np.arange(first, last) + (source << SHIFT)
        found = Occurrences(table.starts(rows), table.ends(rows), table.known(rows), refs[None, :])
        is_ordered = source == GIVEN or (found.end[1:] >= found.end[:-1]).all()
        return found if is_ordered else found.take(np.argsort(found.end, kind="stable"))

    def _append(self, found: Occurrences, keys: int | Data) -> None:
        self.make_room(len(found))
        serials = np.arange(self.unseen, self.unseen + len(found))
        rows, refs = self.rows[:, self.added(len(found))], found.refs[0]
        certain = found.end if self.is_prompt else complete_at(found.end, self.lag)
        for line, data in ((REF, refs), (START, found.start), (END, found.end), (KEY, keys)):
            rows[line] = data
        rows[KNOWN], rows[KIND] = np.maximum(found.known, certain), self._kinds_of(refs)
        rows[PLACE] = self._counted(rows[KEY]) if self.per else serials
        self._note(refs, serials)

    def _kinds_of(self, refs: Data) -> Data:
        """Return the codes of the types of events."""
        kinds, sources, given = np.zeros(len(refs), np.int64), refs >> SHIFT, self.tables.given
        own = sources == GIVEN
        kinds[own] = given.log.member[refs[own] - given.base]
        for source, name in self.derived.items():
            kinds[sources == source] = self.types[name]
        return kinds

    def _counted(self, keys: Data) -> Data:
        """Count records in, and return the place of each among those of its key."""
        if len(self.keys) > len(self.counted):
            more = np.full(roomy(len(self.keys)) - len(self.counted), self.since)
            self.counted = np.concatenate([self.counted, more])
        places = np.zeros(len(keys), np.int64)
        compiled(count_by_key)(keys.astype(np.int32), np.ones(len(keys), np.bool_), self.counted, places)
        return places

    def _note(self, refs: Data, serials: Data) -> None:
        """Note which serial numbers some events have as records."""
        sources = refs >> SHIFT
        for source in np.unique(sources).tolist():
            own = sources == source
            events, (first, numbers) = refs[own] & SERIAL, self.numbers[source]
            most = int(events.max()) + 1 - first
            if most > len(numbers):
                numbers = np.concatenate([numbers, np.full(roomy(most) - len(numbers), -1, np.int64)])
                self.numbers[source] = (first, numbers)
            numbers[events - first] = serials[own]

    def places(self, refs: Data) -> Data:
        """Return the first and the last place of occurrences, and the serial number of one of their records.

        All records of an occurrence have one key, so that any of them tells it.
        """
        count = refs.shape[1]
        found = np.stack([np.full(count, NOWHERE), np.full(count, -1), np.full(count, -1)])
        for line in refs:
            sources = np.where(line >= 0, unechoed(line) >> SHIFT, -1)
            for source in np.unique(sources[line >= 0]).tolist():
                own = np.flatnonzero(sources == source)
                low, high, serial = self._placed(source, line[own] & SERIAL)
                found[0, own] = np.minimum(found[0, own], low)
                found[1:, own] = np.maximum(found[1:, own], (high, serial))
        return found

    def _placed(self, source: int, serials: Data) -> Data:
        table = self.tables[source]
        if isinstance(table, GroupTable):
            return table.places[:, serials - table.base]
        if isinstance(table, PointTable):
            return np.stack([np.full(len(serials), NOWHERE), *np.full((2, len(serials)), -1)])
        first, numbers = self.numbers[source]
        own = numbers[serials - first]
        return np.stack([*(self.rows[PLACE, own - self.base],) * 2, own])

    def coming(self, time: int, places: Data) -> Data:
        """Return for occurrences before which place nothing is that ends at a time or later, and is still to come.

        What has been forgotten waits for nothing.
        """
        first = int(np.searchsorted(self.rows[END, : self.top], time, "left"))
        if not self.per:
            return np.full(places.shape[1], self.base + first)
        ahead = self.counted.copy()
        keys, numbers = self.rows[KEY, first : self.top][::-1], self.rows[PLACE, first : self.top][::-1]
        ahead[keys] = numbers
        rows = places[2] - self.base
        return np.where(rows >= 0, ahead[self._keys_at(rows)], NOWHERE)

    def _keys_at(self, rows: Data) -> Data:
        """Return the keys of some records, 0 in the place of those that have been forgotten; there may be no others."""
        there = rows >= 0
        found = np.zeros(len(rows), np.int64)
        found[there] = self.rows[KEY, rows[there]]
        return found

    def settled(self, place: Data, places: Data, /) -> Data:
        """Return when it was certain what stands at a place under the key of each occurrence.

        What is no more remembered was certain long ago; at the end of the input the rest will never be there.
        """
        greatest = max(self.rows[PLACE, : self.top].max(initial=0), place.max(initial=0))
        keys, stride = self._keys_at(places[2] - self.base), int(greatest) + 1
        codes = self.rows[KEY, : self.top] * stride + self.rows[PLACE, : self.top]
        order = np.argsort(codes, kind="stable")
        spots = np.minimum(np.searchsorted(codes, keys * stride + place, sorter=order), max(self.top - 1, 0))
        found = self.rows[KNOWN, order[spots]]
        is_there = codes[order[spots]] == keys * stride + place
        unseen = place >= (self.counted[keys] if self.per else self.unseen)
        return np.where(is_there, found, np.where(unseen, MAX_TIME, MIN_TIME))

    def one_of(self, places: Data) -> Data:
        """Return an event of each occurrence that is a record."""
        return np.where(places[2] >= self.base, self.rows[REF, np.maximum(places[2] - self.base, 0)], -1)

    # What chains ask for, of a table of given events or of this.

    def kinds(self, rows: Rows | slice) -> Data:
        """Return the codes of the types of some records."""
        found: Data = self.rows[KIND][rows]
        return found

    def starts(self, rows: Rows | slice) -> Data:
        found: Data = self.rows[START][rows]
        return found

    def ends(self, rows: Rows | slice) -> Data:
        found: Data = self.rows[END][rows]
        return found

    def known(self, rows: Rows | slice) -> Data:
        found: Data = self.rows[KNOWN][rows]
        return found

    def read(self, name: str, rows: Rows | slice) -> Column:
        return self.tables.read(self.rows[REF][rows], name)

    def refs(self, serials: Data) -> Data:
        """Return the events that some records are."""
        found: Data = self.rows[REF, serials - self.base]
        return found

    def said(self, row: int, words: Words) -> dict[str, Value]:
        """Return what a record says."""
        ref, given = self.rows[REF, row : row + 1], self.tables.given
        if ref[0] >> SHIFT == GIVEN:
            return given.said(int(ref[0]) - given.base, words)
        return {name: values_of(self.tables.read(ref, name), words)[0] for name in given.names}

    def drop(self, least: Data) -> None:
        """Forget the records before all that are needed; those of each table are from a serial number on."""
        kept = self.unseen
        for source, (first, numbers) in self.numbers.items():
            noted = int(np.flatnonzero(numbers >= 0).max(initial=-1)) + 1
            begin = min(max(int(least[source]) - first, 0), noted)
            some = numbers[begin:noted]
            kept = min(kept, int(some[some >= self.base].min(initial=kept)))
            self.numbers[source] = (first + begin, some.copy())
        self.keep(slice(kept - self.base, self.top))
        self.base = kept
        if self.per and not self.is_told and self.apart < MOST_APART:
            self._forget_keys()

    def _forget_keys(self) -> None:
        """Forget the keys that no record has any more.

        They begin to count anew, so far from all places before that nothing which is over can take what comes for near.
        """
        before, keys = self.keys.known, self.rows[KEY, : self.top].astype(np.int32)
        used = np.unique(keys)
        self.rows[KEY, : self.top] = self.keys.forgotten(keys)
        if self.keys.known != before:
            counted, self.since = self.counted[used], int(self.counted[:before].max()) + self.apart
            self.counted[:] = self.since
            self.counted[: len(counted)] = counted

    def written(self) -> dict[str, Entry]:
        own: dict[str, Entry] = {"base": self.base, "counted": self.counted, "begin": self.since}
        for source, (first, numbers) in self.numbers.items():
            own |= {f"first {source}": first, f"numbers {source}": numbers}
        return {**super().written(), **own, **named("waiting", self.waiting.written()), **self.keys.written()}

    def take_up(self, entries: Mapping[str, Any], keys: int = 1) -> None:
        super().take_up(entries, keys)
        self.keys.take_up(entries)
        self.waiting = Occurrences.of(under("waiting", entries))
        self.base, self.counted, self.since = entries["base"], entries["counted"].copy(), entries["begin"]
        self.numbers = {one: (entries[f"first {one}"], entries[f"numbers {one}"].copy()) for one in self.sources}


def _farthest(rule: Rule) -> int:
    """Return more places than there can be between two that the pattern of a rule finds near."""
    nodes = list(walk(rule.pattern))
    limits = [one for one in nodes if isinstance(one, Difference) and one.later.axis is Axis.POSITION]
    return len(nodes) + sum(abs(one.low or 0) + abs(one.high or 0) for one in limits)


Recorded = GivenTable | Records
"""What chains read records from: the table of what is given, where its serial numbers are places, or records."""


def records_of(context: Context) -> Recorded:
    """Return what a rule reads records from."""
    return context.standing if isinstance(context.standing, Records) else context.tables.given


def news_of(records: Recorded, turn: Turn) -> tuple[int, int]:
    """Return the serial numbers of the records that are new in a turn."""
    return records.news(turn) if isinstance(records, Records) else turn.news[GIVEN]


def reached_by(records: Recorded, tables: Mapping[int, int]) -> int:
    """Return before when no record ends that is still to come, given that for each table."""
    return records.reached(tables) if isinstance(records, Records) else tables[GIVEN]


class RecordStage(Stage):
    """The records of some types that satisfy a condition; no types: all of them."""

    def __init__(self, shape: ScanShape, records: Records, context: Context) -> None:
        self.records, self.conditions, self.view = records, tuple(conjuncts(shape.where)), context.view(shape)
        self.codes = [records.types[name] for name in sorted(shape.types)]

    def reached(self, tables: Mapping[int, int]) -> int:
        return self.records.reached(tables)

    def found(self, turn: Turn) -> Occurrences:
        first, last = (serial - self.records.base for serial in self.records.news(turn))
        rows = self.records.rows[:, first:last]
        if self.codes:
            rows = rows[:, np.isin(rows[KIND], self.codes)]
        # Rows that are kept are copied, since those of the records move when older ones are forgotten.
        found = Occurrences(rows[START].copy(), rows[END].copy(), rows[KNOWN].copy(), rows[REF][None, :].copy())
        return self.view.satisfying(found, self.conditions)
