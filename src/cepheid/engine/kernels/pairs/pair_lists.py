"""Rows of a join of two, the lists in which they wait, and the kernels that keep these.

A row that waits as the left one is in the list of its key that begins in `heads[key, 0]`, as the right one in that
of `heads[key, 1]`; `link` leads on, and `listed` says in which it is. Lists go from the latest end to the first. Those
of a chronological choice go from the first to the last instead, and so do right ones that are next; `heads[key, 2]` and
`heads[key, 3]` are the ends of these. A row that was found without the one before it stays in such a list until
somebody passes by, although it is not `listed` any more.

Where a side says by itself who competes with whom, there is a list for each group of rivals in place of one for each
key. The groups of a key are linked: from `heads[key, 4 + side]` on, and from each group by `heads[group, 6 + side]`.
"""

from typing import NamedTuple

from cepheid.engine.kernels.compiling.typed_arrays import Data

ALL, RECENT, CHRONOLOGICAL, NEXT, LATEST_START = range(5)
"""The choices."""
POSITIONS = False
"""A flag: positions of rows in their stream count, and limit partners as their starts and ends do."""
RIVALS = 0
"""A flag: the sides, as bits, that say by themselves who competes with whom."""
FIRST_GROUP, NEXT_GROUP, LAST_GROUP = 4, 6, -2
LOST = -2
"""In place of the row before another one in its list: there is one, and nobody knows which."""


class PairRows(NamedTuple):
    """Rows of both sides of a join, in the order in which they end: their times, and where in the stream they lie.

    `member` says of which sides a row is, and `rival` among whom it competes as one of them.
    """

    start: Data
    end: Data
    low: Data
    high: Data
    member: Data
    key: Data
    rival: Data


class PairLists(NamedTuple):
    """The lists of rows that wait."""

    heads: Data
    link: Data
    listed: Data


class PairLimits(NamedTuple):
    """How far from its own ends a partner of each side may be: in time, and in positions."""

    times: Data
    positions: Data


def group_of(row: int, own: int, rows: PairRows) -> int:
    """Return the number of the list of a row."""
    return int(rows.rival[own, row] if RIVALS else rows.key[row])


def first_group(row: int, side: int, rows: PairRows, lists: PairLists) -> int:
    """Return the first list of a side that has partners of a row; less than nothing: there is none."""
    return int(lists.heads[rows.key[row], FIRST_GROUP + side] if RIVALS else rows.key[row])


def next_group(group: int, side: int, lists: PairLists) -> int:
    """Return the list of a side that follows another one of its key; less than nothing: there is none."""
    return int(lists.heads[group, NEXT_GROUP + side] if RIVALS else LAST_GROUP)


def note_group(row: int, own: int, rows: PairRows, lists: PairLists) -> None:
    """Let the list of a row be among those of its key."""
    if RIVALS:
        heads, key, group = lists.heads, rows.key[row], group_of(row, own, rows)
        if heads[group, NEXT_GROUP + own] == -1:
            following = heads[key, FIRST_GROUP + own]
            heads[group, NEXT_GROUP + own] = LAST_GROUP if following < 0 else following
            heads[key, FIRST_GROUP + own] = group


def put_in_order(row: int, own: int, rows: PairRows, lists: PairLists) -> None:
    """Put a row into the list of its side, which goes from the latest end to the first."""
    end, link, group = rows.end, lists.link, group_of(row, own, rows)
    behind = -1
    following = lists.heads[group, own]
    while following >= 0 and end[following] > end[row]:
        behind = following
        following = link[own, following]
    link[own, row] = following
    if behind < 0:
        lists.heads[group, own] = row
    else:
        link[own, behind] = row
    lists.listed[row] |= 1 << own
    note_group(row, own, rows, lists)


def put_at_end(row: int, own: int, rows: PairRows, lists: PairLists) -> None:
    """Put a row at the end of the list of its side, which goes from the first to the last."""
    group, heads = group_of(row, own, rows), lists.heads
    lists.link[own, row] = -1
    if heads[group, own] < 0:
        heads[group, own] = row
    else:
        lists.link[own, heads[group, 2 + own]] = row
    heads[group, 2 + own] = row
    lists.listed[row] |= 1 << own
    note_group(row, own, rows, lists)


def put_next(row: int, own: int, rows: PairRows, lists: PairLists) -> None:
    """Put a row into its list where left ones take the next right one: that is the first of those that fit."""
    if own == 1:
        put_at_end(row, own, rows, lists)
    else:
        put_in_order(row, own, rows, lists)


