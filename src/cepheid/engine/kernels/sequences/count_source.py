"""Generated code that counts all combinations without listing them: the cost does not depend on how many there are.

For every i <= j it is known how many chains of parts i to j have come; each event remembers how many there were with
it. Of these, chains that begin before the window are taken away: they are split at their last event before it, into a
chain that lies before the window and one that lies inside. Events leave the window in the order of time, those of all
keys together. Numbers may wrap around, since only differences are told.
"""

from cepheid.engine.kernels.compiling.source_text import SourceText
from cepheid.engine.kernels.facts.absence_source import key_of
from cepheid.engine.kernels.facts.shapes import Shape


def pair(first: int, last: int) -> int:
    """Return the number of the pair of parts `first <= last`."""
    return last * (last + 1) // 2 + first


def pairs(parts: int) -> int:
    """Return how many such pairs there are among all parts but the last."""
    return parts * (parts - 1) // 2


def count_source(shape: Shape) -> str:
    """Return the source of the kernel: it adds the number of matches to `control[3]`."""
    text, last = SourceText(), len(shape.parts) - 1
    with text.block("def run(first, last, time, key, member, before, total, floor, cursors, span, out, control):"):
        text.line("control[1] = 0", "r = first", "leave = cursors[1]")
        with text.block("while r < last:"):
            text.line("e = r", "t = time[r]")
            if shape.most[0][last] is not None:
                _leave(text, shape)
            # Events of one instant do not follow each other, so all of them look before any is taken in.
            with text.block("while e < last and time[e] == t:"):
                text.line("m = member[e]")
                with text.block(f"if m & {1 << last}:"):
                    _completion(text, shape)
                for part in range(last):
                    with text.block(f"if m & {1 << part}:"):
                        text.line(f"k = {_key(shape, part, 'e')}")
                        text.line(*(f"before[{pair(i, part)}, e] = total[k, {pair(i, part - 1)}]" for i in range(part)))
                        text.line(f"before[{pair(part, part)}, e] = 1")
                text.line("e += 1")
            with text.block("while r < e:"):
                for part in range(last):
                    with text.block(f"if member[r] & {1 << part}:"):
                        _insertion(text, shape, part)
                text.line("r += 1")
        text.line("cursors[1] = leave", "return r")
    return str(text)


def _key(shape: Shape, part: int, row: str) -> str:
    return key_of(shape, part).replace("r]", f"{row}]")


def _leave(text: SourceText, shape: Shape) -> None:
    """Write code that lets events leave the window; each knows how many chains there were up to it."""
    with text.block("while leave < r and time[leave] < t - span[0]:"):
        for part in range(len(shape.parts) - 1):
            with text.block(f"if member[leave] & {1 << part}:"):
                text.line(f"k = {_key(shape, part, 'leave')}")
                text.line(*(f"floor[k, {pair(i, part)}] = before[{pair(i, part)}, leave]" for i in range(part + 1)))
        text.line("leave += 1")


def _completion(text: SourceText, shape: Shape) -> None:
    last = len(shape.parts) - 1
    text.line(f"k = {_key(shape, last, 'e')}")
    text.line(f"g{last} = 1")
    for part in reversed(range(last)):
        lost = [f"floor[k, {pair(part, middle)}] * g{middle + 1}" for middle in range(part, last)]
        text.line(f"g{part} = total[k, {pair(part, last - 1)}] - {' - '.join(lost)}")
    text.line("control[3] += g0")


def _insertion(text: SourceText, shape: Shape, part: int) -> None:
    text.line(f"k = {key_of(shape, part)}")
    for i in range(part + 1):
        text.line(f"total[k, {pair(i, part)}] += before[{pair(i, part)}, r]")
        text.line(f"before[{pair(i, part)}, r] = total[k, {pair(i, part)}]")
