"""Kernels for repetitions: runs of items that grow in order.

A node is an item at the end of a run; its parent is the node before it. Runs that can grow are listed by key, in the
order in which they came. Where neighbours are compared by more than numbers, the kernel stops before an item and is
told what is true of it.
"""

from typing import NamedTuple

from cepheid.engine.kernels.compiling.typed_arrays import Data

TOLD, STATUS, TOP, ASKED, DUE = range(5)  # of `control`
FULL, ASK = 1, 2
ITEM, PARENT, FIRST, COUNT, LINK, LISTED = range(6)  # of `node`
BEGIN, KNOWN, LIMIT = range(3)  # of `time`
NEVER = -(1 << 62)

GREEDY = False  # a run is told when nothing can follow any more; else with every item
LINKED = False  # neighbours are compared
PLACES = False  # places in the stream count


class Items(NamedTuple):
    """Items, the numbers of their keys, what they say as numbers, and the constants that these are compared with.

    `low` and `high` are their first and last places, where these count.
    """

    start: Data
    end: Data
    low: Data
    high: Data
    known: Data
    key: Data
    numbers: Data
    constant: Data


class Runs(NamedTuple):
    """The nodes of runs, and for each key the first run that can grow and how many there are.

    `told` are runs that are complete; its second line says why: 0 because nothing can follow any more, 1 because the
    item is there.
    """

    heads: Data
    many: Data
    node: Data
    time: Data
    told: Data


class RunBounds(NamedTuple):
    """How far neighbours may be apart, how far an item may be from the first one, and until when a run can grow.

    `gap_places` and `grow_places` say the same of places.
    """

    gap: Data
    grow: Data
    gap_places: Data
    grow_places: Data
    limits: Data


def may_follow(p0: int, p1: int, numbers: Data, constant: Data) -> bool:
    """Say whether what is asked of neighbours may be true."""
    return True


def is_doubtful(p0: int, p1: int, numbers: Data, constant: Data) -> bool:
    """Say whether that has to be asked."""
    return False


def grow_runs(
    first: int, last: int, items: Items, runs: Runs, bounds: RunBounds, most: int, truth: Data, control: Data
) -> int:
    """Let every item join the runs that it can follow, or begin one; write down the runs that are told by that."""
    for item in range(first, last):
        if lacks_room(runs.many[items.key[item]], runs, control):
            control[STATUS] = FULL
            return item
        asked = control[ASKED] == item + 1
        if LINKED and not asked and is_asked(item, items, runs, bounds):
            control[STATUS] = ASK
            return item
        fresh = control[TOP]
        behind = join_runs(item, asked, items, runs, bounds, most, truth, control)
        if control[TOP] == fresh or not GREEDY:
            add_node(item, -1, items, runs, bounds, most, control)
        list_nodes(fresh, behind, items.key[item], runs, most, control)
    control[STATUS] = 0
    return last


def lacks_room(many: int, runs: Runs, control: Data) -> bool:
    """Say whether one more item may bring more than there is room for: each run of its key may take it."""
    return bool(control[TOP] + many + 1 > runs.node.shape[1] or control[TOLD] + 2 * many + 2 > runs.told.shape[1])


def is_asked(item: int, items: Items, runs: Runs, bounds: RunBounds) -> bool:
    """Say whether an item may follow a run by what only somebody else can say."""
    p = runs.heads[items.key[item]]
    while p >= 0:
        can_grow = runs.node[LISTED, p] == 1 and runs.time[LIMIT, p] >= items.end[item]
        if can_grow and fits(p, item, items, runs, bounds):
            before = runs.node[ITEM, p]
            may_be = may_follow(before, item, items.numbers, items.constant)
            if may_be and is_doubtful(before, item, items.numbers, items.constant):
                return True
        p = runs.node[LINK, p]
    return False


def join_runs(
    item: int,
    asked: bool,
    items: Items,
    runs: Runs,
    bounds: RunBounds,
    most: int,
    truth: Data,
    control: Data,
) -> int:
    """Let an item join all runs of its key that it can follow; return the last run that stays listed, -1 for none."""
    key, node = items.key[item], runs.node
    behind = -1
    p = runs.heads[key]
    while p >= 0:
        link = node[LINK, p]
        if node[LISTED, p] == 1 and runs.time[LIMIT, p] < items.end[item]:
            end_run(p, key, runs, control)
        if node[LISTED, p] == 1 and follows(p, item, asked, items, runs, bounds, truth):
            add_node(item, p, items, runs, bounds, most, control)
            if GREEDY:
                node[LISTED, p] = 0
                runs.many[key] -= 1
        if node[LISTED, p] == 1:
            behind = p
        elif behind < 0:
            runs.heads[key] = link
        else:
            node[LINK, behind] = link
        p = link
    return behind


def end_run(p: int, key: int, runs: Runs, control: Data) -> None:
    """Let a run be listed no more that nothing can follow."""
    runs.node[LISTED, p] = 0
    runs.many[key] -= 1
    if GREEDY:
        tell_run(p, 0, runs, control)


def tell_run(p: int, why: int, runs: Runs, control: Data) -> None:
    """Write down that a run is complete."""
    runs.told[0, control[TOLD]] = p
    runs.told[1, control[TOLD]] = why
    control[TOLD] += 1


