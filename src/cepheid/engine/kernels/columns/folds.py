"""Folds over the items of many anchors at once, with the values that `algebra.evaluation` gives: items in order."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from cepheid.algebra.evaluation import AGGREGATES
from cepheid.algebra.expressions import Aggregate
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of, values_of
from cepheid.engine.kernels.columns.fixed_kernels import ADD_UP_ROWS_TYPES, ADD_UP_TYPES, add_up, add_up_rows
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows


def folded(fold: Aggregate, items: Column, offsets: Data, words: Words) -> Column:
    """Return a fold over each group of items; the group `i` is from `offsets[i]` to `offsets[i + 1]`."""
    counts = np.diff(offsets)
    if fold.argument is None:
        return Column(Kind.INT, counts.astype(np.int64))
    if items.kind is Kind.FLOAT and items.valid is None and fold.function in ("sum", "avg"):
        # One after the other, as a sum of floats depends on the order.
        totals = np.zeros(len(counts))
        compiled(add_up, ADD_UP_TYPES)(np.ascontiguousarray(items.data), offsets, totals)
        return _told(fold, totals, counts)
    return _one_by_one(fold.function, items, offsets, words)


def folded_rows(fold: Aggregate, values: Data, rows: Rows, offsets: Data) -> Column | None:
    """Return such a fold over rows of an array of floats; None where these have to be read first."""
    if fold.function not in ("sum", "avg") or rows.dtype != np.int32:
        return None
    counts = np.diff(offsets)
    totals = np.zeros(len(counts))
    compiled(add_up_rows, ADD_UP_ROWS_TYPES)(values, rows, offsets, totals)
    return _told(fold, totals, counts)


def _told(fold: Aggregate, totals: Data, counts: Data) -> Column:
    """Return sums, or what is the average by them; there is none of nothing."""
    if fold.function == "avg":
        with np.errstate(all="ignore"):
            totals = totals / counts
    return Column(Kind.FLOAT, totals, None if counts.all() else counts > 0)


def _one_by_one(function: str, items: Column, offsets: Sequence[int] | Data, words: Words) -> Column:
    values, apply = values_of(items, words), AGGREGATES[function]
    places = np.asarray(offsets).tolist()
    groups = (values[first:end] for first, end in pairwise(places))
    return column_of([apply([value for value in group if value is not None]) for group in groups], words)
