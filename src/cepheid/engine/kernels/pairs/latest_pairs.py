"""The kernel for the choice of the latest start: of the pairs that end together under one key it takes one.

Of partners that ended before, a row takes the one that started last, and of those the one that ended first; no list
need be followed to where all started earlier. Rows of one instant are complete and in the total order, so that
their numbers are their ranks. Where one side has keys of its own, pairs are chosen among those of one of its groups.
"""

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.pairs.pair_kernels import COUNT, FULL, STATUS
from cepheid.engine.kernels.pairs.pair_lists import (
    PairLimits,
    PairLists,
    PairRows,
    first_group,
    group_of,
    next_group,
    note_latest_start,
    put_first,
)
from cepheid.engine.kernels.pairs.pair_reach import Candidates, far, fits, mark_candidates, near, waits

POSITIONS, RIVALS = False, 0
WHOLE, START, LEFT, LEADS, OTHER_START, OTHER_END, FOLLOWS = range(7)
"""What pairs are compared by, in this order, for each key in `chosen`: less than nothing in `LEADS` is no pair."""


def take_latest_start(
    first: int,
    last: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    latest: Data,
    chosen: Data,
    touched: Data,
    out: Data,
    control: Data,
) -> int:
    """Write down the pair that is chosen for each key and instant; return the row to go on with."""
    count, many = control[COUNT], 0
    for row in range(first, last):
        end = rows.end[row]
        if many == 0 and (row == first or rows.end[row - 1] != end) and out.shape[1] - count < lists.heads.shape[0]:
            control[COUNT], control[STATUS] = count, FULL
            return row
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            stamp, group = mark_candidates(row, own, candidates), first_group(row, 1 - own, rows, lists)
            while group >= 0:
                chooser = group if (RIVALS >> (1 - own)) & 1 else group_of(row, own, rows)
                if offer_best(row, own, group, stamp, rows, lists, limits, candidates, latest, chosen[chooser]):
                    touched[many] = chooser
                    many += 1
                group = next_group(group, 1 - own, lists)
            if waits(row, own, rows, limits, end):
                put_first(row, own, rows, lists)
                note_latest_start(row, own, rows, lists, latest)
        if row + 1 == last or rows.end[row + 1] != end:
            count = write_chosen(touched[:many], chosen, out, count)
            many = 0
    control[COUNT] = count
    return last


def offer_best(
    row: int,
    own: int,
    group: int,
    stamp: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    latest: Data,
    chosen: Data,
) -> bool:
    """Offer all pairs of a row with partners of a list that can be the best; say whether they are the first."""
    times, positions, end = near(row, own, rows, limits), far(row, own, rows, limits), rows.end[row]
    one, best, is_first = lists.heads[group, 1 - own], -1, False
    while one >= 0 or best >= 0:
        taken = -1
        if one < 0 or is_beyond(one, best, own, rows, latest, times[1], positions[1]):
            taken, best, one = best, -1, -1
        else:
            if fits(one, rows, times, positions, stamp, candidates):
                if rows.end[one] == end:
                    taken = one
                elif best < 0 or is_later(one, best, rows):
                    best = one
            one = lists.link[1 - own, one]
        if taken >= 0 and offer(chosen, row, taken, own, rows):
            is_first = True
    return is_first


def is_beyond(one: int, best: int, own: int, rows: PairRows, latest: Data, end_low: int, last_low: int) -> bool:
    """Say whether no row from one on can be taken, or none would be better than the best."""
    found = rows.end[one] < end_low or (best >= 0 and latest[1 - own, one] < rows.start[best])
    if POSITIONS:
        found = found or rows.high[one] < last_low
    return found


def is_later(one: int, best: int, rows: PairRows) -> bool:
    """Say whether a row started later than another one, or with it and ended before it."""
    if rows.start[one] == rows.start[best]:
        return bool(rows.end[one] < rows.end[best])
    return bool(rows.start[one] > rows.start[best])


def offer(best: Data, row: int, taken: int, own: int, rows: PairRows) -> bool:
    """Let a pair be the chosen one of its key if it is better; say whether it is the first."""
    start, end = rows.start, rows.end
    leads, follows, left = row, taken, 1 - own
    if end[taken] == end[row] and (start[taken] > start[row] or (start[taken] == start[row] and own == 1)):
        leads, follows, left = taken, row, own
    one = (min(start[row], start[taken]), start[leads], left, leads, start[follows], -end[follows], follows)
    is_first = best[LEADS] < 0
    if is_first or one > (best[0], best[1], best[2], best[3], best[4], best[5], best[6]):
        for place in range(7):
            best[place] = one[place]
    return bool(is_first)


def write_chosen(touched: Data, chosen: Data, out: Data, count: int) -> int:
    """Write down the pairs of the keys of an instant, and choose anew; return how many there are now."""
    for key in touched:
        best = chosen[key]
        side = 1 - best[LEFT]
        out[side, count], out[1 - side, count] = best[LEADS], best[FOLLOWS]
        best[LEADS] = -1
        count += 1
    return count
