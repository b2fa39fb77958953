"""Matches as columns: where they lie, what they say, and the ids of the events they rest on."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cepheid.algebra.expressions import Expr
from cepheid.algebra.programs import HULL, Rule
from cepheid.algebra.relations import Difference, Edge, Endpoint
from cepheid.engine.kernels.columns.column_evaluation import Frame, column_for, where_true
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of
from cepheid.engine.kernels.columns.fixed_kernels import WRITE_TYPES, write_matches
from cepheid.engine.kernels.columns.gathering import gather, gathered, room_for
from cepheid.engine.kernels.columns.log_column import LogColumn
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.families import CONSTANTS, Family
from cepheid.engine.kernels.facts.shapes import Core, Shape, is_whole
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel
from cepheid.events import MAX_TIME, MIN_TIME


@dataclass(frozen=True, slots=True)
class ItemIds:
    """For each match of a collection its items, as rows that have `ids`, and the ids of all that it rests on."""

    ids: Data
    rows: Ragged
    rests_on: Ragged

    @property
    def items(self) -> Ragged:
        """The ids of the items, which are read where matches are named."""
        return Ragged(self.ids[self.rows.flat], self.rows.offsets)

    def take(self, rows: Rows) -> "ItemIds":
        return ItemIds(self.ids, self.rows.take(rows), self.rests_on.take(rows))


@dataclass(frozen=True, slots=True)
class MatchColumns:
    """Matches of one rule, or of a family, where `which` has the number of the rule among its members.

    `ids` has a row for each, with the ids of its events in the order of time.
    """

    family: Family
    which: Data | None
    start: Data
    end: Data
    known: Data
    values: dict[str, Column]
    ids: Data | None
    items: ItemIds | None = None

    def __len__(self) -> int:
        return len(self.start)

    @property
    def rules(self) -> list[str]:
        """The names of the rules whose matches these are."""
        return [one.plan.rule.name for one in self.family.members]

    def take(self, rows: Rows) -> "MatchColumns":
        return replace(
            self,
            which=None if self.which is None else self.which[rows],
            start=self.start[rows],
            end=self.end[rows],
            known=self.known[rows],
            values={name: column.take(rows) for name, column in self.values.items()},
            ids=None if self.ids is None else self.ids[rows],
            items=None if self.items is None else self.items.take(rows),
        )


def match_columns(kernel: RuleKernel, rows: Rows, *, evidence: bool = True) -> MatchColumns:
    """Return the matches that some rows of the log are, without those that a condition forbids."""
    shape, log = kernel.shape, kernel.log
    told_by = _passing(kernel, _kept(kernel, rows))
    rows, which = told_by[: len(shape.parts)], told_by[-1].copy() if shape.family else None
    rule = shape.plan.rule
    if evidence and not rule.fields and log.ids.kind is Kind.INT and is_whole(rule):
        return _at_once(kernel, rows, which)
    frame = _frame(kernel, told_by)
    last = gathered(log.time, rows[-1])
    found = MatchColumns(
        kernel.family,
        which,
        last,
        last,
        _known(shape, last, lambda part: gathered(log.time, rows[part])),
        {name: column_for(value, frame) for name, value in rule.fields.items()},
        _ids(log.ids, rows) if evidence else None,
    )
    return placed(found, rule, frame)


def placed(found: MatchColumns, rule: Rule, frame: Frame) -> MatchColumns:
    """Return matches where their rule says that they lie, without those for which it says no time."""
    if is_whole(rule):
        return replace(found, start=_told(rule.start, frame)[0], end=_told(rule.end, frame)[0])
    start, end, are_there = told_times(rule, frame)
    found = replace(found, start=start, end=end)
    return found if are_there.all() else found.take(np.flatnonzero(are_there))


def _at_once(kernel: RuleKernel, rows: Rows, which: Data | None) -> MatchColumns:
    """Return matches that say no more than where they lie and what they rest on, read in one go."""
    log, (width, count) = kernel.log, rows.shape
    start, end, flat = (room_for(size, np.int64) for size in (count, count, count * width))
    compiled(write_matches, WRITE_TYPES, WIDTH=width)(rows, log.time, log.ids.data, flat, start, end)
    known = _known(kernel.shape, end, lambda part: gathered(log.time, rows[part]))
    return MatchColumns(kernel.family, which, start, end, known, {}, flat.reshape(count, width))


def _ids(column: LogColumn, rows: Rows) -> Data:
    count, width = rows.shape[1], len(rows)
    if column.kind is not Kind.INT or not rows.flags.c_contiguous:
        return np.stack([column.data[one] for one in rows], axis=1)
    flat = room_for(count * width, np.int64)
    for place, one in enumerate(rows):
        gather(column.data, one, flat, place, width)
    return flat.reshape(count, width)


def _frame(kernel: RuleKernel, rows: Rows) -> Frame:
    log, shape = kernel.log, kernel.shape
    places = {name: number for number, name in enumerate(shape.names)}
    last = len(shape.parts) - 1

    def read(part: str, name: str) -> Column | None:
        if part == CONSTANTS:
            return column_of(kernel.family.constants[int(name)], kernel.words).take(rows[-1])
        return log.fields[name].read(rows[places[part]]) if part in places else None

    def moment(endpoint: Endpoint) -> Column | None:
        if endpoint.part == HULL:
            return Column(Kind.INT, gathered(log.time, rows[0 if endpoint.edge is Edge.START else last]))
        place = places.get(endpoint.part)
        return None if place is None else Column(Kind.INT, gathered(log.time, rows[place]))

    return Frame(rows.shape[1], kernel.words, read, moment, frozenset(places), kernel.tables)


def _kept(kernel: RuleKernel, rows: Rows) -> Rows:
    """Return the matches that every condition and every distance allows."""
    for condition in kernel.open_conditions:
        rows = _only(rows, where_true(condition, _frame(kernel, rows)))
    for difference in kernel.shape.limits:
        rows = _only(rows, _stands(difference, _frame(kernel, rows)))
    return rows


def _passing(kernel: RuleKernel, rows: Rows) -> Rows:
    """Return the matches that are not left out; those that end with one event are looked at in the total order."""
    suppression, parts = kernel.suppression, len(kernel.shape.parts)
    if suppression is None or not rows.shape[1]:
        return rows
    order = np.lexsort(rows[:parts])
    some = rows[:, order]
    ends = gathered(kernel.log.time, some[parts - 1])
    passed = suppression.passing(suppression.numbers(_frame(kernel, some), int(ends[0])), ends)
    return rows[:, np.sort(order[passed])]


def _only(rows: Rows, true: Mask | None) -> Rows:
    return rows if true is None or true.all() else rows.compress(true, axis=1)


def _stands(difference: Difference, frame: Frame) -> Mask:
    later, earlier = frame.moments(difference.later), frame.moments(difference.earlier)
    if later is None or earlier is None:
        return np.zeros(frame.count, np.bool_)
    distance = later.data - earlier.data
    low = np.ones(frame.count, np.bool_) if difference.low is None else distance >= difference.low
    return low if difference.high is None else low & (distance <= difference.high)


def told_times(rule: Rule, frame: Frame) -> tuple[Data, Data, Mask]:
    """Return the starts and ends that a rule says, and where these are times between which an event can last."""
    (start, begun), (end, ended) = _told(rule.start, frame), _told(rule.end, frame)
    are_there = (start > MIN_TIME) & (start <= end) & (end < MAX_TIME)
    for there in (begun, ended):
        are_there = are_there if there is None else are_there & there
    return start, end, are_there


def _told(expression: Expr, frame: Frame) -> tuple[Data, Mask | None]:
    """Return the whole numbers that an expression says, and where there is one; None: everywhere."""
    column = column_for(expression, frame)
    if column.kind is Kind.INT:
        return column.data, column.valid
    if column.kind is not Kind.OBJECT:
        return np.zeros(frame.count, np.int64), np.zeros(frame.count, np.bool_)
    there = np.array([type(value) is int for value in column.data], np.bool_)
    return np.array([value if type(value) is int else 0 for value in column.data], np.int64), there


def _known(shape: Shape, last: Data, time_of: Callable[[int], Data]) -> Data:
    """Return the frontier at which each match is certain: with its last event, or when instants are complete."""
    known = last if shape.core is Core.GRAPH or shape.by_arrival else last + 1
    for one in shape.absences:
        known = np.maximum(known, time_of(one.upper) + (one.high + 1))
    return known
