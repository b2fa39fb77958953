"""Generated code for joins that choose, one function for each kind of choice.

Steps are taken from the last to the first, and only events of earlier instants are built upon, so no event is its own
predecessor. Events of an instant come in their order, which decides among simultaneous ones.
"""

from cepheid.algebra.policies import Choice
from cepheid.engine.kernels.compiling.source_text import SourceText
from cepheid.engine.kernels.facts.absence_source import (
    find_absent,
    insert_instant,
    is_blocked,
    key_of,
    link_absent,
)
from cepheid.engine.kernels.facts.join_arguments import join_arguments
from cepheid.engine.kernels.facts.prefilters import prefilters
from cepheid.engine.kernels.facts.shapes import Core, Shape

# For each step: the least and the greatest distance to the one before it, and the greatest to the first.
LOW, HIGH, WHOLE = 0, 1, 2
# For each part and class of events: where the queries begin that have it there, and under which condition they do.
_ROUTES = ", truth, first_route, routes, condition"


def steps_source(shape: Shape) -> str:
    """Return the source of the kernel for a shape that chooses."""
    writers = {Core.SLOTS: _slots, Core.RUNS: _runs, Core.QUEUE: _queue}
    text = SourceText()
    writers[shape.core](text, shape)
    return str(text)


def cell(stage: int, *, previous: bool = False) -> int:
    """Return where the rows of the partial match of a stage begin in the slots of a key."""
    before = sum(2 * (one + 1) for one in range(stage))
    return before + (stage + 1 if previous else 0)


def slot_width(parts: int) -> int:
    return cell(parts - 1)


def _slots(text: SourceText, shape: Shape) -> None:
    """Write the kernel that keeps the best partial match of each stage: that of now, and that of earlier instants."""
    backwards = shape.choice is Choice.LATEST_START
    state = f"slots, told, {join_arguments(shape, 'gaps')}{_ROUTES if shape.family else ''}"
    with text.block(f"def run(first, last, time, key, member, {state}, out, control):"):
        text.line("count = control[0]", "room = out.shape[1]", "control[1] = 0", "r = first")
        if shape.family:
            text.line("queries = gaps.shape[0]")
        with text.block("while first < last:"):
            text.line("e = first + 1")
            if not shape.by_arrival:
                with text.block("while e < last and time[e] == time[first]:"):
                    text.line("e += 1")
            if shape.family:
                with text.block("if count + (e - first) * queries > room:"):
                    text.line("control[0] = count", "control[1] = 1", "return first")
            if shape.absences:
                text.line("r = first")
                insert_instant(text, shape)
            with text.block("for step in range(e - first):"):
                text.line("r = e - 1 - step" if backwards else "r = first + step", "t = time[r]", "m = member[r]")
                for part in reversed(range(len(shape.parts))):
                    with text.block(_as_part(shape, part)):
                        if shape.family:
                            _route(text)
                        _slot_step(text, shape, part, backwards)
            text.line("first = e")
        text.line("control[0] = count", "return first")


def _as_part(shape: Shape, part: int) -> str:
    """Return the head of what is done for an event as a part: once, or in a family for each query."""
    if not shape.family:
        return f"if m & {1 << part}:"
    return f"for route in range(first_route[{part}, m], first_route[{part}, m + 1]):"


def _route(text: SourceText) -> None:
    text.line("q = routes[route]")
    with text.block("if condition[route] >= 0 and not truth[condition[route], r]:"):
        text.line("continue")


def _slot_step(text: SourceText, shape: Shape, part: int, backwards: bool) -> None:
    text.line(f"k = {key_of(shape, part)}")
    link_absent(text, shape, part)
    if part == 0:
        _slot_update(text, shape, 0, backwards)
        return
    last, stage = len(shape.parts) - 1, part - 1
    text.line(f"c = {cell(stage)}", f"p = slots[k, c + {stage}]")
    # Rows from `first` on are of this instant.
    with text.block("if p >= first:"):
        text.line(f"c = {cell(stage, previous=True)}", f"p = slots[k, c + {stage}]")
    conditions = ["p >= 0", *_near(shape, part, "time[p]", "time[p]" if part == 1 else "time[slots[k, c]]")]
    if part == last and not backwards and not shape.absences:
        text.line(*(f"p{number} = slots[k, c + {number}]" for number in range(last)), f"p{last} = r")
        _tell_without_a_jump(text, shape, conditions)
        return
    if part == last and backwards:
        conditions.append("told[k, 0] < first")
    with text.block(f"if {' and '.join(conditions)}:"):
        if part < last:
            _slot_update(text, shape, part, backwards)
            return
        if backwards:
            text.line("told[k, 0] = r")
        text.line(*(f"p{number} = slots[k, c + {number}]" for number in range(last)), f"p{last} = r")
        tell(text, shape)


