"""Kernels that join two, one for each choice: every row takes its partners among the rows before it, and then waits.

A row may be of the left side, of the right one or of both, and is looked at as the left one first. All return the row
to go on with. With a row that there is no room for in `out`, nothing has been done yet.
"""

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.pairs.pair_lists import (
    PairLimits,
    PairLists,
    PairRows,
    put_at_end,
    put_in_order,
    put_next,
    take_out,
)
from cepheid.engine.kernels.pairs.pair_reach import (
    Candidates,
    far,
    fits,
    is_older,
    is_over,
    last_that_ended,
    mark_candidates,
    may_be_older,
    near,
    waits,
)

POSITIONS = False
COUNT, STATUS = 0, 1  # of `control`
FULL = 1


def take_all(
    first: int,
    last: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    coming: Data,
    out: Data,
    control: Data,
) -> int:
    """Let every row take all partners; rows may also come late: partners of a side from the time that `coming` says."""
    count, control[STATUS] = control[COUNT], 0
    for row in range(first, last):
        before = count
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            times, positions = near(row, own, rows, limits), far(row, own, rows, limits)
            stamp = mark_candidates(row, own, candidates)
            one = last_that_ended(row, own, rows, lists, times[3])
            while one >= 0 and rows.end[one] >= times[1] and (not POSITIONS or rows.high[one] >= positions[1]):
                if fits(one, rows, times, positions, stamp, candidates):
                    if count >= out.shape[1]:
                        undo(row, own, rows, lists)
                        control[COUNT], control[STATUS] = before, FULL
                        return row
                    out[own, count], out[1 - own, count] = row, one
                    count += 1
                one = lists.link[1 - own, one]
            if waits(row, own, rows, limits, min(rows.end[row], coming[own])):
                put_in_order(row, own, rows, lists)
    control[COUNT] = count
    return last


def undo(row: int, own: int, rows: PairRows, lists: PairLists) -> None:
    """Let a row wait no more that waits as the left one already."""
    if own == 1 and lists.listed[row] & 1:
        behind = -1
        one = lists.heads[rows.key[row], 0]
        while one != row:
            behind = one
            one = lists.link[0, one]
        take_out(row, behind, 0, rows, lists)
    lists.listed[row] = 0


def take_recent(
    first: int,
    last: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    tie: int,
    weight: Data,
    out: Data,
    control: Data,
) -> int:
    """Let every row take the partner that ended last; of those the one that has the greatest weight, times `tie`."""
    count, end = control[COUNT], rows.end
    for row in range(first, last):
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            times, positions = near(row, own, rows, limits), far(row, own, rows, limits)
            stamp, weights = mark_candidates(row, own, candidates), (1 - own) * (weight.shape[0] - 1)
            one, best = last_that_ended(row, own, rows, lists, times[3]), -1
            while one >= 0 and end[one] >= times[1] and (best < 0 or end[one] == end[best]):
                if fits(one, rows, times, positions, stamp, candidates) and (
                    best < 0 or tie * weight[weights, one] > tie * weight[weights, best]
                ):
                    best = one
                one = lists.link[1 - own, one]
            if best >= 0:
                out[own, count], out[1 - own, count] = row, best
                count += 1
            if waits(row, own, rows, limits, end[row]):
                put_in_order(row, own, rows, lists)
    control[COUNT] = count
    return last


def take_next(
    first: int,
    last: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    out: Data,
    control: Data,
) -> int:
    """Let every left row take the next right one, and wait no more; right ones wait from the first to the last."""
    count = control[COUNT]
    for row in range(first, last):
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            times, positions = near(row, own, rows, limits), far(row, own, rows, limits)
            stamp, other, taken, behind = mark_candidates(row, own, candidates), 1 - own, -1, -1
            one = lists.heads[rows.key[row], other]
            while one >= 0 and taken < 0 and (rows.end[one] <= times[3] if own == 0 else rows.end[one] >= times[1]):
                following = lists.link[other, one]
                is_taken = fits(one, rows, times, positions, stamp, candidates)
                if own == 0 and is_over(one, other, row, rows, limits):
                    take_out(one, behind, other, rows, lists)
                elif not is_taken:
                    behind = one
                elif own == 0:
                    taken = one
                else:
                    out[own, count], out[other, count] = row, one
                    count += 1
                    take_out(one, behind, other, rows, lists)
                one = following
            if taken >= 0:
                out[own, count], out[other, count] = row, taken
                count += 1
            elif waits(row, own, rows, limits, rows.end[row]):
                put_next(row, own, rows, lists)
    control[COUNT] = count
    return last


def take_oldest(
    first: int,
    last: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    widths: Data,
    lengths: Data,
    tie: int,
    weight: Data,
    out: Data,
    control: Data,
) -> int:
    """Let every row take the partner that started first, which then waits no more.

    `widths` is how long rows can be, and `lengths` how long in time where their arrivals are what counts.
    """
    count = control[COUNT]
    for row in range(first, last):
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            other = 1 - own
            weights, longest = weight[other * (weight.shape[0] - 1)], (widths[other], lengths[other])
            best, behind = oldest_partner(row, own, rows, lists, limits, candidates, longest, tie, weights)
            if best >= 0:
                take_out(best, behind, other, rows, lists)
                out[own, count], out[other, count] = row, best
                count += 1
            elif waits(row, own, rows, limits, rows.end[row]):
                put_at_end(row, own, rows, lists)
    control[COUNT] = count
    return last


def oldest_partner(
    row: int,
    own: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    longest: tuple[int, int],
    tie: int,
    weight: Data,
) -> tuple[int, int]:
    """Return the partner of a row that started first and the row before it in the list, which loses what is over.

    Partners wait in the order of their ends, and none is longer than `longest` in time and in positions.
    """
    times, positions, other = near(row, own, rows, limits), far(row, own, rows, limits), 1 - own
    stamp, behind, best, before_best = mark_candidates(row, own, candidates), -1, -1, -1
    one = lists.heads[rows.key[row], other]
    while one >= 0 and (best < 0 or may_be_older(one, best, rows, longest)):
        following = lists.link[other, one]
        if is_over(one, other, row, rows, limits):
            take_out(one, behind, other, rows, lists)
        elif rows.end[one] > times[3]:
            break
        else:
            older = best < 0 or is_older(one, best, rows.start, tie, weight)
            if older and fits(one, rows, times, positions, stamp, candidates):
                best, before_best = one, behind
            behind = one
        one = following
    return best, before_best