def take_out(row: int, behind: int, own: int, rows: PairRows, lists: PairLists) -> None:
    """Take a row out of the list of its side; `behind` is the one that leads to it, less than nothing for none."""
    following, group = lists.link[own, row], group_of(row, own, rows)
    lists.listed[row] &= 2 - own
    if behind == LOST:
        return
    if behind < 0:
        lists.heads[group, own] = following
    else:
        lists.link[own, behind] = following
    if following < 0:
        lists.heads[group, 2 + own] = behind


def first_that_ended(row: int, group: int, side: int, rows: PairRows, lists: PairLists, least: int) -> tuple[int, int]:
    """Return what ended first at a time or later in a list that begins with the first, and the one before it there.

    The list is followed and, in step with that, all rows from this time to the one that asks are looked at: usually one
    of both is short.
    """
    end, behind, one = rows.end, -1, int(lists.heads[group, side])
    if one < 0 or end[one] >= least:
        return one, behind
    other = first_row_since(least, one, row + 1, end)
    while one >= 0 and end[one] < least:
        if other > row:
            return -1, -1
        if (lists.listed[other] >> side) & 1 and group_of(other, side, rows) == group:
            return other, LOST
        other += 1
        behind, one = one, int(lists.link[side, one])
    return one, behind


def first_row_since(least: int, low: int, high: int, end: Data) -> int:
    """Return the first of some rows that ended at a time or later; the one after them if there is none."""
    while low < high:
        middle = (low + high) // 2
        if end[middle] < least:
            low = middle + 1
        else:
            high = middle
    return low


def link_pairs(count: int, rows: PairRows, lists: PairLists, choice: int) -> int:
    """Put all rows that wait into the lists of their sides again."""
    lists.heads[:] = -1
    for row in range(count):
        for own in range(2):
            if not (lists.listed[row] >> own) & 1:
                continue
            if choice == CHRONOLOGICAL:
                put_at_end(row, own, rows, lists)
            elif choice == NEXT:
                put_next(row, own, rows, lists)
            else:
                put_in_order(row, own, rows, lists)
    return count


def note_latest_starts(count: int, rows: PairRows, lists: PairLists, latest: Data) -> int:
    """Write down the latest start of each row and of all behind it in its list."""
    for row in range(count):
        for own in range(2):
            if (lists.listed[row] >> own) & 1:
                note_latest_start(row, own, rows, lists, latest)
    return count


def note_latest_start(row: int, own: int, rows: PairRows, lists: PairLists, latest: Data) -> None:
    """Write down the latest start of a row and of all behind it in its list."""
    before = lists.link[own, row]
    latest[own, row] = rows.start[row] if before < 0 else max(rows.start[row], latest[own, before])


def merge_sides(
    times: Data, refs: Data, keys: Data, many: int, top: int, log_times: Data, log_refs: Data, member: Data, key: Data
) -> int:
    """Write two lists of rows, one behind the other, into a log: by end, then by number, the left one first."""
    i, j = 0, many
    for place in range(top, top + times.shape[1]):
        left = j >= times.shape[1]
        if not left and i < many:
            tied = times[1, i] == times[1, j]
            left = times[1, i] < times[1, j] or (tied and refs[0, i] <= refs[0, j])
        row = i if left else j
        for line in range(3):
            log_times[line, place] = times[line, row]
        for line in range(refs.shape[0]):
            log_refs[line, place] = refs[line, row]
        member[place] = 1 if left else 2
        key[place] = keys[row]
        if left:
            i += 1
        else:
            j += 1
    return i


def note_live(
    done: int, top: int, rows: PairRows, listed: Data, limits: PairLimits, coming: Data, place: Data, kept: Data
) -> int:
    """Write down the rows that partners can still come for, and all that were not seen yet; return how many.

    Partners of each side come at a time and a position, or later, which each row has of its own.
    """
    count = 0
    for row in range(done):
        for side in range(2):
            lives = (listed[row] >> side) & 1 == 1 and rows.start[row] + limits.times[side, 6] >= coming[side, row]
            lives = lives and rows.end[row] + limits.times[side, 7] >= coming[side, row]
            if POSITIONS:
                lives = lives and rows.low[row] + limits.positions[side, 6] >= place[side, row]
                lives = lives and rows.high[row] + limits.positions[side, 7] >= place[side, row]
            if lives:
                kept[count] = row
                count += 1
                break
    for row in range(done, top):
        kept[count] = row
        count += 1
    return count


def put_first(row: int, own: int, rows: PairRows, lists: PairLists) -> None:
    """Put a row at the head of the list of its side."""
    group = group_of(row, own, rows)
    lists.listed[row] |= 1 << own
    lists.link[own, row] = lists.heads[group, own]
    lists.heads[group, own] = row
    note_group(row, own, rows, lists)
