"""Draw the marked lines of one source.

      |
    3 |     unless refund after login
      |            ^^^^^^^^^^^^^^^^^^ nothing ends the wait for `refund`

Each marker has a row of its own, so that labels on one line never run into each other. Of a line that is wider than a
screen, what stands around its markers is drawn.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from cepheid.diagnostics.credentials import covered
from cepheid.diagnostics.ink import Ink, Paint
from cepheid.diagnostics.markers import Marker
from cepheid.diagnostics.screen_text import visible, within_reason
from cepheid.diagnostics.source import Source
from cepheid.diagnostics.windows import Window, unmarked, windows


def snippet(source: Source, markers: Iterable[Marker], gutter: int, ink: Ink, paint: Paint) -> Iterator[str]:
    """The rows of the drawing; line numbers take `gutter` columns, primary markers have the colour `ink`."""
    by_line: dict[int, list[Marker]] = {}
    for marker in sorted(markers, key=lambda marker: (marker.line, marker.start)):
        by_line.setdefault(marker.line, []).append(marker)
    yield _row("", "", gutter, paint)
    for number in _shown_lines(list(by_line)):
        if number is None:
            yield paint("...", Ink.FRAME)
            continue
        line = covered(source.line(number))
        for window, marked in windows(line, by_line[number]) if number in by_line else [(unmarked(line), [])]:
            yield _row(str(number), str(window), gutter, paint)
            for marker in marked:
                yield _row("", _underline(window, marker, ink, paint), gutter, paint)


def _shown_lines(marked: list[int]) -> Iterator[int | None]:
    """The marked lines; a single line between two of them is shown too, more are left out (None)."""
    for before, after in pairwise([marked[0], *marked]):
        if after - before == 2:
            yield before + 1
        elif after - before > 2:
            yield None
        yield after


def _row(number: str, content: str, gutter: int, paint: Paint) -> str:
    frame = paint(f"{number:>{gutter}} |", Ink.FRAME)
    return f"{frame} {content}" if content.strip() else frame


def _underline(window: Window, marker: Marker, ink: Ink, paint: Paint) -> str:
    indent = " " * window.indent(marker)
    mark = ("^" if marker.primary else "-") * window.length(marker)
    text = f" {visible(within_reason(marker.text))}" if marker.text else ""
    return indent + paint(mark + text, ink if marker.primary else Ink.FRAME)
