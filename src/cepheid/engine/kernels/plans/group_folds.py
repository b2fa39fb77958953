"""What a group of items says: its folds over what the items say, and what stands around these."""

from collections.abc import Mapping

import numpy as np

from cepheid.algebra.expressions import Aggregate, Expr, Field
from cepheid.algebra.traversal import transform, walk
from cepheid.engine.kernels.columns.column_evaluation import Frame, column_for
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.folds import folded
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.facts.declining import Declined, readable

_FOLDS = "$folds"


def readable_folds(folds: Mapping[str, Expr]) -> None:
    """Decline folds that columns cannot give."""
    for fold in folds.values():
        for one in (node for node in walk(fold) if isinstance(node, Aggregate)):
            if any(isinstance(node, Aggregate) for node in walk(one.argument)):
                raise Declined("a fold is in a fold")
            readable(one.argument, hull=False)
        readable(transform(fold, lambda node: Field(_FOLDS, "") if isinstance(node, Aggregate) else node), hull=False)


def group_values(folds: Mapping[str, Expr], items: Frame, offsets: Data, around: Frame) -> dict[str, Column]:
    """Return all folds: over `items`, those of the group `i` from `offsets[i]` on, and over what is around each."""
    return {name: _value(fold, items, offsets, around) for name, fold in folds.items()}


def listed(refs: Data, offsets: Data) -> Ragged:
    """Return what the items of groups are made of, one after the other; those of a group are from an offset on.

    >>> listed(np.array([[1, 2, 3], [-1, 7, -1]]), np.array([0, 2, 3])).tuples()
    [(1, 2, 7), (3,)]
    """
    there = refs >= 0
    counted = np.concatenate([[0], np.cumsum(there.sum(axis=0))])
    return Ragged(refs.T[there.T], counted[offsets])


def _value(fold: Expr, items: Frame, offsets: Data, around: Frame) -> Column:
    aggregates = list(dict.fromkeys(node for node in walk(fold) if isinstance(node, Aggregate)))
    told = {str(number): _folded(one, items, offsets) for number, one in enumerate(aggregates)}

    def named(node: object) -> object:
        return Field(_FOLDS, str(aggregates.index(node))) if isinstance(node, Aggregate) else node

    def read(part: str, name: str) -> Column | None:
        return told[name] if part == _FOLDS else around.fields(part, name)

    frame = Frame(around.count, around.words, read, around.moments, around.bound, around.tables)
    return column_for(transform(fold, named), frame)


def _folded(fold: Aggregate, items: Frame, offsets: Data) -> Column:
    values = Column(Kind.NULL, np.zeros(0)) if fold.argument is None else column_for(fold.argument, items)
    return folded(fold, values, offsets, items.words)
