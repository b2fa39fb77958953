"""One rule at work in machine code: rows of the log in, rows of matches out.

Conditions on single events are columns first; they decide which rows the kernel sees as what. Whatever room the kernel
could need is made before it sees a row; only where matches leave no room does it stop, before it has touched the row.
"""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.programs import Table
from cepheid.algebra.relations import Endpoint
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import walk
from cepheid.engine.kernels.columns.batches import Batch
from cepheid.engine.kernels.columns.column_evaluation import Frame, where_true
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.fixed_kernels import SELECT_TYPES, select
from cepheid.engine.kernels.columns.gathering import gathered
from cepheid.engine.kernels.columns.packing import count_of
from cepheid.engine.kernels.columns.row_store import LEAST_ROOM
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.columns.words import KeyMarks, Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.emitting.match_order import complete_groups, ordered_rows
from cepheid.engine.kernels.facts.absence_source import key_columns
from cepheid.engine.kernels.facts.families import Family
from cepheid.engine.kernels.facts.prefilters import constants_of, prefilters
from cepheid.engine.kernels.facts.shapes import Core, Part, Shape, is_whole
from cepheid.engine.kernels.intake.event_log import EventLog
from cepheid.engine.kernels.intake.key_space import KeySpace
from cepheid.engine.kernels.intake.plain_intake import PlainIntake
from cepheid.engine.kernels.intake.suppression import Suppression
from cepheid.engine.kernels.sequences.collect_source import collect_source
from cepheid.engine.kernels.sequences.count_source import count_source
from cepheid.engine.kernels.sequences.graph_source import graph_source, lists_in_order
from cepheid.engine.kernels.sequences.kernel_state import KernelState
from cepheid.engine.kernels.sequences.steps_source import steps_source
from cepheid.events import MIN_TIME

COUNT, STATUS, ABSENT, DOUBT, STOP = 0, 1, 2, 4, 5
FULL = 1
MOST_MATCHES = 1 << 16
MANY_KEYS, MANY_AT_WORK = 1 << 10, 1 << 14
MUCH_ROOM = 1 << 17
KEYS_OF_A_ROW = 2
MOST_AT_ONCE = 1 << 24


