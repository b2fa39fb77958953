"""Sources of the kernels for chains: runs under way, which look at each record once and in order.

A node is a record that a run took, with the variables as they are then; its parent is the one before it, and the node 0
has taken nothing. An entry is a run that waits in a state: for the lead of a step, after another step whose avoid still
counts. Entries are listed by state, and where a state says so by what a variable of theirs is.

First it is decided what a record means to every entry that looks at it, then that is done: where more than numbers and
keys must be compared, the kernel stops in between, and is told.
"""

from cepheid.engine.kernels.source_text import indented

TOLD, STATUS, NODES, ENTRIES, ASKED, SEEN, DOUBT, WAITING = range(8)
FULL, ASK = 1, 2
PARENT, STEP, COUNT = range(3)
SERIAL, FIRST, BEGIN, LIMIT, PLACE, AT, FROM = range(7)
NODE, STATE, NEXT, BEFORE, BUCKET = range(5)
GOES_ON, TAKES, IS_BLOCKED, MAY_TAKE, MAY_BE_BLOCKED, IS_OVER = range(6)

RUN = '''
def run(
    first, last, serial, place, start, end, numbers, codes, kind, lead, avoid, spaces, constant, state, follows, follow,
    limits, observes, coded, merges, node, span, value, code, entry, heads, seen, told, control
):
    """Let every run look at the records, and write down those that are complete, each with its last record."""
    variables = value.shape[0]
    most = 1
    for s in range(follows.shape[0] - 1):
        most = max(most, follows[s + 1] - follows[s])
    for i in range(first, last):
        new = control[7] + 1
        if (
            control[2] + new > node.shape[1] or control[3] + most * new > entry.shape[1]
            or control[0] + new > told.shape[1] or new > seen.shape[1]
        ):
            control[1] = 1
            return i
        r, t, at = serial[i], end[i], place[i]
        if control[4] != i + 1:
            control[5] = 0
            asks = False
            for w in range(state.shape[1]):
                leads, avoids = lead[state[0, w], kind[i]], state[1, w] >= 0 and avoid[state[1, w], kind[i]]
                if not (leads or avoids):
                    continue
                one, other = -1, -1
                if leads:
                    one = 0 if state[2, w] < 0 else codes[state[3, w], i]
                if avoids:
                    other = 0 if state[2, w] < 0 else codes[state[4, w], i]
                for time in range(2):
                    b = one if time == 0 else other
                    if b < 0 or (time == 1 and one == other):
                        continue
                    leading, avoiding = leads and b == one, avoids and b == other
                    p = heads[b, w]
                    while p >= 0:
                        q = entry[0, p]
                        decided = 0
                        if span[3, q] < t or span[4, q] < at:
                            decided = 5
DECIDE
                        if decided > 0:
                            seen[0, control[5]], seen[1, control[5]] = p, decided
                            control[5] += 1
                            asks = asks or decided == 3 or decided == 4
                        p = entry[2, p]
            if asks:
                control[1] = 2
                return i
        control[4] = 0
        fresh = control[3]
        for m in range(control[5]):
            p, decided = seen[0, m], seen[1, m]
            if decided == 0:
                continue
            if decided == 1:
                o, s = entry[0, p], state[0, entry[1, p]]
                q = control[2]
                control[2] += 1
                node[0, q], node[1, q], node[2, q] = o, s, node[2, o] + 1
                span[0, q], span[5, q] = r, at
                for v in range(variables):
                    value[v, q], code[v, q] = value[v, o], code[v, o]
                if o == 0:
                    span[1, q], span[2, q] = r, start[i]
                    span[3, q], span[4, q] = min(start[i] + limits[0], t + limits[1]), at + limits[2]
                    span[6, q] = at
                    code[variables, q] = codes[0, i]
                else:
                    span[1, q], span[2, q] = span[1, o], min(span[2, o], start[i])
                    span[3, q], span[4, q], span[6, q] = span[3, o], span[4, o], span[6, o]
                    code[variables, q] = code[variables, o]
LETS
                if follows[s] == follows[s + 1]:
                    told[0, control[0]], told[1, control[0]] = q, i
                    control[0] += 1
                for f in range(follows[s], follows[s + 1]):
                    entry[0, control[3]], entry[1, control[3]] = q, follow[f]
                    control[3] += 1
            if p > 0 and not (decided == 1 and state[5, entry[1, p]]):
                UNLINK
        for e in range(fresh, control[3]):
            q, w = entry[0, e], entry[1, e]
            b = 0 if state[2, w] < 0 else code[state[2, w], q]
            listed = b >= 0
            p = heads[b, w] if listed and merges else -1
            while p >= 0:
                n, o = entry[2, p], entry[0, p]
                same = True
                for v in range(variables):
                    if observes[w, v]:
                        if coded[v]:
                            same = same and code[v, o] == code[v, q]
                        elif value[v, o] != value[v, o] or value[v, q] != value[v, q]:
                            same = False
                            control[6] = 1
                        else:
                            same = same and value[v, o] == value[v, q]
                if same:
                    x, y = q, o
                    if span[1, x] == span[1, y]:
                        while x > 0 and y > 0 and span[0, x] == span[0, y]:
                            x, y = node[0, x], node[0, y]
                        later = span[0, x] > span[0, y]
                    else:
                        later = span[1, x] > span[1, y]
                    if later:
                        UNLINK
                    else:
                        listed = False
                p = n
            if listed:
                h = heads[b, w]
                entry[2, e], entry[3, e], entry[4, e] = h, -1, b
                if h >= 0:
                    entry[3, h] = e
                heads[b, w] = e
                control[7] += 1
            else:
                entry[1, e] = -1
    control[1] = 0
    return last
'''

