"""Draw a diagnostic as text.

error[unbounded-state]: this rule keeps every `login` event for ever
 --> fraud.parte:3:12
  |
3 |     unless refund after login
  |            ^^^^^^^^^^^^^^^^^^ nothing ends the wait for `refund`
  = hint: add a window, for example `within 1 h`
"""

from collections.abc import Iterator

from cepheid.diagnostics.diagnostic import Diagnostic, Label
from cepheid.diagnostics.ink import Ink, Paint, ansi, ink_of, plain
from cepheid.diagnostics.markers import Marker, markers
from cepheid.diagnostics.screen_text import visible, within_reason
from cepheid.diagnostics.snippet import snippet
from cepheid.diagnostics.source import Source, Span


def draw(diagnostic: Diagnostic, *, colour: bool = False) -> str:
    """The drawing of a diagnostic, without a line break at its end; with `colour`, in ANSI colours."""
    paint = ansi if colour else plain
    marked = _markers_by_source(diagnostic)
    gutter = len(str(max((marker.line for group in marked.values() for marker in group), default=1)))
    rows = [_headline(diagnostic, paint)]
    for source, group in marked.items():
        arrow = "-->" if len(rows) == 1 else ":::"
        rows.append(paint(" " * gutter + arrow, Ink.FRAME) + f" {visible(str(_first_place(diagnostic, source)))}")
        rows.extend(snippet(source, group, gutter, ink_of(diagnostic.severity), paint))
    rows.extend(_remarks(diagnostic, gutter, paint))
    return "\n".join(rows)


def _headline(diagnostic: Diagnostic, paint: Paint) -> str:
    kind = paint(f"{diagnostic.severity.value}[{diagnostic.code}]", ink_of(diagnostic.severity))
    place = f" {diagnostic.place}" if diagnostic.place else ""
    return kind + paint(visible(within_reason(f": {diagnostic.message}{place}")), Ink.MESSAGE)


def _markers_by_source(diagnostic: Diagnostic) -> dict[Source, list[Marker]]:
    """The markers of all labels; the source of the primary label comes first."""
    marked: dict[Source, list[Marker]] = {}
    for index, label in enumerate(diagnostic.labels):
        marked.setdefault(label.span.source, []).extend(markers(label, primary=index == 0))
    return marked


def _first_place(diagnostic: Diagnostic, source: Source) -> Span:
    def is_there(label: Label) -> bool:
        return label.span.source == source

    return next(filter(is_there, diagnostic.labels)).span


def _remarks(diagnostic: Diagnostic, gutter: int, paint: Paint) -> Iterator[str]:
    """Notes, then hints: the way out comes last, where the eye rests."""
    remarks = [("note", note) for note in diagnostic.notes] + [("hint", hint) for hint in diagnostic.hints]
    for kind, text in remarks:
        indent = " " * (gutter + 1)
        continuation = "\n" + indent + " " * len(f"= {kind}: ")
        told = visible(within_reason(text), lines=True).replace("\n", continuation)
        yield f"{indent}{paint('=', Ink.FRAME)} {kind}: {told}"
