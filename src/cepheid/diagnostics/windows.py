"""What is shown of a line that is wider than a screen: the pieces of it that are marked, and what is around them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Final

from cepheid.diagnostics.markers import Marker
from cepheid.diagnostics.screen_text import shown, width

WIDEST: Final = 120
_LEFT_OUT: Final = "…"


@dataclass(frozen=True, slots=True)
class Window:
    """The characters `start` up to `end` of a line, counted from 0."""

    line: str
    start: int
    end: int

    def __str__(self) -> str:
        """What is drawn, with a sign at either end where the line goes on."""
        after = _LEFT_OUT if self.end < len(self.line) else ""
        return f"{self._before}{shown(self.line[self.start : self.end])}{after}"

    @property
    def _before(self) -> str:
        return _LEFT_OUT if self.start else ""

    def indent(self, marker: Marker) -> int:
        """The number of columns before a marker that begins in the window."""
        return len(self._before) + width(self.line[self.start : marker.start])

    def length(self, marker: Marker) -> int:
        """The number of columns that are seen of a marker; it is marked in any case."""
        return max(1, width(self.line[marker.start : min(marker.end, self.end)]))


def windows(line: str, marked: Iterable[Marker]) -> Iterator[tuple[Window, list[Marker]]]:
    """Yield windows with the markers that begin in each, from left to right; a line that fits is one window."""
    left = sorted(marked, key=lambda marker: marker.start)
    if len(line) <= WIDEST and width(line) <= WIDEST:
        yield Window(line, 0, len(line)), left
        return
    while left:
        together = _fitting(line, left)
        yield _around(line, together), together
        left = left[len(together) :]


def unmarked(line: str) -> Window:
    """The beginning of a line that stands between others."""
    return Window(line, 0, _reach(line, 0, WIDEST))


def _fitting(line: str, markers: list[Marker]) -> list[Marker]:
    """The first markers that fit into one window, at least one."""
    most = _reach(line, markers[0].start, WIDEST)
    return [markers[0], *takewhile(lambda marker: max(marker.start + 1, marker.end) <= most, markers[1:])]


def _around(line: str, markers: list[Marker]) -> Window:
    """The window with some markers in its middle; where they take more than all of it, it begins with them."""
    start = markers[0].start
    end = min(max(marker.end for marker in markers), _reach(line, start, WIDEST))
    spare = WIDEST - sum(map(_cost, line[start:end]))
    after = _reach(line, end, spare // 2)
    start = _back(line, start, spare - sum(map(_cost, line[end:after])))
    return Window(line, start, _reach(line, start, WIDEST))


def _reach(line: str, start: int, most: int) -> int:
    """The end of what takes so many columns from `start` on."""
    for index in range(start, len(line)):
        most -= _cost(line[index])
        if most < 0:
            return index
    return len(line)


def _back(line: str, end: int, most: int) -> int:
    """The start of what takes so many columns before `end`; what is written over a letter stays with it."""
    start = end
    while start and (most := most - _cost(line[start - 1])) >= 0:
        start -= 1
    while start < end and not width(line[start]):
        start += 1
    return start


def _cost(character: str) -> int:
    """The columns of a character; one that takes none counts, so that what is shown has an end."""
    return max(1, width(character))
