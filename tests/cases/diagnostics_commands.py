"""`draw <severity> <code>`: draw a diagnostic about a text in which the labelled places are marked.

    message: what is wrong
    label: for the first marked place
    primary: for the second, which is what it is about
    note: why
    hint: what to type

    text with a «marked» place, and «another» one

The text's lines stand after the empty line; the marks are taken out of it.
"""

import re

from cepheid.diagnostics import Diagnostic, Label, Severity, Source, draw

_MARKED = re.compile("«([^»]*)»")


def draw_marked(arguments: str, text: str) -> str:
    severity, code = arguments.split()
    fields, _, marked = text.partition("\n\n")
    labels = _labels(fields, Source("example.alg", re.sub("[«»]", "", marked)), _places(marked))
    [message] = _values(fields, "message")
    hints, notes = _values(fields, "hint"), _values(fields, "note")
    return draw(Diagnostic(code, message, labels, hints, notes, severity=Severity(severity)))


def _labels(fields: str, source: Source, places: list[tuple[int, int]]) -> tuple[Label, ...]:
    """The labels, the primary one first."""
    texts = [(name, value) for name, value in _pairs(fields) if name in ("label", "primary")]
    pairs = sorted(zip(texts, places, strict=True), key=lambda pair: pair[0][0] != "primary")
    return tuple(Label(source.span(*place), text) for (_, text), place in pairs)


def _values(fields: str, name: str) -> tuple[str, ...]:
    return tuple(value for key, value in _pairs(fields) if key == name)


def _pairs(fields: str) -> list[tuple[str, str]]:
    return [(name, value.strip()) for name, _, value in (line.partition(":") for line in fields.split("\n"))]


def _places(marked: str) -> list[tuple[int, int]]:
    """Start and end of each marked place, as offsets into the text without the marks."""
    places = enumerate(_MARKED.finditer(marked))
    return [(found.start() - 2 * index, found.end() - 2 * index - 2) for index, found in places]
