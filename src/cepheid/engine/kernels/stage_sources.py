"""Sources of the kernels that stages have in common: what stands in a span, and what matches rest on."""

IN_SPAN = '''
def run(ends, bounds, keys, first, last, start, end, key, heads, link, latest, found):
    """Say of every span whether something starts and ends in it; `latest` is the latest start up to each row."""
    a = first
    for m in range(ends.shape[0] + 1):
        while a < last and (m == ends.shape[0] or end[a] <= max(ends[m], bounds[3, m])):
            q = heads[key[a]]
            link[a] = q
            latest[a] = start[a] if q < 0 else max(start[a], latest[q])
            heads[key[a]] = a
            a += 1
        if m < ends.shape[0]:
            q = heads[keys[m]] if keys[m] >= 0 else -1
            while q >= 0 and end[q] > bounds[3, m]:
                q = link[q]
            found[m] = q >= 0 and latest[q] >= bounds[0, m]
    return a
'''

LIST_SPANS = '''
def run(ends, bounds, keys, first, last, start, end, key, heads, link, place, out):
    """List what stands in every span, from the span and the row in `place` on; return how many.

    Where there is no more room for pairs, `place` says where to go on.
    """
    a = place[2] if place[2] >= 0 else first
    count = 0
    for m in range(place[0], ends.shape[0] + 1):
        while a < last and (m == ends.shape[0] or end[a] <= max(ends[m], bounds[3, m])):
            link[a] = heads[key[a]]
            heads[key[a]] = a
            a += 1
        if m == ends.shape[0]:
            break
        q = place[1]
        if q == -1:
            q = heads[keys[m]] if keys[m] >= 0 else -2
        while q >= 0 and end[q] >= bounds[2, m]:
            if end[q] <= bounds[3, m] and bounds[0, m] <= start[q] <= bounds[1, m]:
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

RELINK_SPANS = '''
def run(count, key, heads, link):
    """Put all rows into the lists of their keys again; what came before them is in `latest`."""
    heads[:] = -1
    for r in range(count):
        link[r] = heads[key[r]]
        heads[key[r]] = r
    return count
'''

COUNT_GROUNDS = '''
def run(refs, source, base, starts, group, counts):
    """Add up for each group on how many given events some events of one table rest."""
    for m in range(refs.shape[0]):
        if refs[m] >> 48 == source:
            row = (refs[m] & ((1 << 48) - 1)) - base
            counts[group[m]] += 1 if source == 0 else starts[row + 1] - starts[row]
    return source
'''

REST_ON = '''
def run(refs, source, base, starts, flat, group, serials, begins, counts):
    """Add what some events of one table rest on to what others of their group do: numbers in order, each once."""
    for m in range(refs.shape[0]):
        if refs[m] >> 48 != source:
            continue
        serial = refs[m] & ((1 << 48) - 1)
        first = 0 if source == 0 else starts[serial - base]
        last = 1 if source == 0 else starts[serial - base + 1]
        for place in range(first, last):
            value = serial if source == 0 else flat[place]
            g = group[m]
            spot = begins[g] + counts[g]
            while spot > begins[g] and serials[spot - 1] > value:
                spot -= 1
            if spot > begins[g] and serials[spot - 1] == value:
                continue
            for move in range(begins[g] + counts[g], spot, -1):
                serials[move] = serials[move - 1]
            serials[spot] = value
            counts[g] += 1
    return source
'''

CLOSE_UP = '''
def run(serials, begins, counts, offsets):
    """Move lists together, so that nothing is between them."""
    place = 0
    for m in range(counts.shape[0]):
        offsets[m] = place
        for number in range(counts[m]):
            serials[place] = serials[begins[m] + number]
            place += 1
    offsets[counts.shape[0]] = place
    return place
'''

LEAST = '''
def run(refs, first, last, least):
    """Note the least serial number of each table among references."""
    for part in range(refs.shape[0]):
        for row in range(first, last):
            ref = refs[part, row]
            table = ref >> 48
            if ref >= 0 and table < least.shape[0] and (ref & ((1 << 48) - 1)) < least[table]:
                least[table] = ref & ((1 << 48) - 1)
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
