"""Kernels that join two, one for each choice: every row takes its partners among the rows before it, and then waits.

A row may be of the left side, of the right one or of both, and is looked at as the left one first. All return the row
to go on with. With a row that there is no room for in `out`, nothing has been done yet.
"""

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.pairs.pair_lists import (
    PairLimits,
    PairLists,
    PairRows,
    first_group,
    first_that_ended,
    group_of,
    next_group,
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
from cepheid.engine.kernels.pairs.pair_taken import (
    Taken,
    is_free,
    is_taken_again,
    lacks_marks,
    lacks_room,
    note_taken,
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
            one = last_that_ended(first_group(row, 1 - own, rows, lists), 1 - own, rows, lists, times[3])
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
        one = lists.heads[group_of(row, 0, rows), 0]
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
    """Let every row take of each group of partners the one that ended last."""
    count = control[COUNT]
    for row in range(first, last):
        if lacks_room(row, count, lists, out):
            control[COUNT], control[STATUS] = count, FULL
            return row
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            stamp, group = mark_candidates(row, own, candidates), first_group(row, 1 - own, rows, lists)
            while group >= 0:
                best = most_recent(row, own, group, stamp, rows, lists, limits, candidates, tie, weight)
                if best >= 0:
                    out[own, count], out[1 - own, count] = row, best
                    count += 1
                group = next_group(group, 1 - own, lists)
            if waits(row, own, rows, limits, rows.end[row]):
                put_in_order(row, own, rows, lists)
    control[COUNT] = count
    return last


def most_recent(
    row: int,
    own: int,
    group: int,
    stamp: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    tie: int,
    weight: Data,
) -> int:
    """Return the partner of a row that ended last; of those the one that has the greatest weight, times `tie`."""
    times, positions = near(row, own, rows, limits), far(row, own, rows, limits)
    end, weights = rows.end, (1 - own) * (weight.shape[0] - 1)
    one, best = last_that_ended(group, 1 - own, rows, lists, times[3]), -1
    while one >= 0 and end[one] >= times[1] and (best < 0 or end[one] == end[best]):
        if fits(one, rows, times, positions, stamp, candidates) and (
            best < 0 or tie * weight[weights, one] > tie * weight[weights, best]
        ):
            best = one
        one = lists.link[1 - own, one]
    return best


def take_next(
    first: int,
    last: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    taken: Taken,
    out: Data,
    control: Data,
) -> int:
    """Let every left row take the next right one of each group; right ones wait from the first to the last."""
    count = control[COUNT]
    for row in range(first, last):
        if lacks_room(row, count, lists, out) or lacks_marks(row, lists, taken, control):
            control[COUNT], control[STATUS] = count, FULL
            return row
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            stamp, other, before = mark_candidates(row, own, candidates), 1 - own, count
            group = first_group(row, other, rows, lists)
            while group >= 0:
                if own == 1:
                    count = take_lefts(row, group, stamp, rows, lists, limits, candidates, taken, out, control, count)
                else:
                    one = next_right(row, group, stamp, rows, lists, limits, candidates)
                    if one >= 0:
                        out[0, count], out[1, count] = row, one
                        count += 1
                        if is_taken_again(0):
                            note_taken(row, group, taken, control)
                group = next_group(group, other, lists)
            is_taken = own == 0 and count > before and not is_taken_again(0)
            if not is_taken and waits(row, own, rows, limits, rows.end[row]):
                put_next(row, own, rows, lists)
    control[COUNT] = count
    return last


def next_right(
    row: int, group: int, stamp: int, rows: PairRows, lists: PairLists, limits: PairLimits, candidates: Candidates
) -> int:
    """Return the first right partner of a left row in a list, which loses what is over; less than nothing: none."""
    times, positions, behind = near(row, 0, rows, limits), far(row, 0, rows, limits), -1
    one, taken = lists.heads[group, 1], -1
    while one >= 0 and taken < 0 and rows.end[one] <= times[3]:
        following = lists.link[1, one]
        is_taken = fits(one, rows, times, positions, stamp, candidates)
        if is_over(one, 1, row, rows, limits):
            take_out(one, behind, 1, rows, lists)
        elif is_taken:
            taken = one
        else:
            behind = one
        one = following
    return taken


def take_lefts(
    row: int,
    group: int,
    stamp: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    taken: Taken,
    out: Data,
    control: Data,
    count: int,
) -> int:
    """Let all left rows of a list take a right one that have none of its group, and wait no more for such."""
    times, positions, behind = near(row, 1, rows, limits), far(row, 1, rows, limits), -1
    one, own = lists.heads[group, 0], group_of(row, 1, rows)
    while one >= 0 and rows.end[one] >= times[1]:
        following = lists.link[0, one]
        is_taken = fits(one, rows, times, positions, stamp, candidates) and is_free(one, 0, own, taken)
        if is_taken:
            out[1, count], out[0, count] = row, one
            count += 1
        if is_taken and not is_taken_again(0):
            take_out(one, behind, 0, rows, lists)
        else:
            behind = one
            if is_taken:
                note_taken(one, own, taken, control)
        one = following
    return count


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
    taken: Taken,
    out: Data,
    control: Data,
) -> int:
    """Let every row take of each group of partners the one that started first, which then waits no more for its like.

    `widths` is how long rows can be, and `lengths` how long in time where their arrivals are what counts.
    """
    count = control[COUNT]
    for row in range(first, last):
        if lacks_room(row, count, lists, out) or lacks_marks(row, lists, taken, control):
            control[COUNT], control[STATUS] = count, FULL
            return row
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            other, before = 1 - own, count
            weights, longest = weight[other * (weight.shape[0] - 1)], (widths[other], lengths[other])
            stamp, group = mark_candidates(row, own, candidates), first_group(row, other, rows, lists)
            while group >= 0:
                best, behind = oldest_partner(
                    row, own, group, stamp, rows, lists, limits, candidates, longest, tie, weights, taken
                )
                if best >= 0:
                    out[own, count], out[other, count] = row, best
                    count += 1
                    use_up(row, own, group, best, behind, rows, lists, taken, control)
                group = next_group(group, other, lists)
            if (count == before or is_taken_again(own)) and waits(row, own, rows, limits, rows.end[row]):
                put_at_end(row, own, rows, lists)
    control[COUNT] = count
    return last


def use_up(
    row: int,
    own: int,
    group: int,
    best: int,
    behind: int,
    rows: PairRows,
    lists: PairLists,
    taken: Taken,
    control: Data,
) -> None:
    """Let a row and the partner that it took from a group wait no more for the like of each other."""
    if is_taken_again(own):
        note_taken(row, group, taken, control)
    if is_taken_again(1 - own):
        note_taken(best, group_of(row, own, rows), taken, control)
    else:
        take_out(best, behind, 1 - own, rows, lists)


def oldest_partner(
    row: int,
    own: int,
    group: int,
    stamp: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    candidates: Candidates,
    longest: tuple[int, int],
    tie: int,
    weight: Data,
    taken: Taken,
) -> tuple[int, int]:
    """Return the partner of a row that started first and the row before it in the list, which loses what is over.

    Partners wait in the order of their ends, and none is longer than `longest` in time and in positions.
    """
    times, positions, other = near(row, own, rows, limits), far(row, own, rows, limits), 1 - own
    best, before_best = -1, -1
    one, behind = first_that_ended(row, group, other, rows, lists, times[1])
    while one >= 0 and (best < 0 or may_be_older(one, best, rows, longest)):
        following = lists.link[other, one]
        if not (lists.listed[one] >> other) & 1 or is_over(one, other, row, rows, limits):
            take_out(one, behind, other, rows, lists)
        elif rows.end[one] > times[3]:
            break
        else:
            older = best < 0 or is_older(one, best, rows.start, tie, weight)
            older = older and is_free(one, other, group_of(row, own, rows), taken)
            if older and fits(one, rows, times, positions, stamp, candidates):
                best, before_best = one, behind
            behind = one
        one = following
    return best, before_best
