"""Generated code for windowed folds: items enter the window and leave it in the order of time, all keys together.

Two cursors in the log say which items have entered and which have left; the count and the sum of each key are kept as
they do. A moving sum of floats is not the sum of its items added up one by one, so it only leaves out what is certainly
not wanted: its error is bounded, and what may be wanted is worked out anew.
"""

from cepheid.engine.kernels.compiling.source_text import SourceText
from cepheid.engine.kernels.facts.absence_source import key_of
from cepheid.engine.kernels.facts.collections_shape import CollectShape, Test
from cepheid.engine.kernels.facts.shapes import Shape

ANCHOR, ITEM = 1, 2
# A sum that is off by less than this share of what was added up is not off for want of precision.
PRECISION = 2.0**-49
# Of each key: how many items are in the window, how many of these are no finite numbers, the sum of the others, the sum
# of their sizes, and how far off these may be.
COUNT, ODD, TOTAL, SIZE, SLACK = range(5)


def collect_source(shape: Shape) -> str:
    """Return the source of the kernel; it tells the anchor, the last of its items, and how many there are.

    Anchors are looked at up to `last`, items up to `control[5]`: a window that goes on after its anchor needs more.
    """
    assert shape.collect is not None
    text, summed = SourceText(), shape.collect.summed is not None
    state = "newest, link, sums, cursors, span, numbers, constant"
    with text.block(f"def run(first, last, time, key, member, {state}, out, control):"):
        text.line(
            "count = control[0]",
            "control[1] = 0",
            "r = first",
            "stop = control[5]",
            "enter = cursors[0]",
            "leave = cursors[1]",
        )
        with text.block("while r < last:"):
            text.line("t = time[r]", "e = r + 1")
            with text.block("while e < last and time[e] == t:"):
                text.line("e += 1")
            _enter(text, shape, summed)
            _leave(text, shape, summed)
            with text.block("while r < e:"):
                with text.block(f"if member[r] & {ANCHOR}:"):
                    _anchor(text, shape, shape.collect)
                text.line("r += 1")
        text.line("cursors[0] = enter", "cursors[1] = leave", "control[0] = count", "return r")
    return str(text)


def _enter(text: SourceText, shape: Shape, summed: bool) -> None:
    with text.block("while enter < stop and time[enter] <= t + span[1]:"):
        with text.block(f"if member[enter] & {ITEM}:"):
            text.line(f"k = {_key(shape, 1, 'enter')}", "link[enter] = newest[k, 0]", "newest[k, 0] = enter")
            text.line(f"sums[k, {COUNT}] += 1.0")
            if summed:
                _weigh(text, "enter", "+")
        text.line("enter += 1")


def _leave(text: SourceText, shape: Shape, summed: bool) -> None:
    with text.block("while leave < enter and time[leave] < t + span[0]:"):
        with text.block(f"if member[leave] & {ITEM}:"):
            text.line(f"k = {_key(shape, 1, 'leave')}", f"sums[k, {COUNT}] -= 1.0")
            if summed:
                _weigh(text, "leave", "-")
                with text.block(f"if sums[k, {COUNT}] == 0.0:"):
                    text.line(*(f"sums[k, {part}] = 0.0" for part in (TOTAL, SIZE, SLACK)))
        text.line("leave += 1")


def _weigh(text: SourceText, row: str, sign: str) -> None:
    """Write code that counts the number of an item in or out; what is no finite number is counted apart."""
    text.line(f"v = numbers[0, {row}]")
    with text.block("if v - v == 0.0:"):
        text.line("w = abs(v)", f"sums[k, {SLACK}] += {PRECISION!r} * (sums[k, {SIZE}] + w)")
        text.line(f"sums[k, {TOTAL}] {sign}= v", f"sums[k, {SIZE}] {sign}= w")
    with text.block("else:"):
        text.line(f"sums[k, {ODD}] {sign}= 1.0")


def _anchor(text: SourceText, shape: Shape, collect: CollectShape) -> None:
    text.line(f"k = {_key(shape, 0, 'r')}", f"n = sums[k, {COUNT}]")
    tests = [_test(test, place) for place, test in enumerate(collect.tests)]
    with text.block(f"if {' and '.join(tests) or 'True'}:"):
        text.line("out[0, count] = r", "out[1, count] = newest[k, 0]", "out[2, count] = int(n)", "count += 1")


def _key(shape: Shape, part: int, row: str) -> str:
    return key_of(shape, part).replace("r]", f"{row}]")


def _test(test: Test, place: int) -> str:
    """Return code that is false only where a fold certainly does not stand in a relation to its constant."""
    limit = f"constant[0, {place}]"
    if test.fold == "count":
        return f"n {test.operator} {limit}"
    total, size, slack = (f"sums[k, {part}]" for part in (TOTAL, SIZE, SLACK))
    scaled = f"{limit} * n" if test.fold == "avg" else limit
    room = f"{slack} + {PRECISION!r} * (n + 4.0) * ({size} + {slack} + abs({scaled}))"
    far = f"{total} + ({room}) >= {scaled}"
    if test.operator in ("<", "<="):
        far = f"{total} - ({room}) <= {scaled}"
    return f"(sums[k, {ODD}] > 0.0 or (n > 0.0 and {far}))"
