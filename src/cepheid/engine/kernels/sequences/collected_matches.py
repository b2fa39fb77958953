"""Matches of collections as columns: the anchors, the folds over their items, and what they rest on."""

from dataclasses import dataclass

import numpy as np

from cepheid.algebra.expressions import Aggregate, Field
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Endpoint
from cepheid.engine.kernels.columns.column_evaluation import Frame, column_for, where_true
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.fixed_kernels import join_anchors, list_items
from cepheid.engine.kernels.columns.folds import folded, folded_rows
from cepheid.engine.kernels.columns.gathering import gathered, room_for
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.sequences.matches_found import ItemIds, MatchColumns, placed
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel


@dataclass(frozen=True, slots=True)
class _Groups:
    """Anchors and their items, as rows of the log: those of anchor `i` from `offsets[i]` to `offsets[i + 1]`."""

    anchors: Rows
    items: Rows
    offsets: Data

    def beside(self) -> Rows:
        """Return the anchor beside each item."""
        return np.repeat(self.anchors, np.diff(self.offsets))


def collected_columns(kernel: RuleKernel, rows: Rows, *, evidence: bool = True) -> MatchColumns:
    """Return the matches that some anchors with their items are, without those that a condition forbids."""
    groups = _groups(kernel, rows)
    frame = _frame(kernel, groups)
    told = np.ones(rows.shape[1], np.bool_)
    for condition in kernel.shape.filters:
        true = where_true(condition, frame)
        told = told if true is None else told & true
    if not told.all():
        groups = _groups(kernel, rows.compress(told, axis=1))
        frame = _frame(kernel, groups)
    assert kernel.shape.collect is not None
    times = gathered(kernel.log.time, groups.anchors)
    found = MatchColumns(
        kernel.family,
        None,
        times,
        times,
        np.maximum(times, times + (kernel.shape.collect.high + 1)),
        {name: column_for(value, frame) for name, value in kernel.shape.plan.rule.fields.items()},
        kernel.log.ids.data[groups.anchors][:, None] if evidence else None,
        _item_ids(kernel, groups) if evidence else None,
    )
    return placed(found, kernel.shape.plan.rule, frame)


def _groups(kernel: RuleKernel, rows: Rows) -> _Groups:
    offsets = np.zeros(rows.shape[1] + 1, np.int64)
    np.cumsum(rows[2], out=offsets[1:])
    items = room_for(int(offsets[-1]), np.int32)
    compiled(list_items)(np.ascontiguousarray(rows), offsets, kernel.state["link"], items)
    return _wanted(kernel, _Groups(np.ascontiguousarray(rows[0]), items, offsets))


def _wanted(kernel: RuleKernel, groups: _Groups) -> _Groups:
    """Return anchors with those of their items that the condition on these allows."""
    assert kernel.shape.collect is not None
    if kernel.shape.collect.where is None:
        return groups
    true = where_true(kernel.shape.collect.where, _pairs(kernel, groups))
    if true is None or true.all():
        return groups
    counted = np.zeros(len(true) + 1, np.int64)
    np.cumsum(true, out=counted[1:])
    return _Groups(groups.anchors, groups.items[true], counted[groups.offsets])


def _frame(kernel: RuleKernel, groups: _Groups) -> Frame:
    """Return what can be read of the anchors: their own fields, and the folds over their items."""
    collect, log, anchor = kernel.shape.collect, kernel.log, kernel.shape.names[0]
    assert collect is not None
    folds = {(collection, name): fold for collection, name, fold in collect.folds}
    known: dict[tuple[str, str], Column] = {}

    def read(part: str, name: str) -> Column | None:
        if part == anchor:
            return log.fields[name].read(groups.anchors)
        if (part, name) not in folds:
            return None
        if (part, name) not in known:
            known[part, name] = _fold(kernel, groups, folds[part, name])
        return known[part, name]

    def moment(endpoint: Endpoint) -> Column | None:
        if endpoint.part not in (HULL, anchor):
            return None
        return Column(Kind.INT, gathered(log.time, groups.anchors))

    bound = frozenset({anchor, *collect.names})
    return Frame(len(groups.anchors), kernel.words, read, moment, bound, kernel.tables)


def _pairs(kernel: RuleKernel, groups: _Groups) -> Frame:
    """Return what can be read of each item and the anchor beside it."""
    log, (anchor, item) = kernel.log, kernel.shape.names
    places: dict[str, Rows] = {item: groups.items}

    def rows(part: str) -> Rows | None:
        if part == anchor and anchor not in places:
            places[anchor] = groups.beside()
        return places.get(part)

    def read(part: str, name: str) -> Column | None:
        place = rows(part)
        return None if place is None else log.fields[name].read(place)

    def moment(endpoint: Endpoint) -> Column | None:
        place = rows(endpoint.part)
        return None if place is None else Column(Kind.INT, gathered(log.time, place))

    return Frame(len(groups.items), kernel.words, read, moment, frozenset({anchor, item}), kernel.tables)


def _fold(kernel: RuleKernel, groups: _Groups, fold: object) -> Column:
    assert isinstance(fold, Aggregate)
    match fold.argument:
        case Field(part, name) if part == kernel.shape.names[1] and kernel.log.fields[name].is_plainly(Kind.FLOAT):
            found = folded_rows(fold, kernel.log.fields[name].data, groups.items, groups.offsets)
            if found is not None:
                return found
    frame = _pairs(kernel, groups)
    items = Column(Kind.NULL, np.zeros(0)) if fold.argument is None else column_for(fold.argument, frame)
    return folded(fold, items, groups.offsets, kernel.words)


def _item_ids(kernel: RuleKernel, groups: _Groups) -> ItemIds:
    """Return the ids of the items of each anchor, and of all that its match rests on, each once and in order."""
    ids, count = kernel.log.ids.data, len(groups.anchors)
    numbered = ids.dtype == np.int64
    joined, ends = room_for(len(groups.items) + count, np.int64), np.zeros(count + 1, np.int64)
    names = ids if numbered else np.arange(len(ids))
    total = compiled(join_anchors)(groups.anchors, groups.items, groups.offsets, names, joined, ends)
    flat = joined[:total] if numbered else ids[joined[:total]]
    return ItemIds(ids, Ragged(groups.items, groups.offsets), Ragged(flat, ends))
