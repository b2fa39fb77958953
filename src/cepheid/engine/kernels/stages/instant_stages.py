"""Stages that look at all that ends together, when nothing more can end there, and choose, merge or suppress.

Most of what they see differs in numbers; only where it does not are events compared by their place in the total order.
"""

from abc import abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Expr
from cepheid.engine.kernels.columns.column_evaluation import column_for
from cepheid.engine.kernels.columns.columns import values_of
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows
from cepheid.engine.kernels.intake.suppression import Suppression
from cepheid.engine.kernels.plans.pattern_stages import (
    DistinctShape,
    LatestShape,
    StageShape,
    SuppressShape,
    UnionShape,
    names_of,
)
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stage_order import Key, rank
from cepheid.engine.kernels.stages.stages import Context, Stage, Turn
from cepheid.engine.kernels.tables.occurrences import Occurrences, complete_at, none_of, together
from cepheid.events import values


class InstantStage(Stage):
    """Occurrences that wait until their instant is complete."""

    def __init__(self, below: StageShape, inner: Stage, context: Context, lag: int | None) -> None:
        self.inner, self.context, self.lag = inner, context, lag
        self.view = context.view(below)
        self.waiting = none_of(len(self.view.names))

    def below(self) -> Sequence[Stage]:
        return (self.inner,)

    def found(self, turn: Turn) -> Occurrences:
        found = together([self.waiting, self.inner.turn(turn)])
        last = int(np.searchsorted(found.end, self.inner.frontier, "left"))
        self.waiting = found.take(np.arange(last, len(found)))
        found = found.take(np.arange(last))
        if not len(found):
            return found
        return self._certain(found.take(self._chosen(found)))

    def _certain(self, chosen: Occurrences) -> Occurrences:
        """Return what is chosen with the time when it is certain."""
        return replace(chosen, known=np.maximum(chosen.known, complete_at(chosen.end, self.lag)))

    @abstractmethod
    def _chosen(self, found: Occurrences) -> Rows:
        """Return the rows that stay, in the order of their ends; all instants are complete."""

    def _ranked(self, found: Occurrences, rows: Sequence[int]) -> list[int]:
        """Return rows in the total order."""
        return sorted(rows, key=lambda row: self._rank(found, row))

    def _last(self, found: Occurrences, rows: Sequence[int]) -> int:
        """Return the last of some rows in the total order; of level ones the first that was found."""
        return max(rows, key=lambda row: self._rank(found, row))

    def _rank(self, found: Occurrences, row: int) -> Key:
        return rank(self.context.tables, self.view.names, found.refs[:, row].tolist())

    def held(self) -> Data:
        return self.waiting.refs

    def written(self) -> dict[str, Entry]:
        return self.waiting.written()

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.waiting = Occurrences.of(entries)


class TogetherStage(InstantStage):
    """All that ends together at once, so that those that are alike can be counted, in the order of being certain."""

    def __init__(self, below: StageShape, inner: Stage, context: Context) -> None:
        super().__init__(below, inner, context, None)

    def _chosen(self, found: Occurrences) -> Rows:
        return np.lexsort((found.known, found.end))

    def _certain(self, chosen: Occurrences) -> Occurrences:
        return chosen


class LatestStage(InstantStage):
    """Of what ends together under one key, the one that started last; of level ones that of the later branch."""

    def __init__(self, shape: LatestShape, inner: Stage, context: Context) -> None:
        super().__init__(shape.inner, inner, context, shape.lag)
        self.keys = shape.keys
        branches = shape.inner.branches if isinstance(shape.inner, UnionShape) else (shape.inner,)
        self.branch_of_part = np.repeat(np.arange(len(branches)), [len(names_of(one)) for one in branches])

    def _chosen(self, found: Occurrences) -> Rows:
        # Keys matter within an instant only, so nobody needs to remember their numbers.
        width = len(self.keys)
        numbers, present = StageKeys(width, width, self.context).numbers(found, self.keys, self.view)
        branch = self.branch_of_part[(found.refs >= 0).argmax(axis=0)]
        order = np.lexsort((branch, found.start, numbers, found.end))
        order = order if present is None else order[present[order]]
        same = _level(order, found.end, numbers)
        last = np.append(~same, np.ones(min(len(order), 1), np.bool_))
        level = same & _level(order, found.start, branch)
        chosen: Rows = order[last]
        for place in np.flatnonzero(last[1:] & level).tolist():
            # The last of an instant has others beside it that are as good.
            first = place
            while first and level[first - 1]:
                first -= 1
            chosen[int(last[: place + 1].sum())] = self._last(found, order[first : place + 2].tolist())
        return chosen