def _near(shape: Shape, part: int, before: str, first: str) -> list[str]:
    gap, place = shape.gaps[part - 1], f"q, {part - 1}" if shape.family else f"{part - 1}"
    found = [] if gap.high is None else [f"t - {before} <= gaps[{place}, {HIGH}]"]
    return found if gap.whole is None else [*found, f"t - {first} <= gaps[{place}, {WHOLE}]"]


def _slot_update(text: SourceText, shape: Shape, stage: int, backwards: bool) -> None:
    """Write code that makes the partial match of a stage, the event in `r` at its end, the one of now."""
    now, then = cell(stage), cell(stage, previous=True)
    text.line(f"o = slots[k, {now + stage}]")
    better = "o < first" if backwards else "True"
    if backwards and stage > 0:
        # Rows are in the order of arrival.
        starts = "slots[k, c]", f"slots[k, {now}]"
        later = " > ".join(starts if shape.by_arrival else (f"time[{one}]" for one in starts))
        better = f"o < 0 or (o < first and {later})"
    with text.block(f"if {better}:"):
        with text.block("if 0 <= o < first:"):
            text.line(*(f"slots[k, {then + number}] = slots[k, {now + number}]" for number in range(stage + 1)))
        text.line(*(f"slots[k, {now + number}] = slots[k, c + {number}]" for number in range(stage)))
        text.line(f"slots[k, {now + stage}] = r")


def _runs(text: SourceText, shape: Shape) -> None:
    """Write the kernel for runs that each take the next event; a run is called by its first row."""
    last = len(shape.parts) - 1
    state = f"heads, link, stage, follow, waiting, {join_arguments(shape, 'gaps')}"
    with text.block(f"def run(first, last, time, key, member, {state}, out, control):"):
        text.line("count = control[0]", "room = out.shape[1]", "control[1] = 0", "r = first")
        with text.block("while r < last:"):
            if shape.absences:
                insert_instant(text, shape)
            text.line("t = time[r]", "m = member[r]")
            with text.block(f"if m & {1 << last}:"):
                text.line(f"k = {key_of(shape, last)}")
                with text.block("if count + waiting[k] > room:"):
                    text.line("control[0] = count", "control[1] = 1", "return r")
            for part in reversed(range(1, last + 1)):
                with text.block(f"if m & {1 << part}:"):
                    _run_step(text, shape, part)
            with text.block("if m & 1:"):
                text.line(f"k = {key_of(shape, 0)}", "link[r] = heads[k, 0]", "heads[k, 0] = r", "stage[r] = 1")
                _count_waiting(text, shape, 0)
                link_absent(text, shape, 0)
            text.line("r += 1")
        text.line("control[0] = count", "return r")


def _run_step(text: SourceText, shape: Shape, part: int) -> None:
    """Write code that lets the event in `r` be taken by all runs that wait for it."""
    last = len(shape.parts) - 1
    text.line(f"k = {key_of(shape, part)}")
    link_absent(text, shape, part)
    text.line(f"p = heads[k, {part - 1}]", f"heads[k, {part - 1}] = -1")
    with text.block("while p >= 0:"):
        before = "p" if part == 1 else f"follow[{part - 2}, p]"
        text.line("n = link[p]", f"b = time[{before}]")
        with text.block(f"if t - b < gaps[{part - 1}, {LOW}]:"):
            text.line(f"link[p] = heads[k, {part - 1}]", f"heads[k, {part - 1}] = p")
        with text.block("else:"):
            if part == last:
                text.line("stage[p] = 0", "waiting[k] -= 1")
            near = _near(shape, part, "b", "time[p]")
            with text.block(f"if {' and '.join(near) or 'True'}:"):
                if part == last:
                    rows = ["p0 = p", *(f"p{n} = follow[{n - 1}, p]" for n in range(1, last)), f"p{last} = r"]
                    text.line(*rows)
                    tell(text, shape)
                else:
                    text.line(f"follow[{part - 1}, p] = r", f"stage[p] = {part + 1}")
                    text.line(f"link[p] = heads[k, {part}]", f"heads[k, {part}] = p")
                    _count_waiting(text, shape, part)
            if part < last and near:
                with text.block("else:"):
                    text.line("stage[p] = 0")
        text.line("p = n")


