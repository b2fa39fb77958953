"""Kernels that say which rows of a join with a choice need not wait, as another one of their key is always better."""

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.pairs.pair_lists import PairRows, group_of


def keep_best_ends(done: int, rows: PairRows, waiting: Data, settled: int, tie: int, weight: Data, best: Data) -> int:
    """Of the rows that ended before `settled`, or together, let only the best one of each list wait."""
    end, best[:] = rows.end, -1
    for row in range(done - 1, -1, -1):
        for side in range(2):
            if not (waiting[row] >> side) & 1:
                continue
            group = group_of(row, side, rows)
            kept = best[group, side]
            weights = side * (weight.shape[0] - 1)
            tied = kept >= 0 and end[kept] == end[row]
            if not tied and (kept < 0 or end[kept] >= settled):
                best[group, side] = row
            elif tied and tie * weight[weights, row] > tie * weight[weights, kept]:
                waiting[kept] &= 2 - side
                best[group, side] = row
            else:
                waiting[row] &= 2 - side
    return done


def keep_best_starts(done: int, rows: PairRows, waiting: Data, settled: int, best: Data) -> int:
    """Let no row wait that another one of its list dominates, which started later and ended no later.

    Of what ended before `settled` it does not matter which ended later.
    """
    start, end, best[:] = rows.start, rows.end, -1
    for row in range(done):
        for side in range(2):
            if not (waiting[row] >> side) & 1:
                continue
            group = group_of(row, side, rows)
            kept = best[group, side]
            if kept >= 0 and (start[row], -end[row]) < (start[kept], -end[kept]):
                waiting[row] &= 2 - side
                continue
            if kept >= 0 and (end[row] < settled or end[row] == end[kept]):
                waiting[kept] &= 2 - side
            best[group, side] = row
    return done