def follows(p: int, item: int, asked: bool, items: Items, runs: Runs, bounds: RunBounds, truth: Data) -> bool:
    """Say whether an item follows a run; what had to be asked is said already."""
    if not fits(p, item, items, runs, bounds):
        return False
    if not LINKED:
        return True
    if asked:
        return bool(truth[p])
    return may_follow(runs.node[ITEM, p], item, items.numbers, items.constant)


def fits(p: int, item: int, items: Items, runs: Runs, bounds: RunBounds) -> bool:
    """Say whether an item is where one may be that follows a run."""
    before, first = runs.node[ITEM, p], runs.node[FIRST, p]
    if PLACES and not is_near(before, first, item, items.low, items.high, bounds.gap_places, bounds.grow_places):
        return False
    return is_near(before, first, item, items.start, items.end, bounds.gap, bounds.grow)


def is_near(before: int, first: int, item: int, starts: Data, ends: Data, gap: Data, grow: Data) -> bool:
    """Say whether an item is as near as it must be to the last and to the first one of a run."""
    start, end = starts[item], ends[item]
    begin, last = starts[before], ends[before]
    return bool(
        start - begin <= gap[0, 2]
        and end - begin <= gap[0, 3]
        and start - last <= gap[1, 2]
        and end - last <= gap[1, 3]
        and begin - start <= gap[2, 0]
        and last - start <= gap[2, 1]
        and begin - end <= gap[3, 0]
        and last - end <= gap[3, 1]
        and start - starts[first] <= grow[0]
        and end - starts[first] <= grow[1]
        and start - ends[first] <= grow[2]
        and end - ends[first] <= grow[3]
    )


def add_node(item: int, p: int, items: Items, runs: Runs, bounds: RunBounds, most: int, control: Data) -> None:
    """Let an item be the next one of a run, or begin one where there is none."""
    node, time, limits = runs.node, runs.time, bounds.limits
    start, end = items.start[item], items.end[item]
    q = control[TOP]
    control[TOP] += 1
    node[ITEM, q], node[PARENT, q], node[FIRST, q], node[COUNT, q], node[LISTED, q] = item, p, item, 1, 0
    time[BEGIN, q], time[KNOWN, q] = start, items.known[item]
    if p >= 0:
        node[FIRST, q], node[COUNT, q] = node[FIRST, p], node[COUNT, p] + 1
        time[BEGIN, q], time[KNOWN, q] = min(time[BEGIN, p], start), max(time[KNOWN, p], items.known[item])
    first = node[FIRST, q]
    of_item = min(start + limits[0], end + limits[1])
    time[LIMIT, q] = min(of_item, min(items.start[first] + limits[2], items.end[first] + limits[3]))
    if node[COUNT, q] == most or not GREEDY:
        tell_run(q, 1, runs, control)


def list_nodes(fresh: int, behind: int, key: int, runs: Runs, most: int, control: Data) -> None:
    """List the runs of new nodes behind all others of their key, but those that have as many items as they may."""
    for q in range(fresh, control[TOP]):
        if runs.node[COUNT, q] == most:
            continue
        runs.node[LINK, q], runs.node[LISTED, q] = -1, 1
        if behind < 0:
            runs.heads[key] = q
        else:
            runs.node[LINK, behind] = q
        behind = q
        runs.many[key] += 1
        control[DUE] = min(control[DUE], runs.time[LIMIT, q])


def finish_runs(
    frontier: int, passed: Data, key: Data, node: Data, time: Data, many: Data, told: Data, control: Data
) -> int:
    """Let no run be listed that nothing can follow; write these down, and when the next one is over.

    `passed` are those that the stream has passed by, where places count.
    """
    control[DUE] = -NEVER
    count = 0
    for p in range(control[TOP]):
        if node[LISTED, p] == 1:
            if time[LIMIT, p] < frontier or (passed.shape[0] > 0 and passed[p]):
                node[LISTED, p] = 0
                many[key[node[ITEM, p]]] -= 1
                told[0, count], told[1, count] = p, 0
                count += 1
            else:
                control[DUE] = min(control[DUE], time[LIMIT, p])
    return count


def list_runs(tips: Data, parent: Data, item: Data, offsets: Data, items: Data) -> None:
    """Write down what the nodes of runs have, one run after the other."""
    for run in range(tips.shape[0]):
        p = tips[run]
        for place in range(offsets[run + 1] - 1, offsets[run] - 1, -1):
            items[place] = item[p]
            p = parent[p]


def note_used_items(top: int, node: Data, kept: Data, used: Data) -> None:
    """Say which nodes are of runs that can grow, and which items are in them."""
    for p in range(top - 1, -1, -1):
        if node[LISTED, p] == 1 or kept[p]:
            kept[p] = True
            used[node[ITEM, p]] = True
            if node[PARENT, p] >= 0:
                kept[node[PARENT, p]] = True


def relink_runs(top: int, key: Data, node: Data, heads: Data, many: Data) -> None:
    """List the runs that can grow again."""
    heads[:] = -1
    many[:] = 0
    for p in range(top - 1, -1, -1):
        if node[LISTED, p] == 1:
            k = key[node[ITEM, p]]
            node[LINK, p] = heads[k]
            heads[k] = p
            many[k] += 1
