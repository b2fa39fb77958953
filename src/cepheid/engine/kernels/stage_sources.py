"""Sources of the kernels that stages have in common: pairs of two, what must be absent, and what matches rest on."""

ALL, RECENT, CHRONOLOGICAL, NEXT = 0, 1, 2, 3

PAIRS = '''
def run(first, last, start, end, member, key, heads, link, listed, bounds, widths, choice, tie, out, control):
    """Let every row take its partners among the rows before it, as the left one first, and then wait itself.

    Lists go from the newest to the oldest, but chronological ones from the oldest on. With a row that there is no room
    for, nothing has been done yet; that is so for all pairs only. A left one takes the next one, and waits no more.
    """
    count = control[0]
    room = out.shape[1]
    control[1] = 0
    for r in range(first, last):
        before = count
        s, t, k = start[r], end[r], key[r]
        for own in range(2):
            if not (member[r] >> own) & 1:
                continue
            other = 1 - own
            start_low = max(s - bounds[own, 0], t - bounds[own, 1])
            end_low = max(s - bounds[own, 2], t - bounds[own, 3])
            start_high = min(s + bounds[own, 4], t + bounds[own, 5])
            end_high = min(s + bounds[own, 6], t + bounds[own, 7])
            p = heads[k, other]
            best = -1
            if choice == 0:
                while p >= 0 and end[p] > end_high:
                    p = link[other, p]
                while p >= 0 and end[p] >= end_low:
                    if start_low <= start[p] <= start_high:
                        if count >= room:
                            if own == 1 and listed[r] & 1:
                                heads[k, 0] = link[0, r]
                            listed[r] = 0
                            control[0] = before
                            control[1] = 1
                            return r
                        out[own, count] = r
                        out[other, count] = p
                        count += 1
                    p = link[other, p]
            elif choice == 1:
                while p >= 0 and end[p] > end_high:
                    p = link[other, p]
                while p >= 0 and end[p] >= end_low and (best < 0 or end[p] == end[best]):
                    if start_low <= start[p] <= start_high:
                        if best < 0 or tie * start[p] > tie * start[best]:
                            best = p
                    p = link[other, p]
            elif choice == 3:
                behind = -1
                while p >= 0 and end[p] >= end_low:
                    n = link[other, p]
                    if end[p] > end_high or start[p] < start_low or start[p] > start_high:
                        behind = p
                    elif own == 0:
                        best = p
                    else:
                        out[own, count] = r
                        out[other, count] = p
                        count += 1
                        listed[p] &= 2 - other
                        if behind < 0:
                            heads[k, other] = n
                        else:
                            link[other, behind] = n
                    p = n
            else:
                behind = -1
                best_behind = -1
                while p >= 0:
                    n = link[other, p]
                    if start[p] + bounds[other, 6] < t or end[p] + bounds[other, 7] < t:
                        listed[p] &= 2 - other
                        if behind < 0:
                            heads[k, other] = n
                        else:
                            link[other, behind] = n
                        if n < 0:
                            heads[k, 2 + other] = behind
                        p = n
                        continue
                    if end[p] > end_high or (best >= 0 and end[p] - widths[other] > start[best]):
                        break
                    if end[p] >= end_low and start_low <= start[p] <= start_high:
                        older = best < 0 or start[p] < start[best]
                        if older or (start[p] == start[best] and tie * end[p] < tie * end[best]):
                            best = p
                            best_behind = behind
                    behind = p
                    p = n
                if best >= 0:
                    n = link[other, best]
                    listed[best] &= 2 - other
                    if best_behind < 0:
                        heads[k, other] = n
                    else:
                        link[other, best_behind] = n
                    if n < 0:
                        heads[k, 2 + other] = best_behind
            if best >= 0:
                out[own, count] = r
                out[other, count] = best
                count += 1
            if end_high >= t and (choice < 2 or best < 0):
                listed[r] |= 1 << own
                if choice != 2:
                    link[own, r] = heads[k, own]
                    heads[k, own] = r
                else:
                    link[own, r] = -1
                    if heads[k, own] < 0:
                        heads[k, own] = r
                    else:
                        link[own, heads[k, 2 + own]] = r
                    heads[k, 2 + own] = r
    control[0] = count
    return last
'''

RELINK_PAIRS = '''
def run(count, key, heads, link, listed, choice):
    """Put all rows that wait into the lists of their sides again."""
    heads[:] = -1
    for r in range(count):
        k = key[r]
        for own in range(2):
            if not (listed[r] >> own) & 1:
                continue
            if choice != 2:
                link[own, r] = heads[k, own]
                heads[k, own] = r
                continue
            link[own, r] = -1
            if heads[k, own] < 0:
                heads[k, own] = r
            else:
                link[own, heads[k, 2 + own]] = r
            heads[k, 2 + own] = r
    return count
'''

UNCLEAR = '''
def run(first, last, end, ref, member, simple, ordered):
    """Return how many rows are not certainly after the one before them, by number alone."""
    unclear = 0
    for r in range(first + 1, last):
        if end[r] != end[r - 1]:
            continue
        one, other = ref[r - 1], ref[r]
        if not simple:
            unclear += 1
        elif one == other:
            unclear += member[r - 1] >= member[r]
        elif one >> 48 == 0:
            unclear += other >> 48 == 0 and not (ordered and one < other)
        else:
            unclear += 1
    return unclear
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

BLOCK = '''
def run(ends, lows, highs, keys, first, last, start, end, key, heads, link, latest, blocked):
    """Say of every match whether something stands in its span; `latest` is the latest start up to each row."""
    a = first
    for m in range(ends.shape[0] + 1):
        while a < last and (m == ends.shape[0] or end[a] <= ends[m]):
            q = heads[key[a]]
            link[a] = q
            latest[a] = start[a] if q < 0 else max(start[a], latest[q])
            heads[key[a]] = a
            a += 1
        if m < ends.shape[0]:
            q = heads[keys[m]] if keys[m] >= 0 else -1
            while q >= 0 and end[q] > highs[m]:
                q = link[q]
            blocked[m] = q >= 0 and latest[q] >= lows[m]
    return a
