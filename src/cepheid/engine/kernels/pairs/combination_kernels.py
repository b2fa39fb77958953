"""Kernels that join more than two: every row takes all combinations with rows before it, and then waits.

Rows of all parts are in one log. Lists are by key and part, from the latest end to the first.
"""

from typing import NamedTuple

from cepheid.engine.kernels.compiling.typed_arrays import Data

POSITIONS = False
"""A flag: positions of rows in their stream count."""
COUNT, STATUS = 0, 1  # of `control`
FULL = 1
FITS, DIFFERS, IS_BEFORE = range(3)


class PartRows(NamedTuple):
    """Rows of all parts: their times, positions, part, key and further codes, of which some parts have the same."""

    start: Data
    end: Data
    low: Data
    high: Data
    part: Data
    key: Data
    codes: Data


class PartLists(NamedTuple):
    """The lists of rows by key and part."""

    heads: Data
    link: Data


class PartLimits(NamedTuple):
    """How far apart the ends of parts may be, in time and in positions, from start and end of one part to another.

    Of the codes that `shared` says two parts have, both must have the same.
    """

    times: Data
    positions: Data
    shared: Data


def combine(
    first: int,
    last: int,
    rows: PartRows,
    lists: PartLists,
    limits: PartLimits,
    chosen: Data,
    out: Data,
    control: Data,
) -> int:
    """Write down all combinations of each row with rows before it, one of each other part; return where to go on.

    With a row that there is no room for, nothing has been done yet.
    """
    parts, count, control[STATUS] = lists.heads.shape[1], control[COUNT], 0
    for row in range(first, last):
        before, own, key = count, rows.part[row], rows.key[row]
        chosen[own] = row
        depth = 0 if own > 0 else 1
        one = lists.heads[key, depth]
        while depth >= 0:
            found = next_that_fits(one, depth, own, chosen, rows, lists, limits)
            deeper = depth + 1 if depth + 1 != own else depth + 2
            if found < 0:
                depth = depth - 1 if depth - 1 != own else depth - 2
                one = lists.link[chosen[depth]] if depth >= 0 else -1
                continue
            chosen[depth] = found
            if deeper < parts:
                depth = deeper
                one = lists.heads[key, depth]
                continue
            if count >= out.shape[1]:
                control[COUNT], control[STATUS] = before, FULL
                return row
            for number in range(parts):
                out[number, count] = chosen[number]
            count += 1
            one = lists.link[found]
        put_part_in_order(row, rows, lists)
    control[COUNT] = count
    return last


def next_that_fits(
    one: int, depth: int, own: int, chosen: Data, rows: PartRows, lists: PartLists, limits: PartLimits
) -> int:
    """Return the first row of a list that goes with what is chosen of the parts before it; less than nothing: none."""
    while one >= 0:
        state = looked_at(one, depth, own, chosen, rows, limits)
        if state == FITS:
            return one
        one = -1 if state == IS_BEFORE else lists.link[one]
    return -1


def looked_at(one: int, depth: int, own: int, chosen: Data, rows: PartRows, limits: PartLimits) -> int:
    """Say whether a row goes with what is chosen, or not, or all of its list from it on ended too early."""
    found = FITS
    for part in range(chosen.shape[0]):
        if part == depth or (part > depth and part != own):
            continue
        other = chosen[part]
        if ended_before(one, depth, other, part, rows.start, rows.end, limits.times):
            return IS_BEFORE
        if POSITIONS and ended_before(one, depth, other, part, rows.low, rows.high, limits.positions):
            return IS_BEFORE
        fits = is_near(one, depth, other, part, rows.start, rows.end, limits.times)
        if POSITIONS:
            fits = fits and is_near(one, depth, other, part, rows.low, rows.high, limits.positions)
        if not (fits and share_codes(one, depth, other, part, rows.codes, limits.shared)):
            found = DIFFERS
    return found


def ended_before(one: int, depth: int, other: int, part: int, first: Data, last: Data, most: Data) -> bool:
    """Say whether a row ended too early for another one, and so did all that ended before it."""
    return bool(
        first[other] - last[one] > most[2 * depth + 1, 2 * part]
        or last[other] - last[one] > most[2 * depth + 1, 2 * part + 1]
    )


def is_near(one: int, depth: int, other: int, part: int, first: Data, last: Data, most: Data) -> bool:
    """Say whether a row is near enough to another one, in all else than `ended_before` says."""
    start, end, other_start, other_end = first[one], last[one], first[other], last[other]
    return bool(
        start - other_start <= most[2 * part, 2 * depth]
        and end - other_start <= most[2 * part, 2 * depth + 1]
        and start - other_end <= most[2 * part + 1, 2 * depth]
        and end - other_end <= most[2 * part + 1, 2 * depth + 1]
        and other_start - start <= most[2 * depth, 2 * part]
        and other_end - start <= most[2 * depth, 2 * part + 1]
    )


def share_codes(one: int, depth: int, other: int, part: int, codes: Data, shared: Data) -> bool:
    """Say whether two rows have the same of all codes that both of their parts have."""
    for number in range(shared.shape[0]):
        if shared[number, depth] and shared[number, part] and codes[number, one] != codes[number, other]:
            return False
    return True


def put_part_in_order(row: int, rows: PartRows, lists: PartLists) -> None:
    """Put a row into the list of its key and part, which goes from the latest end to the first."""
    key, part, behind = rows.key[row], rows.part[row], -1
    following = lists.heads[key, part]
    while following >= 0 and rows.high[following] > rows.high[row]:
        behind = following
        following = lists.link[following]
    lists.link[row] = following
    if behind < 0:
        lists.heads[key, part] = row
    else:
        lists.link[behind] = row


def write_combinations(rows: Data, times: Data, told: Data) -> int:
    """Write down where combinations of rows lie, and when all of each were there."""
    for number in range(rows.shape[1]):
        for line in range(3):
            told[line, number] = times[line, rows[0, number]]
        for part in range(1, rows.shape[0]):
            row = rows[part, number]
            told[0, number] = min(told[0, number], times[0, row])
            told[1, number] = max(told[1, number], times[1, row])
            told[2, number] = max(told[2, number], times[2, row])
    return int(rows.shape[1])


def note_live_parts(top: int, rows: PartRows, limits: PartLimits, coming: Data, place: Data, kept: Data) -> int:
    """Write down the rows that a row of another part can still come for; return how many.

    Rows of other parts come at a time and a position, or later.
    """
    count, most = 0, limits.times
    for row in range(top):
        own = rows.part[row]
        for other in range(coming.shape[0]):
            late = min(rows.start[row] + most[2 * own, 2 * other + 1], rows.end[row] + most[2 * own + 1, 2 * other + 1])
            lives = other != own and late >= coming[own]
            if POSITIONS:
                far = rows.low[row] + limits.positions[2 * own, 2 * other + 1]
                lives = lives and min(far, rows.high[row] + limits.positions[2 * own + 1, 2 * other + 1]) >= place[row]
            if lives:
                kept[count] = row
                count += 1
                break
    return count


def link_parts(top: int, rows: PartRows, lists: PartLists) -> int:
    """Put all rows into the lists of their keys and parts again."""
    lists.heads[:] = -1
    for row in range(top):
        put_part_in_order(row, rows, lists)
    return top
