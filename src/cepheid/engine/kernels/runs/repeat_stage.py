"""The stage that repeats: items that come in order join runs or begin them, and runs that are told become groups.

Greedy runs are told when nothing can follow them any more, all others with every item. A group is one part of an
occurrence; what its items say can be read of it as folds only.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Field
from cepheid.algebra.relations import Axis, Edge, Endpoint
from cepheid.engine.kernels.columns.column_evaluation import Frame, column_for, where_true
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.exact_numbers import number_of, numbers_of
from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.time_bounds import FAR, UNLIMITED
from cepheid.engine.kernels.plans.group_folds import group_values, listed
from cepheid.engine.kernels.plans.pattern_stages import RepeatShape, key_field
from cepheid.engine.kernels.plans.run_bounds import NEXT, PREVIOUS, standing
from cepheid.engine.kernels.runs.run_kernels import (
    ASK,
    ASKED,
    BEGIN,
    COUNT,
    DUE,
    FIRST,
    ITEM,
    KNOWN,
    LIMIT,
    LISTED,
    STATUS,
    TOLD,
    RunBounds,
    finish_runs,
    grow_runs,
)
from cepheid.engine.kernels.runs.run_links import link_flags, linking
from cepheid.engine.kernels.runs.run_log import RunLog
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stage_order import in_order
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.event_tables import SHIFT
from cepheid.engine.kernels.tables.made_tables import GroupTable
from cepheid.engine.kernels.tables.occurrences import Occurrences, complete_at, none_of, together
from cepheid.events import MAX_TIME


class RepeatStage(Stage):
    """A repetition at work."""

    def __init__(self, shape: RepeatShape, inner: Stage, context: Context) -> None:
        self.shape, self.inner, self.context = shape, inner, context
        self.view = context.view(shape.inner)
        self.keys = StageKeys(len(shape.keys), shape.per, context)
        self.waiting = none_of(len(self.view.names))
        numbers = linking(shape.link)
        self.compared = [Field(PREVIOUS, name) for name in numbers.fields]
        self.constant = np.array([[number_of(one.value) for one in numbers.constants]], np.float64)
        self.counts = shape.gap_places is not None
        widths = (len(self.view.names), len(numbers.fields))
        self.log = RunLog(*widths, shape.far, context.standing, counts=self.counts)
        own = [key_field(number) for number in range(shape.per)]
        self.table = GroupTable([*shape.folds, *own], lines=context.standing.height)
        self.number = context.tables.add(self.table)
        gaps = [_numbers(one) for one in (shape.gap, shape.gap_places or shape.gap)]
        rests = [_numbers((one,))[0] for one in (shape.grow, shape.grow_places or shape.grow, shape.limits)]
        self.bounds = RunBounds(gaps[0], rests[0], gaps[1], rests[1], rests[2])

    def below(self) -> Sequence[Stage]:
        return (self.inner,)

    @property
    def trails(self) -> bool:
        return self.shape.greedy or super().trails

    def reached(self, tables: Mapping[int, int]) -> int:
        least = super().reached(tables)
        return min(least, self.log.oldest_end()) if self.shape.greedy else least

    def found(self, turn: Turn) -> Occurrences:
        some = together([self.waiting, self.inner.turn(turn)])
        last = int(np.searchsorted(some.end, self.inner.frontier, "left"))
        self.waiting, some = some.take(np.arange(last, len(some))), some.take(np.arange(last))
        tables, names = self.context.tables, self.view.names
        told = self._take(in_order(some, tables, names)) if len(some) else []
        told += self._finish(self.inner.frontier)
        return together([none_of(1), *told])

    def _take(self, found: Occurrences) -> list[Occurrences]:
        """Let items join runs, and return the groups that are told by that."""
        if self.log.top + len(found) > self.log.room:
            self._forget(int(found.end[0]))
            self.log.make_room(len(found))
        found, keys = self.keys.of(found, self.shape.keys, self.view)
        self.log.make_room_for_keys(len(self.keys))
        first = self.log.top
        frame = self._neighbours(found.refs, found.refs, found)
        numbers = [numbers_of(column_for(one, frame)) for one in self.compared]
        self.log.append(found, keys, np.array(numbers).reshape(len(numbers), len(found)))
        return self._run(first, self.log.top)

    def _run(self, first: int, last: int) -> list[Occurrences]:
        log, control, told = self.log, self.log.control, []
        flags = {"GREEDY": self.shape.greedy, "PLACES": self.counts, **link_flags(self.shape.link)}
        kernel = compiled(grow_runs, **flags)
        most, truth = -1 if self.shape.most is None else self.shape.most, np.zeros(0, np.bool_)
        while first < last:
            first = kernel(first, last, log.items(self.constant), log.runs(), self.bounds, most, truth, control)
            if control[TOLD]:
                told.append(self._groups(log.told[:, : control[TOLD]]))
                control[TOLD] = 0
            if first < last and control[STATUS] == ASK:
                truth = self._true_of(first)
                control[ASKED] = first + 1
            elif first < last:
                log.make_room_for_nodes(int(log.key[first]))
        control[ASKED] = 0
        return told

    def _true_of(self, item: int) -> Mask:
        """Return for each node whether an item may follow it."""
        log = self.log
        nodes, truth = log.nodes.node[:, : log.nodes.top], np.zeros(log.nodes.node.shape[1], np.bool_)
        own = np.flatnonzero((nodes[LISTED] == 1) & (log.key[nodes[ITEM]] == log.key[item]))
        before, after = nodes[ITEM, own], np.full(len(own), item)
        whole = log.occurrences(before)
        holds = np.ones(len(own), np.bool_)
        for condition in self.shape.link:
            true = where_true(condition, self._neighbours(whole.refs, log.refs[:, after], whole, after))
            holds = holds if true is None else holds & true
        truth[own[holds]] = True
        return truth

    def _neighbours(self, before: Data, after: Data, whole: Occurrences, items: Rows | None = None) -> Frame:
        """Return what can be read of two items; what is made of several events has no fields of its own."""
        tables, log = self.context.tables, self.log

        def read(part: str, name: str) -> Column | None:
            if part not in (PREVIOUS, NEXT) or not self.shape.is_single:
                return None
            return tables.read((before if part == PREVIOUS else after).max(axis=0), name)

        def moment(endpoint: Endpoint) -> Column | None:
            line = int(endpoint.edge is Edge.END)
            if endpoint.part == NEXT and items is not None:
                return Column(Kind.INT, log.times[line][items])
            return Column(Kind.INT, whole.end if line else whole.start) if endpoint.part == PREVIOUS else None

        bound = frozenset({PREVIOUS, NEXT})
        return Frame(before.shape[1], tables.words, read, moment, bound, self.context.lookups)

    def _finish(self, frontier: int) -> list[Occurrences]:
        """Let no run grow that nothing can follow any more, and return the groups that are told by that."""
        log = self.log
        passed = log.passed(frontier) if self.shape.greedy else np.zeros(0, np.bool_)
        if log.control[DUE] >= frontier and not passed.any():
            return []
        told, nodes = np.empty((2, log.nodes.top), np.int32), (log.nodes.node, log.nodes.time)
        count = compiled(finish_runs)(frontier, passed, log.key, *nodes, log.many, told, log.control)
        return [self._groups(told[:, :count])] if count and self.shape.greedy else []

    def _groups(self, told: Data) -> Occurrences:
        """Make groups of runs that are whole, and return them in the order of their ends."""
        log = self.log
        tips = self._whole(told)
        node, time = log.nodes.node[:, tips[0]], log.nodes.time[:, tips[0]]
        offsets = np.zeros(tips.shape[1] + 1, np.int64)
        np.cumsum(node[COUNT], out=offsets[1:])
        items = log.items_of(tips[0], offsets)
        end = log.times[1][node[ITEM]]
        known = np.maximum(time[KNOWN], self._certain(tips))
        times = (time[BEGIN], end, known)
        refs = log.refs[:, items]
        grounds = None
        if self.context.evidence:
            grounds = self.context.tables.rest_on(refs, np.repeat(np.arange(len(end)), node[COUNT]), len(end))
        values = self._values(items, offsets, node[FIRST])
        lists = listed(refs, offsets)
        more = (grounds, self.context.places_of())
        first, last = self.context.tables.add_groups(self.table, times, lists, values, *more)
        found = Occurrences(*times, (np.arange(first, last) + (self.number << SHIFT))[None, :])
        return found.take(np.argsort(end, kind="stable"))

    def _certain(self, tips: Data) -> Data:
        """Return when it was certain of runs that they are whole: with their last item, or when nothing can follow."""
        log, (rows, why) = self.log, tips
        until = np.where(why == 1, log.times[1][log.nodes.node[ITEM, rows]], log.nodes.time[LIMIT, rows])
        certain = complete_at(until, self.shape.lag)
        if log.far is not None:
            last = log.last_places(rows)
            counted = np.flatnonzero((until >= FAR) & (last < FAR))
            items = log.nodes.node[ITEM, rows[counted]]
            certain[counted] = log.standing.settled(last[counted], log.places[:, items])
        return certain

    def _whole(self, told: Data) -> Data:
        """Return the runs that are long enough."""
        log, node = self.log, self.log.nodes.node[:, told[0]]
        whole = node[COUNT] >= self.shape.least
        places = {"$first": node[FIRST], "$last": node[ITEM]}

        def moment(endpoint: Endpoint) -> Data:
            lines = log.times if endpoint.axis is Axis.TIME else log.places
            found: Data = lines[int(endpoint.edge is Edge.END)][places[endpoint.part]]
            return found

        for one in self.shape.window:
            whole &= standing(one, moment)
        return told[:, whole]

    def _values(self, items: Rows, offsets: Data, firsts: Rows) -> dict[str, Column]:
        log = self.log
        nothing = Frame(len(firsts), self.context.tables.words, _nothing, _nowhere, frozenset(), self.context.lookups)
        values = group_values(self.shape.folds, self.view.frame(log.occurrences(items)), offsets, nothing)
        begun = self.view.frame(log.occurrences(firsts))
        for number, key in enumerate(self.shape.keys[: self.shape.per]):
            values[key_field(number)] = column_for(key, begun)
        return values

    def _forget(self, time: int) -> None:
        """Forget runs that are over or do not matter from a time on, and keys without any run."""
        log = self.log
        if not self.shape.greedy:  # a greedy run has to be told when the stream has passed it by
            log.drop(min(self.inner.frontier, time))
        log.pack()
        self.keys.forget(log)
        log.relink()

    def held(self) -> Data:
        self._forget(MAX_TIME)
        refs = (self.log.refs[:, : self.log.top], self.waiting.refs)
        return np.concatenate([some.reshape(1, -1) for some in refs], axis=1)

    def live(self) -> int:
        return self.log.live(self.inner.frontier)

    def written(self) -> dict[str, Entry]:
        return {**self.log.written(), **named("waiting", self.waiting.written()), **self.keys.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys.take_up(entries)
        self.waiting = Occurrences.of(under("waiting", entries))
        self.log.take_up(entries, len(self.keys))


def _numbers(rows: Sequence[Sequence[int | None]]) -> Data:
    return np.array([[UNLIMITED if one is None else one for one in row] for row in rows], np.int64)


def _nothing(_: str, __: str) -> Column | None:
    return None


def _nowhere(_: Endpoint) -> Column | None:
    return None
