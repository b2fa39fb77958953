"""Kernels for chains: runs under way, which look at each record once and in order.

A node is a record that a run took, with the variables as they are then; its parent is the one before it, and the node 0
has taken nothing. An entry is a run that waits in a state: for the lead of a step, after another step whose avoid still
counts. Entries are listed by state, and where a state says so by what a variable of theirs is.

First it is decided what a record means to every entry that looks at it, then that is done: where more than numbers and
keys must be compared, the kernel stops in between, and is told.
"""

from typing import NamedTuple

from cepheid.engine.kernels.compiling.typed_arrays import Data

TOLD, STATUS, NODES, ENTRIES, ASKED, SEEN, DOUBT, WAITING = range(8)  # of `control`
FULL, ASK = 1, 2
PARENT, STEP, COUNT = range(3)  # of `node`
SERIAL, FIRST, BEGIN, LIMIT, PLACE, AT, FROM = range(7)  # of `span`
NODE, STATE, NEXT, BEFORE, BUCKET = range(5)  # of `entry`
GOES_ON, TAKES, IS_BLOCKED, MAY_TAKE, MAY_BE_BLOCKED, IS_OVER = range(6)
WAITS_FOR, AFTER, LISTED_BY, LEAD_KEY, AVOID_KEY, STAYS = range(6)  # of `state`
BY_START, BY_END, BY_PLACE = range(3)  # of `limits`
ENTRY, DECIDED = 0, 1  # of `seen`


class Records(NamedTuple):
    """Records: where they are, what they say as numbers and as numbers of keys, and of which kind they are."""

    serial: Data
    place: Data
    start: Data
    end: Data
    numbers: Data
    codes: Data
    kind: Data


class ChainFacts(NamedTuple):
    """What is known of a chain: which kinds of records its leads and avoids are, its states, and what it compares with.

    `spaces` are those of the numbers of keys; `observes` are the variables by which runs that wait can be told apart.
    """

    lead: Data
    avoid: Data
    spaces: Data
    constant: Data
    state: Data
    follows: Data
    follow: Data
    limits: Data
    observes: Data
    coded: Data


class ChainState(NamedTuple):
    """The nodes and entries of runs, what was decided of entries, and the runs that are complete."""

    node: Data
    span: Data
    value: Data
    code: Data
    entry: Data
    heads: Data
    seen: Data
    told: Data


def decide(
    w: int,
    i: int,
    q: int,
    leading: bool,
    avoiding: bool,
    records: Records,
    facts: ChainFacts,
    runs: ChainState,
) -> int:
    """Say what a record `i` means to a run in the state `w`, whose last node is `q`."""
    return GOES_ON


def bind(s: int, i: int, q: int, records: Records, facts: ChainFacts, runs: ChainState) -> None:
    """Bind the variables of the step `s` at the new node `q`, which took the record `i`."""


def run_chain(
    first: int, last: int, records: Records, facts: ChainFacts, runs: ChainState, merges: bool, control: Data
) -> int:
    """Let every run look at the records, and write down those that are complete, each with its last record."""
    most = 1
    for step in range(facts.follows.shape[0] - 1):
        most = max(most, facts.follows[step + 1] - facts.follows[step])
    for record in range(first, last):
        if lacks_room(control, most, runs):
            control[STATUS] = FULL
            return record
        if control[ASKED] != record + 1 and look(record, records, facts, runs, control):
            control[STATUS] = ASK
            return record
        control[ASKED] = 0
        fresh = control[ENTRIES]
        for number in range(control[SEEN]):
            settle(number, record, records, facts, runs, control)
        for entry in range(fresh, control[ENTRIES]):
            put_into_list(entry, facts, runs, merges, control)
    control[STATUS] = 0
    return last


def lacks_room(control: Data, most: int, runs: ChainState) -> bool:
    """Say whether one more record may bring more than there is room for: each run that waits may take it."""
    new = control[WAITING] + 1
    return bool(
        control[NODES] + new > runs.node.shape[1]
        or control[ENTRIES] + most * new > runs.entry.shape[1]
        or control[TOLD] + new > runs.told.shape[1]
        or new > runs.seen.shape[1]
    )


def look(record: int, records: Records, facts: ChainFacts, runs: ChainState, control: Data) -> bool:
    """Decide what a record means to every entry that looks at it; return whether some of that is not certain."""
    control[SEEN] = 0
    asks, kind, state = False, records.kind[record], facts.state
    for wait in range(state.shape[1]):
        leads = facts.lead[state[WAITS_FOR, wait], kind]
        avoids = state[AFTER, wait] >= 0 and facts.avoid[state[AFTER, wait], kind]
        if not (leads or avoids):
            continue
        is_one = state[LISTED_BY, wait] < 0
        lead = -1 if not leads else 0 if is_one else records.codes[state[LEAD_KEY, wait], record]
        avoid = -1 if not avoids else 0 if is_one else records.codes[state[AVOID_KEY, wait], record]
        if lead >= 0:
            asks |= look_at(lead, wait, record, True, avoids and avoid == lead, records, facts, runs, control)
        if avoid >= 0 and avoid != lead:
            asks |= look_at(avoid, wait, record, False, True, records, facts, runs, control)
    return asks