class RuleKernel:
    """A rule's log, its keys and the state of its kernel; a family has several lanes of state for each key.

    `most` is how many rows are held at most, where somebody knows.
    """

    lanes = 1

    def __init__(
        self, family: Family, words: Words, marks: KeyMarks, tables: Mapping[str, Table], most: int | None = None
    ) -> None:
        shape = family.shape
        self.family, self.shape, self.words, self.tables = family, shape, words, tables
        width = len(shape.parts[0].keys)
        self.keys = KeySpace(width, len(shape.plan.rule.per), words, marks)
        told = shape.suppressed
        self.suppression = None if told is None else Suppression(told.keys, told.apart, words, marks)
        self.key_columns = key_columns(shape)
        self.pool = pool_of(most)
        self.log = EventLog(
            sorted(_fields_kept(shape)), max(self.key_columns) + 1, prefilters(shape).fields, room=self.pool
        )
        self.log.names_events = shape.core is not Core.COUNT
        self.state = KernelState(shape, self.log.room)
        self.constants = self._constants()
        self.compared = constants_of(family)
        self.checked = frozenset(one.condition for one in prefilters(shape).conditions)
        self.unchecked = [one for one in shape.filters if one not in self.checked]
        self.kernel = compiled(source_of(shape))
        extra = shape.family or shape.collect is not None
        self.out = np.empty((len(shape.parts) + extra, MOST_MATCHES), np.int32)
        self.control = np.zeros(6, np.int64)
        self.intake = PlainIntake(shape, self.keys, words, conditions=False)
        self.more = False  # matches are still to be listed
        self.rule_numbers: tuple[int, ...] = (0,)
        self._rows, self._every = np.empty(0, np.int32), np.empty(0, np.int32)
        self._rows_since = 0  # keys were forgotten
        self._tables: dict[tuple[str | None, ...], Data] = {}

    def take(self, batch: Batch, frontier: int) -> None:
        """Put the events of a batch that are of use into the log; before the frontier nothing more will end."""
        members = self._members_of(batch)
        rows = self._selected(batch, members)
        count = len(rows)
        if not count:
            return
        # Keys that are gone lose their numbers here, so new events are numbered afterwards.
        self.make_room(count, frontier)
        first = self.log.top
        if not self.intake.take(batch, self.log, rows, members):
            rows = self._append(batch, rows, members[batch.codes[rows]], self._frame(batch, rows))
        self.state.begin(first, self.log.top)
        self.state.make_room_for_keys(len(self.keys) * self.lanes)
        self._judge(batch, rows, first)

    def _judge(self, batch: Batch, rows: Rows, first: int) -> None:
        """Note what rows that were written from `first` on are like, where that is not in what they can be."""

    def _selected(self, batch: Batch, members: Data) -> Rows:
        """Return the rows whose types are of use."""
        if members[:-1].all():
            if len(self._every) < len(batch):
                self._every = np.arange(2 * len(batch), dtype=np.int32)
            return self._every[: len(batch)]
        if len(self._rows) < len(batch):
            self._rows = np.empty(len(batch), np.int32)
        kernel = compiled(select, SELECT_TYPES)
        return self._rows[: kernel(batch.codes.view(np.uint32), members, self._rows.view(np.uint32))]

    def _append(self, batch: Batch, rows: Rows, members: Data, frame: Frame) -> Rows:
        """Put rows into the log, each with the parts that it can be, and return those that can be any."""
        members = self._satisfied(members, frame)
        keys = np.zeros((len(self.log.key), len(rows)), np.int32)
        members = self._keyed(members, keys, frame)
        if not members.all():
            used = np.flatnonzero(members)
            rows, members, keys = rows[used], members[used], keys[:, used]
        self.log.append(batch, rows, members, keys, self.words)
        return rows

    def found(self, last: int, stop: int | None = None) -> Iterator[Rows]:
        """Let the kernel see all rows before `last`, and yield the rows of each match, as much as there is room for.

        Rows up to `stop` are complete too, where these are more.
        """
        log, control = self.log, self.control
        control[STOP] = last if stop is None else stop
        if log.done >= last:
            return
        self._make_room_for_matches(last - log.done)
        control[COUNT], control[ABSENT], row = 0, log.done, log.done
        while row < last:
            control[DOUBT] = 0
            row = self.kernel(row, last, log.time, log.key, log.member, *self._arguments(), self.out, control)
            self.more = row < last
            if control[COUNT]:
                yield self.out[:, : control[COUNT]]
                control[COUNT] = 0
            elif control[STATUS] == FULL:
                self.out = np.empty((len(self.out), 2 * self.out.shape[1]), np.int32)
        log.finish(last)

    def found_in_order(self, last: int, stop: int | None = None) -> Iterator[Rows]:
        """Do so in the order in which matches come out: those that end at one time are put in order together."""
        if lists_in_order(self.shape) and self._end_apart(last):
            yield from self.found(last, stop)
            return
        parts, held, doubt = len(self.shape.parts), None, 0
        for rows in self.found(last, stop):
            some = rows if held is None else np.concatenate((held, rows), axis=1)
            done = complete_groups(some, parts, self.log.time) if self.more else some.shape[1]
            doubt |= int(self.control[DOUBT])
            self.control[DOUBT] = doubt
            held = some[:, done:].copy() if done < some.shape[1] else None
            if done:
                yield ordered_rows(some, parts, self.log.time, self.rule_numbers, done)
            doubt = 0 if held is None else doubt
        if held is not None:
            self.control[DOUBT] = doubt
            yield ordered_rows(held, parts, self.log.time, self.rule_numbers)

    def _end_apart(self, last: int) -> bool:
        """Say whether no two rows before `last` that the kernel will see as last events are of one time."""
        rows = slice(self.log.done, last)
        times = self.log.time[rows][self.log.member[rows] >> (len(self.shape.parts) - 1) & 1 == 1]
        return bool((times[1:] != times[:-1]).all())

    @property
    def comes_in_order(self) -> bool:
        """Whether matches are told in the order in which they are found: by their ends, with their last event."""
        rule = self.shape.plan.rule
        return self.shape.core is not Core.COLLECT and not self.shape.absences and is_whole(rule)

    @property
    def open_conditions(self) -> list[Expr]:
        """What the kernel did not make sure of in the matches that it told last."""
        return list(self.shape.filters) if self.control[DOUBT] else self.unchecked

    def make_room(self, count: int, frontier: int) -> None:
        """Make room for so many rows, by packing the log and by letting it grow."""
        if self.log.top + count > self.log.limit:
            self.forget(frontier, count)

    def forget(self, frontier: int, count: int = 0) -> None:
        """Pack the log, so that nothing is held that nothing can come of, and there is room for so many rows.

        Keys are told apart anew after they are forgotten, so that is for when they are many, or are written down.
        """
        log = self.log
        if self.suppression is not None:
            self.suppression.forget(frontier)
        kept = self.state.live(log, self._horizon(frontier))
        limit = self._limit(count_of(kept), count)
        room = max(limit, self.pool)
        self._rows_since += log.top - count_of(kept)
        self.state.pack(log, kept, room)
        log.keep(kept, room)
        log.limit = limit
        if not count or self._many_keys():
            self._forget_keys(MANY_AT_WORK // self.lanes if count else MANY_KEYS)
        self.state.relink(log)

    def _limit(self, kept: int, count: int) -> int:
        """Return how many rows should be used, where some are kept and others come.

        Packing costs as much as what is kept, so that a fifth as many new rows should come before the next time. Where
        every event has a row it should be more: half as many where it is known how many there are at most, since room
        was made for these, and otherwise even more. But memory that has just been used is faster.
        """
        share = kept // 5
        if self.shape.core in (Core.COLLECT, Core.COUNT):
            share = kept + kept // 2 if self.pool == LEAST_ROOM else kept // 2
        wanted = max(LEAST_ROOM, kept + max(share, 3 * count, min(12 * count, MUCH_ROOM)))
        fits = kept + share // 2 + 2 * count <= self.log.limit <= 2 * wanted
        return self.log.limit if fits else wanted

    def live(self, frontier: int) -> int:
        """Return how many events are held because something can still come of them, and keys because of their last."""
        kept = self.state.live(self.log, self._horizon(frontier))
        known = self.log.done if self.shape.collect is None else max(self.log.done, self.log.ready(frontier))
        keys = 0 if self.suppression is None else self.suppression.live(frontier)
        return count_of(kept) - (self.log.top - known) + keys

    def written(self) -> dict[str, Entry]:
        """Return the log, the state of the kernel and the keys by name."""
        state = {"cursors": self.log.cursors, **named("state", self.state.written())}
        suppressed = {} if self.suppression is None else self.suppression.written()
        return {**self.log.written(), **state, **self.keys.written(), **suppressed}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        """Go on from a state that `written` gave."""
        self.log.take_up(entries)
        self.log.cursors[:] = entries["cursors"]
        self.state.take_up(under("state", entries))
        self.keys.take_up(entries)
        if self.suppression is not None:
            self.suppression.take_up(entries)

    @property
    def bytes_of_a_row(self) -> int:
        """How much memory an event takes that is held."""
        return self.log.bytes_of_a_row + self.state.bytes_of_a_row

    def _horizon(self, frontier: int) -> int | None:
        """Return the time before which nothing matters any more, None if everything does."""
        return None if self.shape.keep is None else max(frontier - self.shape.keep, MIN_TIME)

    def _arguments(self) -> list[Data]:
        compared = [self.log.numbers, self.compared] if self.checked or self.shape.collect is not None else []
        return [*self.state.arguments(), *self.constants, *compared]

    def _many_keys(self) -> bool:
        """Say whether looking at all keys costs little for each row that went since somebody did.

        A key may have had a single row, and a row may have brought a number for each expression of its key. How many
        rows went is not written down, so whoever writes down all keys looks at them.
        """
        return KEYS_OF_A_ROW * self.keys.width * self._rows_since >= len(self.keys)

    def _forget_keys(self, many: int) -> None:
        """Drop keys that no event has any more, where there are more than so many."""
        log = self.log
        if len(self.keys) <= many:
            return
        self._rows_since = 0
        seen = np.zeros(len(self.keys), np.bool_)
        seen[log.key[:, : log.top]] = True
        used = np.flatnonzero(seen)
        if not self.keys.keep(used, many):
            return
        numbers = np.zeros(len(seen), np.int32)
        numbers[used] = np.arange(len(used), dtype=np.int32)
        log.key[:, : log.top] = numbers[log.key[:, : log.top]]
        self.state.keep_keys((used[:, None] * self.lanes + np.arange(self.lanes)).reshape(-1))

    def _make_room_for_matches(self, rows: int) -> None:
        if self.shape.core in (Core.SLOTS, Core.QUEUE, Core.COLLECT) and self.lanes == 1 and self.out.shape[1] < rows:
            self.out = np.empty((len(self.out), 2 * rows), np.int32)

    def _members_of(self, batch: Batch) -> Data:
        """Return for every code of a type which parts an event of it can be."""
        types = tuple(batch.types)
        if types not in self._tables:
            self._tables[types] = np.array([*map(self.membership, types), 0], np.uint32)
        return self._tables[types]

    def membership(self, name: str | None) -> int:
        """Return what an event of a type can be."""
        return sum(1 << number for number, part in enumerate(self.shape.scanned) if name in part.types)

    def _constants(self) -> list[Data]:
        """Return what differs between rules of one shape: distances."""
        shape = self.shape
        if shape.core is Core.COUNT:
            return [self.log.cursors, np.array([shape.most[0][-1] or 0], np.int64)]
        if shape.collect is not None:
            return [self.log.cursors, np.array([shape.collect.low, shape.collect.high], np.int64)]
        most = np.array([[one or 0 for one in row] for row in shape.most], np.int64)
        distances = most if shape.core is Core.GRAPH else gaps_of(shape)
        if not shape.absences:
            return [distances]
        lows = np.array([one.low for one in shape.absences], np.int64)
        highs = np.array([one.high for one in shape.absences], np.int64)
        return [distances, lows, highs]

    def _frame(self, batch: Batch, rows: Rows) -> Frame:
        columns: dict[str, Column] = {}

        def read(_: str, name: str) -> Column:
            if name not in columns:
                columns[name] = batch.column(name).take_ascending(rows)
            return columns[name]

        names = frozenset(part.name for part in self.shape.scanned)
        return Frame(len(rows), self.words, read, partial(_time, batch.times, rows), names, self.tables)

    def _satisfied(self, members: Data, frame: Frame) -> Data:
        """Take from each event the parts whose condition it does not satisfy."""
        for number, part in enumerate(self.shape.scanned):
            true = where_true(part.where, only_part(frame, part))
            if true is not None:
                members = np.where(true, members, members & ~np.uint32(1 << number))
        return members

    def _keyed(self, members: Data, keys: Data, frame: Frame) -> Data:
        """Write down the keys of each event, and take from it the parts for which it has none."""
        done: dict[int, Data | None] = {}
        for number, part in enumerate(self.shape.scanned):
            column = self.key_columns[number]
            if column not in done:
                keys[column], done[column] = self.keys.numbers(part, only_part(frame, part))
            present = done[column]
            if present is not None:
                members = np.where(present, members, members & ~np.uint32(1 << number))
        return members


@ByIdentity
def source_of(shape: Shape) -> str:
    """Return the source of the kernel of a shape."""
    if shape.core is Core.GRAPH:
        return graph_source(shape)
    if shape.core is Core.COUNT:
        return count_source(shape)
    return collect_source(shape) if shape.core is Core.COLLECT else steps_source(shape)


def pool_of(most: int | None) -> int:
    """Return how much room to make at once: memory that nobody has written to yet costs nothing."""
    if most is None or most > MOST_AT_ONCE:
        return LEAST_ROOM
    return most + most // 2 + MUCH_ROOM


def _time(times: Data, rows: Rows, _: Endpoint) -> Column:
    return Column(Kind.INT, gathered(times, rows))


def only_part(frame: Frame, part: Part) -> Frame:
    """Return what a condition on one event can read: that event, and nothing of the others."""

    def read(name: str, attribute: str) -> Column | None:
        return frame.fields(name, attribute) if name == part.name else None

    def moment(endpoint: Endpoint) -> Column | None:
        return frame.moments(endpoint) if endpoint.part == part.name else None

    return Frame(frame.count, frame.words, read, moment, frozenset({part.name}), frame.tables)


@ByIdentity
def _fields_kept(shape: Shape) -> set[str]:
    """Return the fields that matches are read by."""
    rule = shape.plan.rule
    folds = () if shape.collect is None else shape.collect.reads
    keys = () if shape.suppressed is None else shape.suppressed.keys
    read: tuple[Expr, ...] = (rule.start, rule.end, *rule.fields.values(), *shape.filters, *folds, *keys)
    return {node.name for node in walk(read) if isinstance(node, Field) and node.part in shape.names}


def gaps_of(shape: Shape) -> Data:
    """Return the distances of the steps of a choosing join; where there is none, its code does not ask for it."""
    return np.array([(one.low, one.high or 0, one.whole or 0) for one in shape.gaps], np.int64).reshape(-1, 3)