class SuppressStage(InstantStage):
    """Of each key the first, and then what ends more than a span later; of what ends together the first in order."""

    def __init__(self, shape: SuppressShape, inner: Stage, context: Context) -> None:
        super().__init__(shape.inner, inner, context, shape.lag)
        self.suppression = Suppression(shape.keys, shape.apart, context.tables.words, context.marks)

    def _chosen(self, found: Occurrences) -> Rows:
        numbers = self.suppression.numbers(self.view.frame(found), int(found.end[0]))
        passed = self.suppression.passing(numbers, found.end)
        order = np.lexsort((numbers, found.end))
        same = _level(order, found.end, numbers)
        for place in np.flatnonzero(same & passed[order[:-1]]).tolist():
            # It was found first of those that end together under its key; another may be the first in order.
            last = place + 1 + int(np.argmin(np.append(same[place + 1 :], False)))
            passed[order[place]] = False
            passed[self._ranked(found, order[place : last + 1].tolist())[0]] = True
        return np.flatnonzero(passed)

    def live(self) -> int:
        return self.suppression.live(self.inner.frontier)

    def written(self) -> dict[str, Entry]:
        self.suppression.forget(self.inner.frontier)
        return {**super().written(), **self.suppression.written()}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        super().take_up(entries)
        self.suppression.take_up(entries)


class DistinctStage(InstantStage):
    """The first of each kind: of those with the same values, or with the same hull and the same given events."""

    def __init__(self, shape: DistinctShape, inner: Stage, context: Context) -> None:
        super().__init__(shape.inner, inner, context, shape.lag)
        self.keys, self.by = shape.keys, shape.by
        self.seen: dict[int, None] = {}  # marks of kinds

    def _chosen(self, found: Occurrences) -> Rows:
        kept: list[int] = []
        kinds = self._kinds(found)
        for rows in _instants(found.end):
            first: dict[Hashable, list[int]] = {}
            for row in rows:
                first.setdefault(kinds[row], []).append(row)
            for kind, some in first.items():
                if self._is_new(kind):
                    kept.append(some[0] if len(some) == 1 else self._ranked(found, some)[0])
        return np.array(kept, np.int64)

    def _kinds(self, found: Occurrences) -> list[Hashable]:
        columns = self._values(found, self.keys)
        columns += self._origins(found) if self.by is None else self._values(found, self.by)
        return list(zip(*columns, strict=True)) if columns else [()] * len(found)

    def _values(self, found: Occurrences, expressions: tuple[Expr, ...]) -> list[list[Hashable]]:
        frame, words = self.view.frame(found), self.context.tables.words
        return [list(map(values.key_of, values_of(column_for(one, frame), words))) for one in expressions]

    def _origins(self, found: Occurrences) -> list[list[Hashable]]:
        """Return where each one starts, and the input events that it rests on."""
        given = self.context.tables.given_under
        sets = (frozenset(one for ref in refs if ref >= 0 for one in given(ref)) for refs in found.refs.T.tolist())
        return [found.start.tolist(), list(sets)]

    def _is_new(self, kind: Hashable) -> bool:
        if self.by is None:
            return True
        mark = self.context.marks.code(kind)
        is_new = mark not in self.seen
        self.seen[mark] = None
        return is_new

    def live(self) -> int:
        return len(self.seen)

    def written(self) -> dict[str, Entry]:
        return {**super().written(), "seen": np.fromiter(self.seen, np.int64, len(self.seen))}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        super().take_up(entries)
        self.seen = dict.fromkeys(entries["seen"].tolist())


def _level(order: Rows, *columns: Data) -> Data:
    """Say for each row in some order but the last whether it is level with the next one."""
    found = np.ones(max(len(order) - 1, 0), np.bool_)
    for column in columns:
        some = column[order]
        found &= some[1:] == some[:-1]
    return found


def _instants(ends: Data) -> Iterator[range]:
    """Yield the rows of each instant; rows come in the order of their ends."""
    edges = [0, *(np.flatnonzero(ends[1:] != ends[:-1]) + 1).tolist(), len(ends)]
    return (range(first, last) for first, last in pairwise(edges) if first < last)
