"""Generated code for all combinations: a list of events for each part and key, newest first, walked when a match ends.

An event is stored once, however many partial matches it is in. It points to the event of its key before it in the same
list, and to the newest one of the list before that it can follow. With it stands the latest start of a match through
it: walking towards older events, nothing beyond the first with too early a start can be in a match.

Of three parts those between and the first ones are walked once for each last event, and not all first ones again for
each between: what goes with a first event are those between that come after it, so matches are listed by their firsts.
"""

from collections.abc import Iterator
from contextlib import contextmanager

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
from cepheid.engine.kernels.facts.shapes import Core, Shape

FIRST, BETWEEN, LAST = range(3)
_FULL = ("control[0] = before", "control[1] = 1", "return r")


def lists_in_order(shape: Shape) -> bool:
    """Say whether the matches of one last event are listed in the order of their first and then of their other events.

    They are three, and how old the first one may be depends on the last one alone.
    """
    if shape.core is not Core.GRAPH or len(shape.parts) != LAST + 1 or shape.absences:
        return False
    most = shape.most[FIRST][BETWEEN]
    return most is None or most == _added(shape, FIRST, LAST, BETWEEN)


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
    if lists_in_order(shape):
        _steps(text, shape)
    else:
        _level(text, shape, last)


def _steps(text: SourceText, shape: Shape) -> None:
    """Write code that notes those between and the first events at the end of `out`, and lists what they are together.

    With each between stands the last of the first events that it can follow: they grow with each other.
    """
    text.line("n = 0")
    with _walked(text, shape, BETWEEN):
        _newest(text, shape, FIRST)
        with text.block("if p0 < 0 or time[p0] < low0:"):
            text.line("break")
        with text.block("if count + n >= room:"):
            text.line(*_FULL)
        text.line("n += 1", "out[0, room - n] = p0", "out[1, room - n] = p1")
    with text.block("if n > 0:"):
        text.line("w = 0", "p0 = out[0, room - 1]")
        with text.block("while p0 >= 0 and time[p0] >= low0 and count + w < room:"):
            text.line("w += 1", "out[2, room - w] = p0", f"p0 = prev[{shape.lane(FIRST)}, p0]")
        text.line("j = room - n", "top = room - n - w")
        with text.block("for i in range(room - w, room):"):
            text.line("p0 = out[2, i]")
            with text.block("while out[0, j] < p0:"):
                text.line("j += 1")
            with text.block("if count + room - j > top:"):
                text.line(*_FULL)
            with text.block("for s in range(j, room):"):
                text.line("p1 = out[1, s]")
                _tell(text, shape, has_room=True)


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
    with _walked(text, shape, part - 1):
        _level(text, shape, part - 1)


def _newest(text: SourceText, shape: Shape, part: int) -> None:
    """Write code that finds the newest row of a part that the distances to the parts after it allow."""
    last = len(shape.parts) - 1
    text.line(
        f"p{part} = heads[k, {part}]" if part + 1 == last else f"p{part} = back[{shape.lane(part + 1)}, p{part + 1}]"
    )
    newest = [f"t{later} + most[{later}, {part}]" for later in _later(shape, part, newest=True)]
    oldest = [f"t{later} - most[{part}, {later}]" for later in _later(shape, part, newest=False)]
    _extreme(text, "high", "<", newest)
    _extreme(text, f"low{part}", ">", oldest)
    with text.block(f"while p{part} >= 0 and time[p{part}] > high:"):
        text.line(f"p{part} = prev[{shape.lane(part)}, p{part}]")


@contextmanager
def _walked(text: SourceText, shape: Shape, part: int) -> Iterator[None]:
    """Write code that goes through the rows of a part from the newest on, and does what is written inside for each."""
    last = len(shape.parts) - 1
    _newest(text, shape, part)
    with text.block(f"while p{part} >= 0:"):
        text.line(f"t{part} = time[p{part}]")
        stops = [f"t{part} < low{part}"]
        if part > 0 and shape.most[0][last] is not None:
            stops.append(f"latest[{shape.lane(part)}, p{part}] < t{last} - most[0, {last}]")
        for number, one in enumerate(shape.absences):
            if one.lower == part < one.upper:
                stops.append(is_blocked(shape.absences, number, f"t{part}"))
        with text.block(f"if {' or '.join(stops)}:"):
            text.line("break")
        yield
        text.line(f"p{part} = prev[{shape.lane(part)}, p{part}]")


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


def _tell(text: SourceText, shape: Shape, *, has_room: bool = False) -> None:
    found = prefilters(shape)
    with text.block(f"if {' and '.join(found.may_be_true) or 'True'}:"):
        if not has_room:
            with text.block("if count >= room:"):
                text.line(*_FULL)
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
