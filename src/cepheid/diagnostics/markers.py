"""A label becomes markers: the pieces of single lines that are underlined for it."""

from collections.abc import Iterator
from dataclasses import dataclass

from cepheid.diagnostics.diagnostic import Label
from cepheid.diagnostics.source import Span

_WHOLE_UP_TO = 4  # a span of more lines is marked on its first and last line only


@dataclass(frozen=True, slots=True)
class Marker:
    """The columns `start` up to `end` of one line, counted from 0; a label's last marker has its text."""

    line: int
    start: int
    end: int
    text: str
    primary: bool


def markers(label: Label, *, primary: bool) -> list[Marker]:
    """The markers of a label, at least one, top to bottom."""
    pieces = list(_pieces(label.span)) or [_point(label.span)]
    texts = [""] * (len(pieces) - 1) + [label.text]
    return [Marker(*piece, text, primary) for piece, text in zip(pieces, texts, strict=True)]


def _pieces(span: Span) -> Iterator[tuple[int, int, int]]:
    """The marked part of each line of the span, without the white space at either end of it."""
    lines = span.text.split("\n")
    last = len(lines) - 1
    for index, text in enumerate(lines):
        if text.strip() and (last < _WHOLE_UP_TO or index in (0, last)):
            offset = span.column - 1 if index == 0 else 0
            start = offset + len(text) - len(text.lstrip())
            yield span.line + index, start, offset + len(text.rstrip())


def _point(span: Span) -> tuple[int, int, int]:
    return span.line, span.column - 1, span.column - 1