def _count_waiting(text: SourceText, shape: Shape, stage: int) -> None:
    """Write code that counts the runs that the last step may end, so that there is room for them."""
    if stage == len(shape.parts) - 2:
        text.line("waiting[k] += 1")


def _queue(text: SourceText, shape: Shape) -> None:
    """Write the kernel for a queue of each key: an event takes the oldest that it can, and that one is gone."""
    with text.block(
        f"def run(first, last, time, key, member, ends, link, stage, {join_arguments(shape, 'gaps')}, out, control):"
    ):
        text.line("count = control[0]", "control[1] = 0", "r = first")
        with text.block("while r < last:"):
            if shape.absences:
                insert_instant(text, shape)
            text.line("t = time[r]", "m = member[r]")
            with text.block("if m & 2:"):
                _take_oldest(text, shape)
            with text.block("if m & 1:"):
                text.line(f"k = {key_of(shape, 0)}", "link[r] = -1", "stage[r] = 1")
                link_absent(text, shape, 0)
                with text.block("if ends[k, 0] < 0:"):
                    text.line("ends[k, 0] = r")
                with text.block("else:"):
                    text.line("link[ends[k, 1]] = r")
                text.line("ends[k, 1] = r")
            text.line("r += 1")
        text.line("control[0] = count", "return r")


def _take_oldest(text: SourceText, shape: Shape) -> None:
    text.line(f"k = {key_of(shape, 1)}", "p = ends[k, 0]")
    link_absent(text, shape, 1)
    near = _near(shape, 1, "time[p]", "time[p]")
    if near:
        with text.block(f"while p >= 0 and not ({' and '.join(near)}):"):
            text.line("stage[p] = 0", "p = link[p]")
    with text.block(f"if p >= 0 and t - time[p] >= gaps[0, {LOW}]:"):
        text.line("stage[p] = 0", "p0 = p", "p1 = r", "p = link[p]")
        tell(text, shape)
    text.line("ends[k, 0] = p")


def tell(text: SourceText, shape: Shape) -> None:
    """Write code that tells the match of the rows `p0`, `p1` ..., unless something that must be absent is there."""
    for number, one in enumerate(shape.absences):
        find_absent(text, number, f"p{one.upper}", f"time[p{one.upper}]")
    blocks = [is_blocked(shape.absences, number, f"time[p{one.lower}]") for number, one in enumerate(shape.absences)]
    found = prefilters(shape)
    conditions = [*found.may_be_true, *(f"not ({one})" for one in blocks)]
    with text.block(f"if {' and '.join(conditions) or 'True'}:"):
        text.line(*_rows_told(shape), "count += 1")
        if found.doubt is not None:
            with text.block(f"if {found.doubt}:"):
                text.line("control[4] = 1")


def _tell_without_a_jump(text: SourceText, shape: Shape, conditions: list[str]) -> None:
    """Write code that does so where nobody could guess what holds: rows are written anyway, and counted if it does."""
    found = prefilters(shape)
    text.line(*_rows_told(shape))
    text.line(f"holds = {' & '.join(f'({one})' for one in [*conditions, *found.may_be_true])}", "count += int(holds)")
    if found.doubt is not None:
        with text.block(f"if ({found.doubt}) and holds:"):
            text.line("control[4] = 1")


def _rows_told(shape: Shape) -> list[str]:
    rows = [f"out[{part}, count] = p{part}" for part in range(len(shape.parts))]
    return [f"out[{len(shape.parts)}, count] = q", *rows] if shape.family else rows
