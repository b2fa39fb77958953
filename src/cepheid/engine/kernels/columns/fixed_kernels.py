"""Kernels that are the same for every rule: choosing rows, looking at arrivals, writing matches down.

Those with types are compiled at once, for arrays of Arrow too, which cannot be written.
"""

from cepheid.engine.kernels.compiling.typed_arrays import Data

NEVER = -(1 << 62)
WIDTH = 1
"""A flag: how many events matches are made of."""
HEAD, TAIL = 0, 1
ENTERED, LEFT = 0, 1  # of `cursors`
COUNT, ODD, TOTAL, SIZE, SLACK = range(5)  # of `sums`
PRECISION = 2.0**-49
ITEM = 2

SELECT_TYPES = "(read_only(types.uint32), types.uint32[::1], types.uint32[::1])"


def select(codes: Data, table: Data, rows: Data) -> int:
    """Write down the rows whose type is of use; return how many there are."""
    count = 0
    for row in range(codes.shape[0]):
        rows[count] = row
        count += table[codes[row]] != 0
    return count


COUNT_TYPES = "(read_only(types.uint32), types.int64[:, ::1])"


def count_codes(codes: Data, counts: Data) -> None:
    """Count codes in several columns in turn: one that comes twice in a row would have to wait for itself."""
    width = counts.shape[0]
    whole = codes.shape[0] // width * width
    for first in range(0, whole, width):
        for place in range(width):
            counts[place, codes[first + place]] += 1
    for row in range(whole, codes.shape[0]):
        counts[0, codes[row]] += 1


ARRIVE_TYPES = "(read_only(types.int64), types.int64, types.int64, types.int64, types.boolean[::1])"


def mark_late(times: Data, bound: int, allowed: int, latest: int, late: Data) -> tuple[int, int, int]:
    """Mark what is late; return the greatest end, the least one of what is not late, and how many are late."""
    marked, least = 0, -NEVER
    for row in range(times.shape[0]):
        time = times[row]
        late[row] = time < bound
        if time < bound:
            marked += 1
            continue
        least = min(least, time)
        if time > latest:
            latest = time
            bound = max(bound, time - allowed)
    return latest, least, marked


def link_runs(count: int, key: Data, heads: Data, link: Data, stage: Data, waiting: Data, last: int) -> int:
    """Put all runs that still wait into the lists of their steps again."""
    heads[:] = -1
    waiting[:] = 0
    for row in range(count):
        step = stage[row]
        if step > 0:
            link[row] = heads[key[row], step - 1]
            heads[key[row], step - 1] = row
            if step == last:
                waiting[key[row]] += 1
    return count


def link_queue(count: int, key: Data, ends: Data, link: Data, stage: Data) -> int:
    """Put all events that still wait into the queues of their keys again, the oldest first."""
    ends[:] = -1
    for row in range(count):
        if stage[row] > 0:
            link[row] = -1
            if ends[key[row], HEAD] < 0:
                ends[key[row], HEAD] = row
            else:
                link[ends[key[row], TAIL]] = row
            ends[key[row], TAIL] = row
    return count


GATHER_TYPES = "(read_only(types.int64), read_only(types.int32), types.int64[::1], types.int64, types.int64)"


def count_by_key(keys: Data, there: Data, counted: Data, places: Data) -> int:
    """Write down for each record how many of its key came before it, and count it."""
    for record in range(keys.shape[0]):
        if there[record]:
            places[record] = counted[keys[record]]
            counted[keys[record]] += 1
    return int(keys.shape[0])


def gather_rows(source: Data, rows: Data, target: Data, first: int, step: int) -> int:
    """Write the entries of some rows to every `step`-th place of a target, from `first` on."""
    place = first
    for number in range(rows.shape[0]):
        target[place] = source[rows[number]]
        place += step
    return place


