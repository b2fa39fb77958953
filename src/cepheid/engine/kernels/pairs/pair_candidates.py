"""Kernels beside those that choose: candidates are listed before they are looked at, and pairs are written down."""

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.pairs.pair_lists import (
    CHRONOLOGICAL,
    NEXT,
    PairLimits,
    PairLists,
    PairRows,
    first_group,
    next_group,
)
from cepheid.engine.kernels.pairs.pair_reach import Candidates, far, fits, near

ROW, NEXT_ROW = 0, 1  # of `place`
POSITIONS = False


def list_candidates(
    first: int,
    last: int,
    rows: PairRows,
    lists: PairLists,
    limits: PairLimits,
    none: Candidates,
    fresh: Data,
    behind: Data,
    choice: int,
    place: Data,
    out: Data,
) -> int:
    """List for every row and each of its sides all rows before it that are near enough; return how many.

    Rows that are new have lists of their own, which begin in `fresh` with the latest. Where there is no more room,
    `place` says from which row on to list again.
    """
    count = 0
    for row in range(place[ROW], last):
        before, key = count, rows.key[row]
        for own in range(2):
            if not (rows.member[row] >> own) & 1:
                continue
            other, times, positions = 1 - own, near(row, own, rows, limits), far(row, own, rows, limits)
            group, is_new = first_group(row, other, rows, lists), False
            while not is_new:
                is_new = group < 0
                one = fresh[key, other] if is_new else lists.heads[group, other]
                is_rising = not is_new and (choice == CHRONOLOGICAL or (choice == NEXT and own == 0))
                while one >= 0 and (is_rising or rows.end[one] >= times[1]):
                    if fits(one, rows, times, positions, 0, none):
                        if count == out.shape[1]:
                            place[ROW] = row
                            return before
                        out[0, count], out[1, count] = 2 * (row - first) + own, one
                        count += 1
                    one = behind[other, one] if is_new else lists.link[other, one]
                group = -1 if is_new else next_group(group, other, lists)
            if place[NEXT_ROW] <= 2 * row + own:
                behind[own, row] = fresh[key, own]
                fresh[key, own] = row
                place[NEXT_ROW] = 2 * row + own + 1
    place[ROW] = last
    return count


def write_pairs(pairs: Data, times: Data, refs: Data, lefts: int, rights: int, told: Data, parts: Data) -> int:
    """Write down where pairs of rows lie, when both of each were there, and what they are made of."""
    for number in range(pairs.shape[1]):
        left, right = pairs[0, number], pairs[1, number]
        told[0, number] = min(times[0, left], times[0, right])
        told[1, number] = max(times[1, left], times[1, right])
        told[2, number] = max(times[2, left], times[2, right])
        for place in range(lefts):
            parts[place, number] = refs[place, left]
        for place in range(rights):
            parts[lefts + place, number] = refs[place, right]
    return int(pairs.shape[1])


def count_unclear(first: int, last: int, end: Data, ref: Data, member: Data, simple: bool, ordered: bool) -> int:
    """Return how many rows are not certainly after the one before them, by number alone."""
    unclear = 0
    for row in range(first + 1, last):
        if end[row] != end[row - 1]:
            continue
        one, other = ref[row - 1], ref[row]
        if not simple:
            unclear += 1
        elif one == other:
            unclear += member[row - 1] >= member[row]
        else:
            unclear += not (ordered and one >> 48 == 0 and other >> 48 == 0 and one < other)
    return unclear
