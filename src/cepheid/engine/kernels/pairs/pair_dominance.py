"""Kernels that say which rows of a join with a choice need not wait, as another one of their key is always better."""

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.pairs.pair_lists import PairRows, group_of

FOLLOWS = False
"""A flag: what completes a pair starts no earlier than any row ended that waits as its left one and lasts."""


def keep_best_ends(
    done: int, rows: PairRows, waiting: Data, settled: int, tie: int, weight: Data, best: Data, lasting: Data
) -> int:
    """Of the rows that ended before `settled`, or together, let only the best one of each list wait.

    `lasting` gets the end of the last row of each list that lasts: where pairs follow each other, that is as good.
    """
    start, end, best[:] = rows.start, rows.end, -1
    for row in range(done - 1, -1, -1):
        for side in range(2):
            if not (waiting[row] >> side) & 1:
                continue
            group, since = group_of(row, side, rows), settled
            if FOLLOWS and side == 0:
                if start[row] < end[row]:
                    lasting[group] = max(lasting[group], end[row])
                since = max(settled, lasting[group])
            kept = best[group, side]
            weights = side * (weight.shape[0] - 1)
            tied = kept >= 0 and end[kept] == end[row]
            if not tied and (kept < 0 or end[kept] >= since):
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
