"""Sources of the kernels that join two: which partners a row takes, and what waits.

Lines that end with `# places` are for joins in which the places of events in their stream count; `low` and `high` are
the first and the last place of a row, which limit partners as its start and its end do. Lines that end with
`# candidates` are for choices among partners that satisfy a condition: `partner` lists those of each row and side.
"""

from functools import cache

from cepheid.engine.kernels.pair_log_sources import AT_END
from cepheid.engine.kernels.source_text import indented, into_list

ALL, RECENT, CHRONOLOGICAL, NEXT, LATEST_START = 0, 1, 2, 3, 4

_EACH_SIDE = """\
        s, t, k = start[r], end[r], key[r]
        for own in range(2):
            if not (member[r] >> own) & 1:
                continue
            other = 1 - own
            start_low = max(s - bounds[own, 0], t - bounds[own, 1])
            end_low = max(s - bounds[own, 2], t - bounds[own, 3])
            start_high = min(s + bounds[own, 4], t + bounds[own, 5])
            end_high = min(s + bounds[own, 6], t + bounds[own, 7])
            low_low = max(low[r] - places[own, 0], high[r] - places[own, 1])  # places
            high_low = max(low[r] - places[own, 2], high[r] - places[own, 3])  # places
            low_high = min(low[r] + places[own, 4], high[r] + places[own, 5])  # places
            high_high = min(low[r] + places[own, 6], high[r] + places[own, 7])  # places
            p = heads[k, other]
            best = -1
            stamp = 2 * r + own + 1  # candidates
            for place in range(offsets[2 * (r - first) + own], offsets[2 * (r - first) + own + 1]):  # candidates
                mark[partner[place]] = stamp  # candidates
"""

PAIRS = (
    '''
def run(
    first, last, start, end, low, high, member, key, heads, link, listed, bounds, places,
    widths, coming, choice, tie, weight, offsets, partner, mark, out, control
):
    """Let every row take its partners among the rows before it, as the left one first, and then wait itself.

    Lists go from the latest end to the first, but chronological ones from the first on. With a row that there is no
    room for, nothing has been done yet; that is so for all pairs only, where rows may also come late: partners of a row
    from the time on that `coming` says. A left one takes the next one, and waits no more.
    """
    count = control[0]
    room = out.shape[1]
    control[1] = 0
    for r in range(first, last):
        before = count
EACH_SIDE
            if choice == 0:
                while p >= 0 and end[p] > end_high:
                    p = link[other, p]
                while p >= 0 and end[p] >= end_low:
                    if high[p] < high_low:  # places
                        break  # places
                    fits = start_low <= start[p] <= start_high
                    fits = fits and low_low <= low[p] <= low_high and high_low <= high[p] <= high_high  # places
                    fits = fits and mark[p] == stamp  # candidates
                    if fits:
                        if count >= room:
                            if own == 1 and listed[r] & 1:
                                p = heads[k, 0]
                                while p != r and link[0, p] != r:
                                    p = link[0, p]
                                if p == r:
                                    heads[k, 0] = link[0, r]
                                else:
                                    link[0, p] = link[0, r]
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
                    fits = start_low <= start[p] <= start_high
                    fits = fits and low_low <= low[p] <= low_high and high_low <= high[p] <= high_high  # places
                    fits = fits and mark[p] == stamp  # candidates
                    if fits:
                        w = other * (weight.shape[0] - 1)
                        if best < 0 or tie * weight[w, p] > tie * weight[w, best]:
                            best = p
                    p = link[other, p]
            elif choice == 3:
                behind = -1
                while p >= 0 and end[p] >= end_low:
                    n = link[other, p]
                    fits = end[p] <= end_high and start_low <= start[p] <= start_high
                    fits = fits and low_low <= low[p] <= low_high and high_low <= high[p] <= high_high  # places
                    fits = fits and mark[p] == stamp  # candidates
                    if not fits:
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
                    over = start[p] + bounds[other, 6] < t or end[p] + bounds[other, 7] < t
                    over = over or low[p] + places[other, 6] < high[r]  # places
                    over = over or high[p] + places[other, 7] < high[r]  # places
                    if over:
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
                    fits = end[p] >= end_low and start_low <= start[p] <= start_high
                    fits = fits and low_low <= low[p] <= low_high and high_low <= high[p] <= high_high  # places
                    fits = fits and mark[p] == stamp  # candidates
                    if fits:
                        older = best < 0 or start[p] < start[best]
                        w = other * (weight.shape[0] - 1)
                        if older or (start[p] == start[best] and tie * weight[w, p] > tie * weight[w, best]):
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
            waits = end_high >= min(t, coming[own]) and (choice < 2 or best < 0)
            waits = waits and high_high >= high[r]  # places
            if waits:
                listed[r] |= 1 << own
                if choice != 2:
INTO_LIST
                else:
AT_END
    control[0] = count
    return last
'''.replace("EACH_SIDE\n", _EACH_SIDE)
    .replace("INTO_LIST\n", into_list(20, head="heads[k, own]", link="link[own, ROW]", by="end"))
    .replace("AT_END\n", indented(AT_END, 20))
)

