"""Sources of the kernels that join more than two: every row takes all combinations with rows before it, and waits.

Lines that end with `# places` are left out where places in the stream do not count.
"""

from cepheid.engine.kernels.source_text import into_list

COMBINE = '''
def run(first, last, start, end, low, high, part, key, codes, heads, link, most, far, shared, chosen, out, control):
    """Write down all combinations of each row with rows before it, one of each other part, and put it into its list.

    Lists are by key and part, from the latest end to the first. `most` bounds the times between the starts and ends of
    all parts, and `far` their places. Of the codes in `shared` those that two parts have must be the same. With a row
    that there is no room for, nothing has been done yet.
    """
    parts = heads.shape[1]
    count = control[0]
    control[1] = 0
    for r in range(first, last):
        before = count
        own = part[r]
        k = key[r]
        chosen[own] = r
        d = 0 if own > 0 else 1
        p = heads[k, d]
        while d >= 0:
            found = -1
            while p >= 0 and found < 0:
                fits = True
                ended = False
                for other in range(parts):
                    if other > d and other != own:
                        continue
                    if other == d:
                        continue
                    c = chosen[other]
                    ended = start[c] - end[p] > most[2 * d + 1, 2 * other]
                    ended = ended or end[c] - end[p] > most[2 * d + 1, 2 * other + 1]
                    ended = ended or low[c] - high[p] > far[2 * d + 1, 2 * other]  # places
                    ended = ended or high[c] - high[p] > far[2 * d + 1, 2 * other + 1]  # places
                    if ended:
                        break
                    if (
                        start[p] - start[c] > most[2 * other, 2 * d]
                        or end[p] - start[c] > most[2 * other, 2 * d + 1]
                        or start[p] - end[c] > most[2 * other + 1, 2 * d]
                        or end[p] - end[c] > most[2 * other + 1, 2 * d + 1]
                        or start[c] - start[p] > most[2 * d, 2 * other]
                        or end[c] - start[p] > most[2 * d, 2 * other + 1]
                    ):
                        fits = False
                    if (  # places
                        low[p] - low[c] > far[2 * other, 2 * d]  # places
                        or high[p] - low[c] > far[2 * other, 2 * d + 1]  # places
                        or low[p] - high[c] > far[2 * other + 1, 2 * d]  # places
                        or high[p] - high[c] > far[2 * other + 1, 2 * d + 1]  # places
                        or low[c] - low[p] > far[2 * d, 2 * other]  # places
                        or high[c] - low[p] > far[2 * d, 2 * other + 1]  # places
                    ):  # places
                        fits = False  # places
                    for number in range(shared.shape[0]):
                        both = shared[number, d] and shared[number, other]
                        if both and codes[number, p] != codes[number, c]:
                            fits = False
                if ended:
                    p = -1
                elif fits:
                    found = p
                else:
                    p = link[p]
            deeper = d + 1 if d + 1 != own else d + 2
            if found >= 0 and deeper < parts:
                chosen[d] = found
                d = deeper
                p = heads[k, d]
                continue
            if found >= 0:
                chosen[d] = found
                if count >= out.shape[1]:
                    control[0], control[1] = before, 1
                    return r
                for number in range(parts):
                    out[number, count] = chosen[number]
                count += 1
                p = link[found]
                continue
            d = d - 1 if d - 1 != own else d - 2
            if d >= 0:
                p = link[chosen[d]]
INTO_LIST
    control[0] = count
    return last
'''.replace("INTO_LIST\n", into_list(8, head="heads[k, own]", link="link[ROW]", by="high"))

TELL_COMBINATIONS = '''
def run(rows, times, told):
    """Write down where combinations of rows lie, and when all of each were there."""
    for m in range(rows.shape[1]):
        for number in range(rows.shape[0]):
            r = rows[number, m]
            told[0, m] = times[0, r] if number == 0 else min(told[0, m], times[0, r])
            told[1, m] = times[1, r] if number == 0 else max(told[1, m], times[1, r])
            told[2, m] = times[2, r] if number == 0 else max(told[2, m], times[2, r])
    return rows.shape[1]
'''

LIVE_COMBINATIONS = '''
def run(top, start, end, low, high, part, most, far, coming, place, kept):
    """Write down the rows that a row of another part can still come for; return how many.

    Rows of other parts come at a time and a place, or later.
    """
    count = 0
    for r in range(top):
        own = part[r]
        for other in range(coming.shape[0]):
            late = min(start[r] + most[2 * own, 2 * other + 1], end[r] + most[2 * own + 1, 2 * other + 1])
            last = place[own]
            last = min(low[r] + far[2 * own, 2 * other + 1], high[r] + far[2 * own + 1, 2 * other + 1])  # places
            if other != own and late >= coming[own] and last >= place[own]:
                kept[count] = r
                count += 1
                break
    return count
'''

RELINK_COMBINATIONS = '''
def run(top, high, part, key, heads, link):
    """Put all rows into the lists of their keys and parts again."""
    heads[:] = -1
    for r in range(top):
INTO_LIST
    return top
'''.replace("INTO_LIST\n", into_list(8, head="heads[key[r], part[r]]", link="link[ROW]", by="high"))
