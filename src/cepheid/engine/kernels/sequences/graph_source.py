"""Generated code for all combinations: a list of events for each part and key, newest first, walked when a match ends.

An event is stored once, however many partial matches it is in. It points to the event of its key before it in the same
list, and to the newest one of the list before that it can follow. With it stands the latest start of a match through
it: walking towards older events, nothing beyond the first with too early a start can be in a match.
"""

from cepheid.engine.kernels.compiling.source_text import SourceText
from cepheid.engine.kernels.facts.absence_source import (
    find_absent,
    insert_absent,
    insert_instant,
    is_blocked,
    key_of,
    link_absent,
)
from cepheid.engine.kernels.facts.join_arguments import join_arguments
from cepheid.engine.kernels.facts.prefilters import prefilters
from cepheid.engine.kernels.facts.shapes import Shape


def graph_source(shape: Shape) -> str:
    """Return the source of the kernel; `r` is a row, `p0`, `p1` ... are rows of parts and `t0` ... their times."""
    text = SourceText()
    last = len(shape.parts) - 1
    state = f"heads, prev, back, latest, {join_arguments(shape, 'most')}"
    with text.block(f"def run(first, last, time, key, member, {state}, out, control):"):
        text.line("count = control[0]", "room = out.shape[1]", "control[1] = 0", "r = first")
        with text.block("while r < last:"):
            if shape.absences and not shape.eager:
                insert_instant(text, shape)
            text.line(f"t{last} = time[r]", "m = member[r]")
            with text.block(f"if m & {1 << last}:"):
                _listing(text, shape)
            for part in reversed(range(last)):
                with text.block(f"if m & {1 << part}:"):
                    _insertion(text, shape, part)
            if shape.absences and shape.eager:
                insert_absent(text, shape)
            text.line("r += 1")
        text.line("control[0] = count", "return r")
    return str(text)


def _listing(text: SourceText, shape: Shape) -> None:
    last = len(shape.parts) - 1
    text.line("before = count", f"k = {key_of(shape, last)}", f"p{last} = r")
    link_absent(text, shape, last)
    _level(text, shape, last)


def _level(text: SourceText, shape: Shape, part: int) -> None:
    """Write what happens once the row of a part is fixed: choose the part before it, or tell the match."""
    own = [(number, one) for number, one in enumerate(shape.absences) if min(one.lower, one.upper) == part]
    for number, one in enumerate(shape.absences):
        if one.upper == part:
            find_absent(text, number, f"p{part}", f"t{part}")
    checks = [is_blocked(shape.absences, number, f"t{one.lower}") for number, one in own if one.upper <= one.lower]
    if checks:
        with text.block(f"if not ({' or '.join(checks)}):"):
            _below(text, shape, part)
    else:
        _below(text, shape, part)


def _below(text: SourceText, shape: Shape, part: int) -> None:
    if part == 0:
        _tell(text, shape)
        return
    below, last = part - 1, len(shape.parts) - 1
    text.line(f"p{below} = heads[k, {below}]" if part == last else f"p{below} = back[{shape.lane(part)}, p{part}]")
    newest = [f"t{later} + most[{later}, {below}]" for later in _later(shape, below, newest=True)]
    oldest = [f"t{later} - most[{below}, {later}]" for later in _later(shape, below, newest=False)]
    _extreme(text, "high", "<", newest)
    _extreme(text, f"low{below}", ">", oldest)
    with text.block(f"while p{below} >= 0 and time[p{below}] > high:"):
        text.line(f"p{below} = prev[{shape.lane(below)}, p{below}]")
    with text.block(f"while p{below} >= 0:"):
        text.line(f"t{below} = time[p{below}]")
        stops = [f"t{below} < low{below}"]
        if below > 0 and shape.most[0][last] is not None:
            stops.append(f"latest[{shape.lane(below)}, p{below}] < t{last} - most[0, {last}]")
        for number, one in enumerate(shape.absences):
            if one.lower == below < one.upper:
                stops.append(is_blocked(shape.absences, number, f"t{below}"))
        with text.block(f"if {' or '.join(stops)}:"):
            text.line("break")
        _level(text, shape, below)
        text.line(f"p{below} = prev[{shape.lane(below)}, p{below}]")


def _later(shape: Shape, part: int, *, newest: bool) -> list[int]:
    """Return the later parts whose distance says more about a part than what follows from the parts between."""
    found = []
    for later in range(part + 1, len(shape.parts)):
        most = shape.most[later][part] if newest else shape.most[part][later]
        between = range(part + 1, later)
        implied = [_added(shape, later, one, part) if newest else _added(shape, part, one, later) for one in between]
        if most is not None and most not in implied:
            found.append(later)
    return found


def _added(shape: Shape, one: int, middle: int, other: int) -> int | None:
    first, second = shape.most[one][middle], shape.most[middle][other]
    return None if first is None or second is None else first + second


def _extreme(text: SourceText, name: str, relation: str, terms: list[str]) -> None:
    """Write code that finds the least or the greatest term; a call of `min` would take the compiler longer."""
    text.line(f"{name} = {terms[0] if terms else 'NEVER'}")
    for term in terms[1:]:
        with text.block(f"if {term} {relation} {name}:"):
            text.line(f"{name} = {term}")


def _tell(text: SourceText, shape: Shape) -> None:
    found = prefilters(shape)
    with text.block(f"if {' and '.join(found.may_be_true) or 'True'}:"):
        with text.block("if count >= room:"):
            text.line("control[0] = before", "control[1] = 1", "return r")
        if found.doubt is not None:
            with text.block(f"if {found.doubt}:"):
                text.line("control[4] = 1")
        text.line(*(f"out[{part}, count] = p{part}" for part in range(len(shape.parts))), "count += 1")


def _insertion(text: SourceText, shape: Shape, part: int) -> None:
    """Write code that puts the event in `r` into the list of a part; if nothing can come before it, it is not kept."""
    text.line(f"k = {key_of(shape, part)}")
    if part == 0:
        text.line("prev[0, r] = heads[k, 0]", "heads[k, 0] = r", f"latest[0, r] = t{len(shape.parts) - 1}")
        link_absent(text, shape, part)
        return
    now, lane, before = f"t{len(shape.parts) - 1}", shape.lane(part), shape.lane(part - 1)
    text.line(f"b = heads[k, {part - 1}]")
    if not shape.by_arrival:
        with text.block(f"while b >= 0 and time[b] >= {now}:"):
            text.line(f"b = prev[{before}, b]")
    alive = "" if shape.most[0][part] is None else f" and latest[{before}, b] >= {now} - most[0, {part}]"
    with text.block(f"if b >= 0{alive}:"):
        text.line(
            f"prev[{lane}, r] = heads[k, {part}]",
            f"heads[k, {part}] = r",
            f"back[{lane}, r] = b",
            f"latest[{lane}, r] = latest[{before}, b]",
        )
        link_absent(text, shape, part)
