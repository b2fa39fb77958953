"""Sources of the kernels that are the same for every rule: choosing rows, looking at arrivals, telling matches."""

from functools import cache

SELECT_TYPES = "(read_only(types.uint32), types.uint32[::1], types.uint32[::1])"
SELECT = '''
def run(codes, table, rows):
    """Write down the rows whose type is of use; return how many there are."""
    count = 0
    for row in range(codes.shape[0]):
        rows[count] = row
        count += table[codes[row]] != 0
    return count
'''

COUNT_TYPES = "(read_only(types.uint32), types.int64[:, ::1])"
COUNT = '''
def run(codes, counts):
    """Count codes in several columns in turn: one that comes twice in a row would have to wait for itself."""
    width = counts.shape[0]
    whole = codes.shape[0] // width * width
    for first in range(0, whole, width):
        for place in range(width):
            counts[place, codes[first + place]] += 1
    for row in range(whole, codes.shape[0]):
        counts[0, codes[row]] += 1
'''

ARRIVE_TYPES = "(read_only(types.int64), types.int64, types.int64, types.int64, types.boolean[::1])"
ARRIVE = '''
def run(times, bound, allowed, latest, late):
    """Mark what is late; return the greatest end, the least one of what is not late, and how many are late."""
    marked = 0
    least = -NEVER
    for row in range(times.shape[0]):
        time = times[row]
        late[row] = time < bound
        if time < bound:
            marked += 1
            continue
        if time < least:
            least = time
        if time > latest:
            latest = time
            if time - allowed > bound:
                bound = time - allowed
    return latest, least, marked
'''

RELINK_RUNS = '''
def run(count, key, heads, link, stage, waiting, last):
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
'''

RELINK_QUEUE = '''
def run(count, key, ends, link, stage):
    """Put all events that still wait into the queues of their keys again, the oldest first."""
    ends[:] = -1
    for row in range(count):
        if stage[row] > 0:
            link[row] = -1
            if ends[key[row], 0] < 0:
                ends[key[row], 0] = row
            else:
                link[ends[key[row], 1]] = row
            ends[key[row], 1] = row
    return count
'''

GATHER_TYPES = "(read_only(types.int64), read_only(types.int32), types.int64[::1], types.int64, types.int64)"
GATHER = '''
def run(source, rows, target, first, step):
    """Write the entries of some rows to every `step`-th place of a target, from `first` on."""
    place = first
    for number in range(rows.shape[0]):
        target[place] = source[rows[number]]
        place += step
    return place
'''

TELL_TYPES = (
    "(types.Array(types.int32, 2, 'A'), types.int64[::1], types.int64[::1], types.int64[::1], types.int64[::1], "
    "types.int64[::1])"
)


@cache
def tell_source(width: int) -> str:
    """Return the source of a kernel that writes down the ids of the events of matches, and when these start and end."""
    ids = "\n".join(f"        flat[{width} * number + {part}] = ids[rows[{part}, number]]" for part in range(width))
    return f"""
def run(rows, time, ids, flat, start, end):
    for number in range(rows.shape[1]):
{ids}
        start[number] = time[rows[0, number]]
        end[number] = time[rows[{width - 1}, number]]
    return rows.shape[1]
"""


ADD_UP_TYPES = "(read_only(types.float64), types.int64[::1], types.float64[::1])"
ADD_UP = '''
def run(values, offsets, totals):
    """Add up each group of values from its first to its last."""
    for group in range(totals.shape[0]):
        if offsets[group + 1] > offsets[group]:
            total = values[offsets[group]]
            for place in range(offsets[group] + 1, offsets[group + 1]):
                total = total + values[place]
            totals[group] = total
    return totals.shape[0]
'''

LIST_ITEMS = '''
def run(found, offsets, link, anchors, items):
    """Write down the items of every anchor, and the anchor beside each; they are linked from the last to the first."""
    for number in range(found.shape[1]):
        row = found[1, number]
        for back in range(offsets[number + 1] - offsets[number]):
            place = offsets[number + 1] - 1 - back
            items[place] = row
            anchors[place] = found[0, number]
            row = link[row]
    return found.shape[1]
'''

JOIN_ANCHORS = '''
def run(anchors, items, offsets, joined, ends):
    """Write down the items of every anchor with the anchor among them, in the order of rows and each once."""
    place = 0
    for number in range(anchors.shape[0]):
        anchor = anchors[number]
        there = False
        for one in range(offsets[number], offsets[number + 1]):
            if not there and items[one] >= anchor:
                if items[one] > anchor:
                    joined[place] = anchor
                    place += 1
                there = True
            joined[place] = items[one]
            place += 1
        if not there:
            joined[place] = anchor
            place += 1
        ends[number + 1] = place
    return place
'''

EXPIRE_ITEMS = '''
def run(horizon, last, time, key, member, sums, cursors, numbers):
    """Count out all items before the horizon, as anchors to come would; what has not entered yet never will."""
    row = cursors[1]
    while row < last and time[row] < horizon:
        if row < cursors[0] and member[row] & 2:
            k = key[row]
            sums[k, 0] -= 1.0
            value = numbers[0, row] if numbers.shape[0] > 0 else 0.0
            if value - value == 0.0:
                sums[k, 4] += 2.0 ** -49 * (sums[k, 3] + abs(value))
                sums[k, 2] -= value
                sums[k, 3] -= abs(value)
            else:
                sums[k, 1] -= 1.0
        row += 1
    cursors[1] = row
    if cursors[0] < row:
        cursors[0] = row
    return row
'''