_UNLINK = """
back, ahead = entry[3, p], entry[2, p]
if back >= 0:
    entry[2, back] = ahead
else:
    heads[entry[4, p], entry[1, p]] = ahead
if ahead >= 0:
    entry[3, ahead] = back
entry[1, p] = -1
control[7] -= 1
"""

USED = '''
def run(nodes, entries, frontier, places, node, span, code, entry, kept, listed):
    """Say which entries wait for something that can still come, and which nodes are of such runs.

    One place counts for all, or each key has a place of its own.
    """
    key = code[code.shape[0] - 1]
    kept[0] = listed[0] = True
    for e in range(1, entries):
        q = entry[0, e]
        here = places[key[q] if places.shape[0] > 1 else 0]
        if entry[1, e] >= 0 and span[3, q] >= frontier and span[4, q] >= here:
            listed[e] = True
            kept[q] = True
    for q in range(nodes - 1, 0, -1):
        if kept[q]:
            kept[node[0, q]] = True
    return nodes
'''

RELINK = '''
def run(entries, entry, state, code, heads):
    """List all entries again."""
    heads[:] = -1
    for e in range(entries):
        w = entry[1, e]
        b = 0 if state[2, w] < 0 else code[state[2, w], entry[0, e]]
        h = heads[b, w]
        entry[2, e], entry[3, e], entry[4, e] = h, -1, b
        if h >= 0:
            entry[3, h] = e
        heads[b, w] = e
    return entries
'''

COUNT_BY_KEY = '''
def run(keys, there, counted, places):
    """Write down for each record how many of its key came before it, and count it."""
    for i in range(keys.shape[0]):
        if there[i]:
            places[i] = counted[keys[i]]
            counted[keys[i]] += 1
    return keys.shape[0]
'''

TELL = '''
def run(tips, node, span, lead_of, binds, echo, flat, offsets, refs, bound, begin, places):
    """Write down what complete runs are made of: all records, the last one of each name of a lead, and the places.

    Also when they begin, and for each variable the node at which it was bound last, 0 if nowhere.
    """
    for m in range(tips.shape[0]):
        q = tips[m]
        offsets[m + 1] = offsets[m] + node[2, q]
        begin[m], places[0, m], places[1, m] = span[2, q], span[1, q], span[0, q]
        at = offsets[m + 1]
        while q > 0:
            at -= 1
            flat[at] = span[0, q]
            name = lead_of[node[1, q]]
            if refs[name, m] < 0:
                refs[name, m] = span[0, q] + echo
            for v in range(binds.shape[0]):
                if bound[v, m] == 0 and binds[v, node[1, q]]:
                    bound[v, m] = q
            q = node[0, q]
    return tips.shape[0]
'''


def run_source(decide: str, lets: str) -> str:
    """Return the source of the kernel for runs; what is asked of records, and what steps bind, differs."""
    found = RUN.replace("DECIDE\n", indented(decide, 24)).replace("LETS\n", indented(lets, 16))
    for depth in (24, 16):
        found = found.replace(" " * depth + "UNLINK\n", indented(_UNLINK.strip(), depth))
    return found
