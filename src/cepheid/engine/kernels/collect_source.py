"""Generated code for windowed folds: a window of items for each key, moved on by its anchors.

Count and sum are kept as the window moves. A moving sum of floats is not the sum of its items added up one by one, so
it only leaves out what is certainly not wanted: its error is bounded, and what may be wanted is worked out anew.
"""

from cepheid.engine.kernels.absence_source import key_of
from cepheid.engine.kernels.collections_shape import CollectShape, Test
from cepheid.engine.kernels.shapes import Shape
from cepheid.engine.kernels.source_text import SourceText

ANCHOR, ITEM = 1, 2
# A sum that is off by less than this share of what was added up is not off for want of precision.
PRECISION = 2.0**-49
TOTAL, SIZE, SLACK = 0, 1, 2


def collect_source(shape: Shape) -> str:
    """Return the source of the kernel; it tells the anchor, the first of its items, and how many there are."""
    assert shape.collect is not None
    text = SourceText()
    state = "ends, link, counts, sums, span, numbers, constant"
    with text.block(f"def run(first, last, time, key, member, {state}, out, control):"):
        text.line("count = control[0]", "control[1] = 0", "r = first")
        with text.block("while r < last:"):
            text.line("e = r")
            with text.block("while e < last and time[e] == time[r]:"):
                with text.block(f"if member[e] & {ITEM}:"):
                    _add_item(text, shape)
                text.line("e += 1")
            with text.block("while r < e:"):
                with text.block(f"if member[r] & {ANCHOR}:"):
                    _anchor(text, shape, shape.collect)
                text.line("r += 1")
        text.line("control[0] = count", "return r")
    return str(text)


def _add_item(text: SourceText, shape: Shape) -> None:
    """Write code that puts the item in row `e` behind the others of its key."""
    text.line(f"k = {key_of(shape, 1).replace('r]', 'e]')}", "link[e] = -1")
    with text.block("if ends[k, 0] < 0:"):
        text.line("ends[k, 0] = e")
    with text.block("else:"):
        text.line("link[ends[k, 2]] = e")
    with text.block("if ends[k, 1] < 0:"):
        text.line("ends[k, 1] = e")
    text.line("ends[k, 2] = e")


def _anchor(text: SourceText, shape: Shape, collect: CollectShape) -> None:
    text.line(f"k = {key_of(shape, 0)}", "t = time[r]", "p = ends[k, 1]", "n = counts[k, 0]", "odd = counts[k, 1]")
    text.line(f"total = sums[k, {TOTAL}]", f"size = sums[k, {SIZE}]", f"slack = sums[k, {SLACK}]")
    with text.block("while p >= 0 and time[p] <= t + span[1]:"):
        text.line("n += 1")
        _weigh(text, "+")
        text.line("p = link[p]")
    text.line("ends[k, 1] = p", "q = p", "p = ends[k, 0]")
    with text.block("while p >= 0 and p != q and time[p] < t + span[0]:"):
        text.line("n -= 1")
        _weigh(text, "-")
        text.line("p = link[p]")
    with text.block("if n == 0:"):
        text.line("total = 0.0", "size = 0.0", "slack = 0.0")
    text.line("ends[k, 0] = p", "counts[k, 0] = n", "counts[k, 1] = odd")
    text.line(f"sums[k, {TOTAL}] = total", f"sums[k, {SIZE}] = size", f"sums[k, {SLACK}] = slack")
    tests = [_test(test, place) for place, test in enumerate(collect.tests)]
    with text.block(f"if {' and '.join(tests) or 'True'}:"):
        text.line("out[0, count] = r", "out[1, count] = p", "out[2, count] = n", "count += 1")


def _weigh(text: SourceText, sign: str) -> None:
    """Write code that counts the number of the item in `p` in or out; what is no finite number is counted apart."""
    text.line("v = numbers[0, p]")
    with text.block("if v - v == 0.0:"):
        text.line("w = abs(v)", f"slack += {PRECISION!r} * (size + w)", f"total {sign}= v", f"size {sign}= w")
    with text.block("else:"):
        text.line(f"odd {sign}= 1")


def _test(test: Test, place: int) -> str:
    """Return code that is false only where a fold certainly does not stand in a relation to its constant."""
    limit = f"constant[0, {place}]"
    if test.fold == "count":
        return f"n {test.operator} {limit}"
    scaled = f"{limit} * n" if test.fold == "avg" else limit
    room = f"slack + {PRECISION!r} * (n + 4) * (size + slack + abs({scaled}))"
    far = f"total + ({room}) >= {scaled}"
    if test.operator in ("<", "<="):
        far = f"total - ({room}) <= {scaled}"
    return f"(odd > 0 or (n > 0 and {far}))"
