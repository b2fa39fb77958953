"""Sources of the kernels for repetitions: runs of items that grow in order.

A node is an item at the end of a run; its parent is the node before it. Runs that can grow are listed by key, in the
order in which they came. Where neighbours are compared by more than numbers, the kernel stops before an item and is
told what is true of it.
"""

from functools import cache

from cepheid.algebra.expressions import Expr
from cepheid.engine.kernels.facts.prefilters import Prefilters

PREVIOUS, NEXT = "$previous", "$next"
TOLD, STATUS, TOP, ASKED, DUE = range(5)
FULL, ASK = 1, 2
ITEM, PARENT, FIRST, COUNT, LINK, LISTED = range(6)
BEGIN, KNOWN, LIMIT = range(3)

_RUNS = '''
def run(
    first, last, start, end, known, key, numbers, constant, heads, many, node, time, gap, grow, limits,
    greedy, most, truth, told, control
):
    """Let every item join the runs that it can follow, or begin one; write down the runs that are told by that.

    The second line of `told` says why: 0 because nothing can follow any more, 1 because the item is there.
    """
    for i in range(first, last):
        s, t, k = start[i], end[i], key[i]
        if control[2] + many[k] + 1 > node.shape[1] or control[0] + 2 * many[k] + 2 > told.shape[1]:
            control[1] = 1
            return i
        asked = control[3] == i + 1
LOOK
        taken = 0
        fresh = -1
        newest = -1
        behind = -1
        p = heads[k]
        while p >= 0:
            n = node[4, p]
            over = node[5, p] == 1 and time[2, p] < t
            if over:
                node[5, p] = 0
                many[k] -= 1
                if greedy:
                    told[0, control[0]], told[1, control[0]] = p, 0
                    control[0] += 1
            joins = node[5, p] == 1
            if joins:
                p0, p1, f = node[0, p], i, node[2, p]
                joins = FITS
                if joins:
                    joins = TRUE
            gone = node[5, p] == 0 or (joins and greedy)
            if joins:
                taken += 1
                q = control[2]
                control[2] += 1
                node[0, q], node[1, q], node[2, q], node[3, q] = i, p, f, node[3, p] + 1
                time[0, q], time[1, q] = min(time[0, p], s), max(time[1, p], known[i])
                time[2, q] = min(
                    min(s + limits[0], t + limits[1]), min(start[f] + limits[2], end[f] + limits[3])
                )
                node[5, q] = 0
                if node[5, p] == 1 and greedy:
                    node[5, p] = 0
                    many[k] -= 1
                full = node[3, q] == most
                if full or not greedy:
                    told[0, control[0]], told[1, control[0]] = q, 1
                    control[0] += 1
                if not full:
                    if fresh < 0:
                        fresh = q
                    else:
                        node[4, newest] = q
                    newest = q
            if gone:
                if behind < 0:
                    heads[k] = n
                else:
                    node[4, behind] = n
            else:
                behind = p
            p = n
        if taken == 0 or not greedy:
            q = control[2]
            control[2] += 1
            node[0, q], node[1, q], node[2, q], node[3, q], node[5, q] = i, -1, i, 1, 0
            time[0, q], time[1, q] = s, known[i]
            time[2, q] = min(min(s + limits[0], t + limits[1]), min(s + limits[2], t + limits[3]))
            if most == 1 or not greedy:
                told[0, control[0]], told[1, control[0]] = q, 1
                control[0] += 1
            if most != 1:
                if fresh < 0:
                    fresh = q
                else:
                    node[4, newest] = q
                newest = q
        if fresh >= 0:
            node[4, newest] = -1
            if behind < 0:
                heads[k] = fresh
            else:
                node[4, behind] = fresh
        while fresh >= 0:
            node[5, fresh] = 1
            many[k] += 1
            control[4] = min(control[4], time[2, fresh])
            fresh = node[4, fresh]
    control[1] = 0
    return last
'''

_FITS = """(
                    s - start[p0] <= gap[0, 2] and t - start[p0] <= gap[0, 3]
                    and s - end[p0] <= gap[1, 2] and t - end[p0] <= gap[1, 3]
                    and start[p0] - s <= gap[2, 0] and end[p0] - s <= gap[2, 1]
                    and start[p0] - t <= gap[3, 0] and end[p0] - t <= gap[3, 1]
                    and s - start[f] <= grow[0] and t - start[f] <= grow[1]
                    and s - end[f] <= grow[2] and t - end[f] <= grow[3]
                )"""

_LOOK = """\
        p = -1 if asked else heads[k]
        while p >= 0:
            joins = node[5, p] == 1 and time[2, p] >= t
            if joins:
                p0, p1, f = node[0, p], i, node[2, p]
                joins = FITS
                if joins and MAY_BE and DOUBT:
                    control[1] = 2
                    return i
            p = node[4, p]
"""

FINISH = '''
def run(frontier, key, node, time, many, told, control):
    """Let no run be listed that nothing can follow; write these down, and when the next one is over."""
    control[4] = -NEVER
    count = 0
    for p in range(control[2]):
        if node[5, p] == 1:
            if time[2, p] < frontier:
                node[5, p] = 0
                many[key[node[0, p]]] -= 1
                told[0, count], told[1, count] = p, 0
                count += 1
            else:
                control[4] = min(control[4], time[2, p])
    return count
'''

LIST_RUNS = '''
def run(tips, parent, item, offsets, items):
    """Write down what the nodes of runs have, one run after the other."""
    for m in range(tips.shape[0]):
        p = tips[m]
        for place in range(offsets[m + 1] - 1, offsets[m] - 1, -1):
            items[place] = item[p]
            p = parent[p]
    return tips.shape[0]
'''

USED = '''
def run(top, node, kept, used):
    """Say which nodes are of runs that can grow, and which items are in them."""
    for p in range(top - 1, -1, -1):
        if node[5, p] == 1 or kept[p]:
            kept[p] = True
            used[node[0, p]] = True
            if node[1, p] >= 0:
                kept[node[1, p]] = True
    return top
'''

RELINK_RUNS = '''
def run(top, key, node, heads, many):
    """List the runs that can grow again."""
    heads[:] = -1
    many[:] = 0
    for p in range(top - 1, -1, -1):
        if node[5, p] == 1:
            k = key[node[0, p]]
            node[4, p] = heads[k]
            heads[k] = p
            many[k] += 1
    return top
'''


@cache
def linking(link: tuple[Expr, ...]) -> Prefilters:
    """Return what a kernel can look at of the conditions on neighbours."""
    found = Prefilters()
    for condition in link:
        found.add(condition, (PREVIOUS, NEXT))
    return found


@cache
def runs_source(link: tuple[Expr, ...]) -> str:
    """Return the source of the kernel for runs whose neighbours satisfy some conditions."""
    found = linking(link)
    may_be = " and ".join(found.may_be_true) or "True"
    doubt = "True" if len(found.conditions) < len(link) else f"({found.doubt})"
    look = _LOOK.replace("MAY_BE", may_be).replace("DOUBT", doubt) if link else ""
    true = f"truth[p] if asked else ({may_be})" if link else "True"
    return _RUNS.replace("LOOK\n", look).replace("FITS", _FITS).replace("TRUE", true)
