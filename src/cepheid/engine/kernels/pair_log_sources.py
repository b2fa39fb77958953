"""Sources of the kernels that keep the log of a join of two: its lists, and what may be forgotten.

Lines that end with `# places` are for joins in which the places of events in their stream count.
"""

from cepheid.engine.kernels.source_text import indented, into_list

AT_END = """\
link[own, r] = -1
if heads[k, own] < 0:
    heads[k, own] = r
else:
    link[own, heads[k, 2 + own]] = r
heads[k, 2 + own] = r
"""
"""Put a row at the end of its list, which goes from the first to the last."""

RELINK_PAIRS = '''
def run(count, key, end, heads, link, listed, choice):
    """Put all rows that wait into the lists of their sides again, by their ends."""
    heads[:] = -1
    for r in range(count):
        k = key[r]
        for own in range(2):
            if not (listed[r] >> own) & 1:
                continue
            if choice != 2:
INTO_LIST
                continue
AT_END
    return count
'''.replace("INTO_LIST\n", into_list(16, head="heads[k, own]", link="link[own, ROW]", by="end")).replace(
    "AT_END\n", indented(AT_END, 12)
)

LATEST_STARTS = '''
def run(count, start, link, listed, latest):
    """Write down the latest start of each row and of all behind it in its list."""
    for r in range(count):
        for own in range(2):
            if (listed[r] >> own) & 1:
                before = link[own, r]
                latest[own, r] = start[r] if before < 0 else max(start[r], latest[own, before])
    return count
'''

MERGE = '''
def run(times, refs, keys, many, top, log_times, log_refs, member, key):
    """Write two lists of rows, one behind the other, into a log: by end, then by number, the left one first."""
    i = 0
    j = many
    for place in range(top, top + times.shape[1]):
        left = j >= times.shape[1]
        if not left and i < many:
            level = times[1, i] == times[1, j]
            left = times[1, i] < times[1, j] or (level and refs[0, i] <= refs[0, j])
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
'''

LIVE = '''
def run(done, top, times, low, high, listed, bounds, places, coming, place, kept):
    """Write down the rows that partners can still come for, and all that were not seen yet; return how many.

    Partners of each side come at a time and a place, or later.
    """
    count = 0
    for r in range(done):
        for side in range(2):
            lives = (listed[r] >> side) & 1 == 1 and times[0, r] + bounds[side, 6] >= coming[side]
            lives = lives and times[1, r] + bounds[side, 7] >= coming[side]
            lives = lives and low[r] + places[side, 6] >= place[side]  # places
            lives = lives and high[r] + places[side, 7] >= place[side]  # places
            if lives:
                kept[count] = r
                count += 1
                break
    for r in range(done, top):
        kept[count] = r
        count += 1
    return count
'''

OUTDONE = '''
def run(done, times, listed, key, settled, tie, weight, best):
    """Of the rows that ended before `settled`, or together, let only the best one of each key and side wait."""
    best[:] = -1
    for r in range(done - 1, -1, -1):
        for side in range(2):
            if not (listed[r] >> side) & 1:
                continue
            b = best[key[r], side]
            w = side * (weight.shape[0] - 1)
            level = b >= 0 and times[1, b] == times[1, r]
            if not level and (b < 0 or times[1, b] >= settled):
                best[key[r], side] = r
            elif level and tie * weight[w, r] > tie * weight[w, b]:
                listed[b] &= 2 - side
                best[key[r], side] = r
            else:
                listed[r] &= 2 - side
    return done
'''

OUTDONE_STARTS = '''
def run(done, times, listed, key, settled, tie, weight, best):
    """Let no row wait that another one of its key and side outdoes, which started later and ended no later.

    Of what ended before `settled` it does not matter which ended later.
    """
    best[:] = -1
    for r in range(done):
        for side in range(2):
            if not (listed[r] >> side) & 1:
                continue
            b = best[key[r], side]
            if b >= 0 and (times[0, r], -times[1, r]) < (times[0, b], -times[1, b]):
                listed[r] &= 2 - side
                continue
            if b >= 0 and (times[1, r] < settled or times[1, r] == times[1, b]):
                listed[b] &= 2 - side
            best[key[r], side] = r
    return done
'''
