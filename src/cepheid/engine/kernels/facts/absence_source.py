"""Generated code for what must be absent: lists of such events by key, and a look at the last one in time.

Every event of a part that bounds an absence from above remembers the newest absent event before it or with it. From
there it is a short walk back to the newest one that counts.
"""

from collections.abc import Sequence

from cepheid.engine.kernels.compiling.source_text import SourceText
from cepheid.engine.kernels.facts.shapes import AbsenceShape, Shape


def key_of(shape: Shape, scanned: int) -> str:
    """Return the code for the key under which the event in `r` is the part of that number."""
    own = f"key[{key_columns(shape)[scanned]}, r]" if shape.parts[0].keys else "0"
    return f"{own} * queries + q" if shape.family else own


def key_columns(shape: Shape) -> list[int]:
    """Return for every part which of the different key columns it has; parts with the same fields share one."""
    seen: list[object] = []
    columns = []
    for part in shape.scanned:
        told = repr(part.keys).replace(f"part='{part.name}'", "part='$event'")
        if told not in seen:
            seen.append(told)
        columns.append(seen.index(told))
    return columns


def insert_absent(text: SourceText, shape: Shape, row: str = "r") -> None:
    """Write code that puts the event in a row into the lists of what must be absent."""
    for number, _ in enumerate(shape.absences):
        bit = 1 << (len(shape.parts) + number)
        with text.block(f"if member[{row}] & {bit}:"):
            text.line(
                f"k = {key_of(shape, len(shape.parts) + number).replace('r]', row + ']')}",
                f"absent_prev[{number}, {row}] = absent_heads[k, {number}]",
                f"absent_heads[k, {number}] = {row}",
            )


def insert_instant(text: SourceText, shape: Shape) -> None:
    """Write code that does so for all events of an instant, before any of them is looked at."""
    with text.block("if r >= control[2]:"):
        text.line("e = r")
        with text.block("while e < last and time[e] == time[r]:"):
            insert_absent(text, shape, "e")
            text.line("e += 1")
        text.line("control[2] = e")


def link_absent(text: SourceText, shape: Shape, part: int) -> None:
    """Write code that lets the event in `r` remember the newest absent event, where it bounds an absence."""
    for number, one in enumerate(shape.absences):
        if one.upper == part:
            text.line(f"absent_link[{number}, r] = absent_heads[{key_of(shape, part)}, {number}]")


def find_absent(text: SourceText, number: int, row: str, time: str) -> None:
    """Write code that finds when the newest absent event was that counts for the event in `row`: `absent0`, ..."""
    text.line(f"q = absent_link[{number}, {row}]")
    with text.block(f"while q >= 0 and time[q] > {time} + absent_high[{number}]:"):
        text.line(f"q = absent_prev[{number}, q]")
    text.line(f"absent{number} = time[q] if q >= 0 else NEVER")


def is_blocked(absences: Sequence[AbsenceShape], number: int, lower_time: str) -> str:
    """Return the code that asks whether the absence of that number forbids a match whose lower part is at a time."""
    assert number < len(absences)
    return f"absent{number} >= {lower_time} + absent_low[{number}]"
