"""How far the partner of a row may be, and which partners satisfy the conditions on candidates."""

from typing import NamedTuple

from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.pairs.pair_lists import PairLimits, PairLists, PairRows

POSITIONS, CANDIDATES = False, False
"""Flags: positions in the stream count; only candidates that were looked at before may be taken."""
FIRST_LOW, LAST_LOW, FIRST_HIGH, LAST_HIGH = range(4)
Limits = tuple[int, int, int, int]


class Candidates(NamedTuple):
    """The rows that satisfy the conditions on candidates, for each row and side from `offsets` on.

    `first` is the row that the first offsets are of; `mark` has room for a mark of each row.
    """

    first: int
    offsets: Data
    partner: Data
    mark: Data


def reach(first: int, last: int, bounds: Data, own: int) -> Limits:
    """Return the least start, the least end, the greatest start and the greatest end of partners of a row."""
    return (
        max(first - bounds[own, 0], last - bounds[own, 1]),
        max(first - bounds[own, 2], last - bounds[own, 3]),
        min(first + bounds[own, 4], last + bounds[own, 5]),
        min(first + bounds[own, 6], last + bounds[own, 7]),
    )


def near(row: int, own: int, rows: PairRows, limits: PairLimits) -> Limits:
    """Return between which times partners of a row start and end."""
    return reach(rows.start[row], rows.end[row], limits.times, own)


def far(row: int, own: int, rows: PairRows, limits: PairLimits) -> Limits:
    """Return between which positions partners of a row lie."""
    return reach(rows.low[row], rows.high[row], limits.positions, own) if POSITIONS else (0, 0, 0, 0)


def is_within(first: int, last: int, limits: Limits) -> bool:
    """Say whether a first and a last value are within what `reach` returns."""
    return limits[0] <= first <= limits[2] and limits[1] <= last <= limits[3]


def mark_candidates(row: int, own: int, candidates: Candidates) -> int:
    """Mark the candidates of a side of a row; return the mark."""
    stamp = 2 * row + own + 1
    if CANDIDATES:
        number = 2 * (row - candidates.first) + own
        for place in range(candidates.offsets[number], candidates.offsets[number + 1]):
            candidates.mark[candidates.partner[place]] = stamp
    return stamp


def fits(one: int, rows: PairRows, times: Limits, positions: Limits, stamp: int, candidates: Candidates) -> bool:
    """Say whether a row is near enough to be taken, and is a candidate."""
    found = is_within(rows.start[one], rows.end[one], times)
    if POSITIONS:
        found = found and is_within(rows.low[one], rows.high[one], positions)
    if CANDIDATES:
        found = found and candidates.mark[one] == stamp
    return found


def waits(row: int, own: int, rows: PairRows, limits: PairLimits, coming: int) -> bool:
    """Say whether partners of a row may still come, which end at a time or later."""
    found = near(row, own, rows, limits)[3] >= coming
    if POSITIONS:
        found = found and far(row, own, rows, limits)[3] >= rows.high[row]
    return found


def last_that_ended(group: int, side: int, rows: PairRows, lists: PairLists, latest: int) -> int:
    """Return the first row in a list of a side that ended at a time or before; less than nothing: none."""
    one = lists.heads[group, side]
    while one >= 0 and rows.end[one] > latest:
        one = lists.link[side, one]
    return int(one)


def is_over(one: int, side: int, row: int, rows: PairRows, limits: PairLimits) -> bool:
    """Say whether a row of a side waits in vain from another row on: no partner that ends later is near enough."""
    time, bounds = rows.end[row], limits.times
    found = rows.start[one] + bounds[side, 6] < time or rows.end[one] + bounds[side, 7] < time
    if POSITIONS:
        found = found or rows.low[one] + limits.positions[side, 6] < rows.high[row]
        found = found or rows.high[one] + limits.positions[side, 7] < rows.high[row]
    return bool(found)


def is_older(one: int, best: int, start: Data, tie: int, weight: Data) -> bool:
    """Say whether a row started before another one, or with it and weighs more, times `tie`."""
    return bool(start[one] < start[best] or (start[one] == start[best] and tie * weight[one] > tie * weight[best]))


def may_be_older(one: int, best: int, rows: PairRows, longest: tuple[int, int]) -> bool:
    """Say whether a row, or one that ends after it, can have started before another: none is longer than `longest`."""
    found = rows.end[one] - longest[0] <= rows.start[best]
    if POSITIONS:
        found = found and rows.high[one] - longest[1] <= rows.low[best]
    return bool(found)
