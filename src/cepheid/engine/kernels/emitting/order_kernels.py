"""The kernel that puts the rows of matches in order: they come by last events, and those of one are sorted."""

from cepheid.engine.kernels.compiling.typed_arrays import Data

FEW = 12
"""So many matches of one last event are put in one by one."""


def put_in_order(rows: Data, count: int, time: Data, target: Data, counts: Data) -> bool:
    """Write rows to the target by their events; return whether they came by last events, so that this could be done.

    What has the same last event is a group. Few are put in one by one, and many are dealt out by their first events,
    which none of them shares with another, or they came the other way round.
    """
    begins, before, ends = rows[0], rows[rows.shape[0] - 2], rows[rows.shape[0] - 1]
    first = 0
    while first < count:
        stop, least, most, back = first + 1, begins[first], begins[first], True
        while stop < count and ends[stop] == ends[first]:
            if before[stop] >= before[stop - 1]:
                back &= before[stop] == before[stop - 1] and begins[stop] < begins[stop - 1]
            least, most = min(least, begins[stop]), max(most, begins[stop])
            stop += 1
        if stop < count and time[ends[stop]] <= time[ends[first]]:
            return False
        if stop - first <= FEW:
            insert_few(rows, first, stop, target)
        else:
            width = most - least + 1
            if width >= counts.shape[0] or not deal_out(rows, first, stop, least, width, back, target, counts):
                return False
        first = stop
    return True


def insert_few(rows: Data, first: int, stop: int, target: Data) -> None:
    """Write the rows of a group one by one, each behind those that are less."""
    parts = rows.shape[0]
    for match in range(stop - 1, first - 1, -1):
        to = first + stop - 1 - match
        while to > first:
            part = 0
            while part < parts - 1 and target[part, to - 1] == rows[part, match]:
                part += 1
            if target[part, to - 1] <= rows[part, match]:
                break
            for line in range(parts):
                target[line, to] = target[line, to - 1]
            to -= 1
        for line in range(parts):
            target[line, to] = rows[line, match]


def deal_out(rows: Data, first: int, stop: int, least: int, width: int, back: bool, target: Data, counts: Data) -> bool:
    """Write the rows of a group by their first events, of which there are so many from the least on.

    Return whether that is their order: none has the first event of another, or they came the other way round.
    """
    parts, begins = rows.shape[0], rows[0]
    counts[: width + 1] = 0
    apart = True
    for match in range(first, stop):
        counts[begins[match] - least + 1] += 1
        apart &= counts[begins[match] - least + 1] == 1
    if not back and not apart:
        return False
    for value in range(width):
        counts[value + 1] += counts[value]
    for match in range(stop - 1, first - 1, -1):
        value = begins[match] - least
        to = first + counts[value]
        counts[value] += 1
        for line in range(parts):
            target[line, to] = rows[line, match]
    return True
