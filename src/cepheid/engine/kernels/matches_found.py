"""Matches as columns: where they lie, what they say, and the ids of the events they rest on."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from cepheid.algebra.expressions import Expr, Moment
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Difference, Edge, Endpoint
from cepheid.engine.kernels.column_evaluation import Frame, column_for, where_true
from cepheid.engine.kernels.columns import Column, Kind
from cepheid.engine.kernels.gathering import gathered
from cepheid.engine.kernels.rule_kernel import RuleKernel
from cepheid.engine.kernels.shapes import Core, Shape
from cepheid.engine.kernels.typed_arrays import Data, Mask, Rows


@dataclass(frozen=True, slots=True)
class MatchColumns:
    """Matches of one rule: `ids` has a column for each event, in the order of time."""

    shape: Shape
    start: Data
    end: Data
    known: Data
    values: dict[str, Column]
    ids: tuple[Column, ...]

    def __len__(self) -> int:
        return len(self.start)

    def take(self, rows: Rows) -> "MatchColumns":
        return replace(
            self,
            start=self.start[rows],
            end=self.end[rows],
            known=self.known[rows],
            values={name: column.take(rows) for name, column in self.values.items()},
            ids=tuple(column.take(rows) for column in self.ids),
        )


def match_columns(kernel: RuleKernel, rows: Rows, *, evidence: bool = True) -> MatchColumns:
    """Return the matches that some rows of the log are, without those that a condition forbids."""
    shape, log = kernel.shape, kernel.log
    rows = _kept(kernel, rows)
    frame = _frame(kernel, rows)
    rule = shape.plan.rule
    start, end = _times(rule.start, frame), _times(rule.end, frame)
    last = gathered(log.time, rows[-1])
    found = MatchColumns(
        shape,
        start[0],
        end[0],
        _known(shape, last, lambda part: gathered(log.time, rows[part])),
        {name: column_for(value, frame) for name, value in rule.fields.items()},
        tuple(log.ids.read(one) for one in rows) if evidence else (),
    )
    if start[1] is None and end[1] is None and _is_hull(rule.start, Edge.START) and _is_hull(rule.end, Edge.END):
        return found
    told = start[0] <= end[0]
    for there in (start[1], end[1]):
        told = told if there is None else told & there
    return found if told.all() else found.take(np.flatnonzero(told))


def _frame(kernel: RuleKernel, rows: Rows) -> Frame:
    log, shape = kernel.log, kernel.shape
    places = {name: number for number, name in enumerate(shape.names)}

    def read(part: str, name: str) -> Column | None:
        return log.fields[name].read(rows[places[part]]) if part in places else None

    def moment(endpoint: Endpoint) -> Column | None:
        if endpoint.part == HULL:
            return Column(Kind.INT, gathered(log.time, rows[0 if endpoint.edge is Edge.START else -1]))
        place = places.get(endpoint.part)
        return None if place is None else Column(Kind.INT, gathered(log.time, rows[place]))

    return Frame(rows.shape[1], kernel.words, read, moment, frozenset(places), kernel.tables)


def _kept(kernel: RuleKernel, rows: Rows) -> Rows:
    """Return the matches that every condition and every distance allows."""
    for condition in kernel.shape.filters:
        rows = _only(rows, where_true(condition, _frame(kernel, rows)))
    for difference in kernel.shape.limits:
        rows = _only(rows, _stands(difference, _frame(kernel, rows)))
    return rows


def _only(rows: Rows, true: Mask | None) -> Rows:
    return rows if true is None or true.all() else rows.compress(true, axis=1)


def _stands(difference: Difference, frame: Frame) -> Mask:
    later, earlier = frame.moments(difference.later), frame.moments(difference.earlier)
    if later is None or earlier is None:
        return np.zeros(frame.count, np.bool_)
    distance = later.data - earlier.data
    low = np.ones(frame.count, np.bool_) if difference.low is None else distance >= difference.low
    return low if difference.high is None else low & (distance <= difference.high)


def _times(expression: Expr, frame: Frame) -> tuple[Data, Mask | None]:
    """Return the times that an expression says, and where there is one; None: everywhere."""
    column = column_for(expression, frame)
    if column.kind is Kind.INT:
        return column.data, column.valid
    if column.kind is not Kind.OBJECT:
        return np.zeros(frame.count, np.int64), np.zeros(frame.count, np.bool_)
    there = np.array([type(value) is int for value in column.data], np.bool_)
    return np.array([value if type(value) is int else 0 for value in column.data], np.int64), there


def _is_hull(expression: Expr, edge: Edge) -> bool:
    return expression == Moment(Endpoint(HULL, edge))


def _known(shape: Shape, last: Data, time_of: Callable[[int], Data]) -> Data:
    """Return the frontier at which each match is certain: with its last event, or when instants are complete."""
    known = last if shape.core is Core.GRAPH else last + 1
    for one in shape.absences:
        known = np.maximum(known, time_of(one.upper) + (one.high + 1))
    return known