'''

LIST_BLOCKS = '''
def run(ends, lows, highs, keys, first, last, start, end, key, heads, link, place, out):
    """List what stands in the span of every match, from the match and the row in `place` on; return how many.

    Where there is no more room for pairs, `place` says where to go on.
    """
    a = place[2] if place[2] >= 0 else first
    count = 0
    for m in range(place[0], ends.shape[0] + 1):
        while a < last and (m == ends.shape[0] or end[a] <= ends[m]):
            link[a] = heads[key[a]]
            heads[key[a]] = a
            a += 1
        if m == ends.shape[0]:
            break
        q = place[1]
        if q == -1:
            q = heads[keys[m]] if keys[m] >= 0 else -2
        while q >= 0 and end[q] >= lows[m]:
            if end[q] <= highs[m] and start[q] >= lows[m]:
                if count == out.shape[1]:
                    place[0], place[1], place[2] = m, q, a
                    return count
                out[0, count] = m
                out[1, count] = q
                count += 1
            q = link[q]
        place[1] = -1
    place[0], place[2] = ends.shape[0] + 1, a
    return count
'''

RELINK_BLOCKS = '''
def run(count, key, heads, link):
    """Put all rows into the lists of their keys again; what came before them is in `latest`."""
    heads[:] = -1
    for r in range(count):
        link[r] = heads[key[r]]
        heads[key[r]] = r
    return count
'''

REST_ON = '''
def run(refs, source, base, grounds, serials, counts):
    """Add what some events of one table rest on to what others do: numbers in order, each once."""
    for m in range(refs.shape[0]):
        if refs[m] >> 48 != source:
            continue
        serial = refs[m] & ((1 << 48) - 1)
        for place in range(grounds.shape[1] if source > 0 else 1):
            value = serial if source == 0 else grounds[serial - base, place]
            if value < 0:
                break
            spot = counts[m]
            while spot > 0 and serials[m, spot - 1] > value:
                spot -= 1
            if spot > 0 and serials[m, spot - 1] == value:
                continue
            for move in range(counts[m], spot, -1):
                serials[m, move] = serials[m, move - 1]
            serials[m, spot] = value
            counts[m] += 1
    return source
'''

TELL_PAIRS = '''
def run(rows, times, refs, lefts, rights, told, parts):
    """Write down where pairs of rows lie, when both of each were there, and what they are made of."""
    for m in range(rows.shape[1]):
        left, right = rows[0, m], rows[1, m]
        told[0, m] = min(times[0, left], times[0, right])
        told[1, m] = max(times[1, left], times[1, right])
        told[2, m] = max(times[2, left], times[2, right])
        for place in range(lefts):
            parts[place, m] = refs[place, left]
        for place in range(rights):
            parts[lefts + place, m] = refs[place, right]
    return rows.shape[1]
'''

LIVE = '''
def run(done, top, times, listed, bounds, frontier, kept):
    """Write down the rows that partners can still come for, and all that were not seen yet; return how many."""
    count = 0
    for r in range(done):
        for side in range(2):
            if (listed[r] >> side) & 1 and times[0, r] + bounds[side, 6] >= frontier:
                if times[1, r] + bounds[side, 7] >= frontier:
                    kept[count] = r
                    count += 1
                    break
    for r in range(done, top):
        kept[count] = r
        count += 1
    return count
'''

OUTDONE = '''
def run(done, times, listed, key, settled, tie, best):
    """Of the rows that ended before `settled` let only the best one of each key and side wait."""
    best[:] = -1
    for r in range(done - 1, -1, -1):
        for side in range(2):
            if not (listed[r] >> side) & 1 or times[1, r] >= settled:
                continue
            b = best[key[r], side]
            if b < 0:
                best[key[r], side] = r
            elif times[1, b] == times[1, r] and tie * times[0, r] > tie * times[0, b]:
                listed[b] &= 2 - side
                best[key[r], side] = r
            else:
                listed[r] &= 2 - side
    return done
'''

LEAST = '''
def run(refs, first, last, least):
    """Note the least serial number of each table among references."""
    for part in range(refs.shape[0]):
        for row in range(first, last):
            ref = refs[part, row]
            if ref >= 0 and (ref & ((1 << 48) - 1)) < least[ref >> 48]:
                least[ref >> 48] = ref & ((1 << 48) - 1)
    return last
'''

ROWS = '''
def run(refs, source, base, rows):
    """Write down the rows of events in their table; say whether all are of that table."""
    for m in range(refs.shape[0]):
        if refs[m] >> 48 != source:
            return False
        rows[m] = (refs[m] & ((1 << 48) - 1)) - base
    return True
'''

EVIDENCE = '''
def run(serials, counts, base, ids, flat, offsets):
    """Write down the ids of the events that matches rest on, one match after the other."""
    place = 0
    for m in range(counts.shape[0]):
        offsets[m] = place
        for number in range(counts[m]):
            flat[place] = ids[serials[m, number] - base]
            place += 1
    offsets[counts.shape[0]] = place
    return place
'''