def look_at(
    bucket: int,
    wait: int,
    record: int,
    leading: bool,
    avoiding: bool,
    records: Records,
    facts: ChainFacts,
    runs: ChainState,
    control: Data,
) -> bool:
    """Decide what a record means to the entries of one list; return whether some of that is not certain."""
    asks = False
    entry = runs.heads[bucket, wait]
    while entry >= 0:
        node = runs.entry[NODE, entry]
        decided = IS_OVER
        if runs.span[LIMIT, node] >= records.end[record] and runs.span[PLACE, node] >= records.place[record]:
            decided = decide(wait, record, node, leading, avoiding, records, facts, runs)
        if decided != GOES_ON:
            runs.seen[ENTRY, control[SEEN]], runs.seen[DECIDED, control[SEEN]] = entry, decided
            control[SEEN] += 1
            asks |= decided in (MAY_TAKE, MAY_BE_BLOCKED)
        entry = runs.entry[NEXT, entry]
    return asks


def settle(number: int, record: int, records: Records, facts: ChainFacts, runs: ChainState, control: Data) -> None:
    """Do what was decided of an entry: its run takes the record, or waits no more, or goes on."""
    entry, decided = runs.seen[ENTRY, number], runs.seen[DECIDED, number]
    if decided == GOES_ON:
        return
    stays = facts.state[STAYS, runs.entry[STATE, entry]]
    if decided == TAKES:
        step = facts.state[WAITS_FOR, runs.entry[STATE, entry]]
        node = take(record, runs.entry[NODE, entry], step, records, facts, runs, control)
        if facts.follows[step] == facts.follows[step + 1]:
            runs.told[0, control[TOLD]], runs.told[1, control[TOLD]] = node, record
            control[TOLD] += 1
        for place in range(facts.follows[step], facts.follows[step + 1]):
            runs.entry[NODE, control[ENTRIES]] = node
            runs.entry[STATE, control[ENTRIES]] = facts.follow[place]
            control[ENTRIES] += 1
    if entry > 0 and not (decided == TAKES and stays):
        unlink(entry, runs, control)


def take(
    record: int, parent: int, step: int, records: Records, facts: ChainFacts, runs: ChainState, control: Data
) -> int:
    """Return a new node for a record that a run takes."""
    node, span, limits = int(control[NODES]), runs.span, facts.limits
    control[NODES] += 1
    runs.node[PARENT, node], runs.node[STEP, node], runs.node[COUNT, node] = parent, step, runs.node[COUNT, parent] + 1
    span[SERIAL, node], span[AT, node] = records.serial[record], records.place[record]
    for variable in range(runs.value.shape[0]):
        runs.value[variable, node], runs.code[variable, node] = (
            runs.value[variable, parent],
            runs.code[variable, parent],
        )
    key = runs.value.shape[0]
    if parent == 0:
        start, end = records.start[record], records.end[record]
        span[FIRST, node], span[BEGIN, node], span[FROM, node] = records.serial[record], start, records.place[record]
        span[LIMIT, node] = min(start + limits[BY_START], end + limits[BY_END])
        span[PLACE, node] = records.place[record] + limits[BY_PLACE]
        runs.code[key, node] = records.codes[0, record]
    else:
        span[FIRST, node], span[FROM, node] = span[FIRST, parent], span[FROM, parent]
        span[BEGIN, node] = min(span[BEGIN, parent], records.start[record])
        span[LIMIT, node], span[PLACE, node] = span[LIMIT, parent], span[PLACE, parent]
        runs.code[key, node] = runs.code[key, parent]
    bind(step, record, node, records, facts, runs)
    return node


def unlink(entry: int, runs: ChainState, control: Data) -> None:
    """Let an entry wait no more."""
    back, ahead = runs.entry[BEFORE, entry], runs.entry[NEXT, entry]
    if back >= 0:
        runs.entry[NEXT, back] = ahead
    else:
        runs.heads[runs.entry[BUCKET, entry], runs.entry[STATE, entry]] = ahead
    if ahead >= 0:
        runs.entry[BEFORE, ahead] = back
    runs.entry[STATE, entry] = -1
    control[WAITING] -= 1