LATEST_PAIRS = '''
def run(
    first, last, start, end, low, high, member, key, heads, link, listed, bounds, places,
    offsets, partner, mark, latest, chosen, touched, out
):
    """Of the pairs that end together under one key write down the one that the choice of the latest start takes.

    Of partners that ended before, a row takes the one that started last, and of those the one that ended first; no list
    need be followed to where all started earlier. Rows of one instant are complete and in the total order, so that
    their numbers are their ranks. `chosen` has what pairs are compared by, for each key, and no pair at first.
    """
    count = 0
    many = 0
    for r in range(first, last):
EACH_SIDE
            while p >= 0 or best >= 0:
                taken = -1
                over = p < 0 or end[p] < end_low or (best >= 0 and latest[other, p] < start[best])
                over = over or high[p] < high_low  # places
                if over:
                    taken, best, p = best, -1, -1
                else:
                    fits = end[p] <= end_high and start_low <= start[p] <= start_high
                    fits = fits and low_low <= low[p] <= low_high and high_low <= high[p] <= high_high  # places
                    fits = fits and mark[p] == stamp  # candidates
                    if fits:
                        if end[p] == t:
                            taken = p
                        elif best < 0 or start[p] > start[best]:
                            best = p
                        elif start[p] == start[best] and end[p] < end[best]:
                            best = p
                    p = link[other, p]
                if taken < 0:
                    continue
                leads = r
                follows = taken
                left = 1 - own
                if end[taken] == t and (start[taken] > s or (start[taken] == s and own == 1)):
                    leads = taken
                    follows = r
                    left = own
                whole = min(s, start[taken])
                one = (whole, start[leads], left, leads, start[follows], -end[follows], follows)
                c = chosen[k]
                if c[3] >= 0 and one <= (c[0], c[1], c[2], c[3], c[4], c[5], c[6]):
                    continue
                if c[3] < 0:
                    touched[many] = k
                    many += 1
                for place in range(7):
                    c[place] = one[place]
            waits = end_high >= t
            waits = waits and high_high >= high[r]  # places
            if waits:
                before = heads[k, own]
                listed[r] |= 1 << own
                link[own, r] = before
                latest[own, r] = s if before < 0 else max(s, latest[own, before])
                heads[k, own] = r
        if r + 1 == last or end[r + 1] != t:
            for number in range(many):
                c = chosen[touched[number]]
                side = 1 - c[2]
                out[side, count] = c[3]
                out[1 - side, count] = c[6]
                c[3] = -1
                count += 1
            many = 0
    return count
'''.replace("EACH_SIDE\n", _EACH_SIDE)

CANDIDATES = '''
def run(
    first, last, start, end, low, high, member, key, heads, link, listed, bounds, places,
    fresh, behind, choice, place, out
):
    """List for every row and each of its sides all rows before it that are near enough; return how many.

    Rows that are new have lists of their own, which begin in `fresh` with the latest. Where there is no more room,
    `place` says from which row on to list again.
    """
    count = 0
    for r in range(place[0], last):
        before = count
EACH_SIDE
            for new in range(2):
                p = fresh[k, other] if new else heads[k, other]
                while p >= 0 and (end[p] >= end_low or (choice == 2 and not new)):
                    fits = end_low <= end[p] <= end_high and start_low <= start[p] <= start_high
                    fits = fits and low_low <= low[p] <= low_high and high_low <= high[p] <= high_high  # places
                    if fits:
                        if count == out.shape[1]:
                            place[0] = r
                            return before
                        out[0, count] = 2 * (r - first) + own
                        out[1, count] = p
                        count += 1
                    p = behind[other, p] if new else link[other, p]
            if place[1] <= 2 * r + own:
                behind[own, r] = fresh[k, own]
                fresh[k, own] = r
                place[1] = 2 * r + own + 1
    place[0] = last
    return count
'''.replace("EACH_SIDE\n", _EACH_SIDE)

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
        else:
            unclear += not (ordered and one >> 48 == 0 and other >> 48 == 0 and one < other)
    return unclear
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


@cache
def source_for(source: str, *, places: bool, candidates: bool = False) -> str:
    """Return a source for joins in which places count, or candidates are looked at, or without the lines for that."""
    left_out = tuple(mark for mark, is_in in (("# places", places), ("# candidates", candidates)) if not is_in)
    return "".join(line for line in source.splitlines(keepends=True) if not line.rstrip().endswith(left_out))