WRITE_TYPES = (
    "(types.Array(types.int32, 2, 'A'), types.int64[::1], types.int64[::1], types.int64[::1], types.int64[::1], "
    "types.int64[::1])"
)


def write_matches(rows: Data, time: Data, ids: Data, flat: Data, start: Data, end: Data) -> int:
    """Write down the ids of the events of matches, and when these start and end."""
    for number in range(rows.shape[1]):
        for part in range(WIDTH):
            flat[WIDTH * number + part] = ids[rows[part, number]]
        start[number] = time[rows[0, number]]
        end[number] = time[rows[WIDTH - 1, number]]
    return int(rows.shape[1])


ADD_UP_TYPES = "(read_only(types.float64), types.int64[::1], types.float64[::1])"


def add_up(values: Data, offsets: Data, totals: Data) -> int:
    """Add up each group of values from its first to its last."""
    for group in range(totals.shape[0]):
        if offsets[group + 1] > offsets[group]:
            total = values[offsets[group]]
            for place in range(offsets[group] + 1, offsets[group + 1]):
                total = total + values[place]
            totals[group] = total
    return int(totals.shape[0])


ADD_UP_ROWS_TYPES = "(read_only(types.float64), types.int32[::1], types.int64[::1], types.float64[::1])"


def add_up_rows(values: Data, rows: Data, offsets: Data, totals: Data) -> int:
    """Add up the values of each group of rows from its first to its last."""
    for group in range(totals.shape[0]):
        if offsets[group + 1] > offsets[group]:
            total = values[rows[offsets[group]]]
            for place in range(offsets[group] + 1, offsets[group + 1]):
                total = total + values[rows[place]]
            totals[group] = total
    return int(totals.shape[0])


def list_items(found: Data, offsets: Data, link: Data, items: Data) -> int:
    """Write down the items of every anchor; they are linked from the last to the first."""
    for number in range(found.shape[1]):
        row = found[1, number]
        for back in range(offsets[number + 1] - offsets[number]):
            items[offsets[number + 1] - 1 - back] = row
            row = link[row]
    return int(found.shape[1])


def join_anchors(anchors: Data, items: Data, offsets: Data, ids: Data, joined: Data, ends: Data) -> int:
    """Write down the ids of the items of every anchor and of the anchor, in the order of rows and each once.

    Items stand in the order of rows; mostly the anchor is the last of them, or comes after it.
    """
    place = 0
    for number in range(anchors.shape[0]):
        anchor, first, end = anchors[number], offsets[number], offsets[number + 1]
        there = end > first and items[end - 1] <= anchor
        if there:
            for one in range(end - first):
                joined[place + one] = ids[items[first + one]]
            place += end - first
            there = items[end - 1] == anchor
            first = end
        for one in range(first, end):
            if not there and items[one] >= anchor:
                if items[one] > anchor:
                    joined[place] = ids[anchor]
                    place += 1
                there = True
            joined[place] = ids[items[one]]
            place += 1
        if not there:
            joined[place] = ids[anchor]
            place += 1
        ends[number + 1] = place
    return place


def expire_items(
    horizon: int, last: int, time: Data, key: Data, member: Data, sums: Data, cursors: Data, numbers: Data
) -> int:
    """Count out all items before the horizon, as anchors to come would; what has not entered yet never will."""
    row = cursors[LEFT]
    while row < last and time[row] < horizon:
        if row < cursors[ENTERED] and member[row] & ITEM:
            one = key[row]
            sums[one, COUNT] -= 1.0
            value = numbers[0, row] if numbers.shape[0] > 0 else 0.0
            if value - value == 0.0:
                sums[one, SLACK] += PRECISION * (sums[one, SIZE] + abs(value))
                sums[one, TOTAL] -= value
                sums[one, SIZE] -= abs(value)
            else:
                sums[one, ODD] -= 1.0
        row += 1
    cursors[LEFT] = row
    if cursors[ENTERED] < row:
        cursors[ENTERED] = row
    return int(row)