def put_into_list(entry: int, facts: ChainFacts, runs: ChainState, merges: bool, control: Data) -> None:
    """List a new entry; of runs that nobody can tell apart only the one that began last waits."""
    bucket = bucket_of(entry, facts.state, runs)
    stays = bucket >= 0
    other = runs.heads[bucket, runs.entry[STATE, entry]] if stays and merges else -1
    while other >= 0:
        following = runs.entry[NEXT, other]
        if are_alike(entry, other, facts, runs, control):
            if began_later(runs.entry[NODE, entry], runs.entry[NODE, other], runs):
                unlink(other, runs, control)
            else:
                stays = False
        other = following
    if stays:
        put_first(entry, bucket, runs)
        control[WAITING] += 1
    else:
        runs.entry[STATE, entry] = -1


def bucket_of(entry: int, state: Data, runs: ChainState) -> int:
    """Return in which list of its state an entry is: that of a variable of its run; less than nothing: in none."""
    variable = state[LISTED_BY, runs.entry[STATE, entry]]
    return 0 if variable < 0 else int(runs.code[variable, runs.entry[NODE, entry]])


def put_first(entry: int, bucket: int, runs: ChainState) -> None:
    """Put an entry at the head of a list of its state."""
    head = runs.heads[bucket, runs.entry[STATE, entry]]
    runs.entry[NEXT, entry], runs.entry[BEFORE, entry], runs.entry[BUCKET, entry] = head, -1, bucket
    if head >= 0:
        runs.entry[BEFORE, head] = entry
    runs.heads[bucket, runs.entry[STATE, entry]] = entry


def are_alike(entry: int, other: int, facts: ChainFacts, runs: ChainState, control: Data) -> bool:
    """Say whether nobody can tell two runs of one state apart; where a number is none, there is doubt."""
    wait, one, two = runs.entry[STATE, entry], runs.entry[NODE, entry], runs.entry[NODE, other]
    same = True
    for variable in range(runs.value.shape[0]):
        if facts.observes[wait, variable]:
            if facts.coded[variable]:
                same = same and runs.code[variable, two] == runs.code[variable, one]
            elif runs.value[variable, two] != runs.value[variable, two] or (
                runs.value[variable, one] != runs.value[variable, one]
            ):
                same = False
                control[DOUBT] = 1
            else:
                same = same and runs.value[variable, two] == runs.value[variable, one]
    return same


def began_later(one: int, other: int, runs: ChainState) -> bool:
    """Say whether a run began after another one, or with it, and took a later record where they differ last."""
    if runs.span[FIRST, one] != runs.span[FIRST, other]:
        return bool(runs.span[FIRST, one] > runs.span[FIRST, other])
    while one > 0 and other > 0 and runs.span[SERIAL, one] == runs.span[SERIAL, other]:
        one, other = runs.node[PARENT, one], runs.node[PARENT, other]
    return bool(runs.span[SERIAL, one] > runs.span[SERIAL, other])


def note_used(
    nodes: int,
    entries: int,
    frontier: int,
    places: Data,
    node: Data,
    span: Data,
    code: Data,
    entry: Data,
    kept: Data,
    listed: Data,
) -> int:
    """Say which entries wait for something that can still come, and which nodes are of such runs.

    One place counts for all, or each key has a place of its own.
    """
    kept[0] = listed[0] = True
    for one in range(1, entries):
        run = entry[NODE, one]
        here = places[code[code.shape[0] - 1, run] if places.shape[0] > 1 else 0]
        if entry[STATE, one] >= 0 and span[LIMIT, run] >= frontier and span[PLACE, run] >= here:
            listed[one] = True
            kept[run] = True
    for run in range(nodes - 1, 0, -1):
        if kept[run]:
            kept[node[PARENT, run]] = True
    return nodes


def link_entries(entries: int, state: Data, runs: ChainState) -> int:
    """List all entries again."""
    runs.heads[:] = -1
    for entry in range(entries):
        put_first(entry, bucket_of(entry, state, runs), runs)
    return entries


def write_runs(
    tips: Data,
    node: Data,
    span: Data,
    lead_of: Data,
    binds: Data,
    echo: int,
    flat: Data,
    offsets: Data,
    refs: Data,
    bound: Data,
    begin: Data,
    places: Data,
) -> int:
    """Write down what complete runs are made of: all records, the last one of each name of a lead, and the places.

    Also when they begin, and for each variable the node at which it was bound last, 0 if nowhere.
    """
    for number in range(tips.shape[0]):
        run = tips[number]
        offsets[number + 1] = offsets[number] + node[COUNT, run]
        begin[number], places[0, number], places[1, number] = span[BEGIN, run], span[FIRST, run], span[SERIAL, run]
        at = offsets[number + 1]
        while run > 0:
            at -= 1
            flat[at] = span[SERIAL, run]
            name = lead_of[node[STEP, run]]
            if refs[name, number] < 0:
                refs[name, number] = span[SERIAL, run] + echo
            for variable in range(binds.shape[0]):
                if bound[variable, number] == 0 and binds[variable, node[STEP, run]]:
                    bound[variable, number] = run
            run = node[PARENT, run]
    return int(tips.shape[0])
