"""The syntax as a tree to look at.

watchpoint slow
└─ main = ask
└─ answer
"""

from collections.abc import Iterator, Sequence

from cepheid.languages.hbl import syntax
from cepheid.languages.hbl.syntax import Text, Watchpoint


def drawn(text: Text) -> str:
    """Return all watchpoints of a text, their equations as trees of steps."""
    rows = [_as_written(stream.span.text) for stream in text.streams]
    for watchpoint in text.watchpoints:
        rows += [_head(watchpoint), *_equations(watchpoint)]
    return "\n".join(rows)


def _head(watchpoint: Watchpoint) -> str:
    by = f" by {', '.join(name.name for name in watchpoint.by)}" if watchpoint.by else ""
    spans = [*(one.span for one in watchpoint.windows), *(one.span for one in watchpoint.alerts)]
    said = [_as_written(span.text).rstrip(";") for span in spans]
    return " ".join([f"watchpoint {watchpoint.name.name}{by}", *said])


def _equations(watchpoint: Watchpoint) -> Iterator[str]:
    for place, equation in enumerate(watchpoint.equations):
        is_last = place == len(watchpoint.equations) - 1
        head = f"{equation.name.name} = {_label(equation.expression)}"
        yield from _branch(head, equation.expression, is_last)


def _branch(label: str, sequence: syntax.Sequence, is_last: bool) -> Iterator[str]:
    elbow, indent = ("└─ ", "   ") if is_last else ("├─ ", "│  ")
    yield elbow + label
    for row in _below(sequence.follow):
        yield indent + row


def _below(follow: Sequence[syntax.Sequence]) -> Iterator[str]:
    for place, one in enumerate(follow):
        yield from _branch(_label(one), one, place == len(follow) - 1)


def _label(sequence: syntax.Sequence) -> str:
    lead = _as_written(sequence.lead.span.text)
    if sequence.composes:
        return f"{lead}, followed by"
    return lead if sequence.avoid is None else f"{lead}, then avoiding {_as_written(sequence.avoid.span.text)}"


def _as_written(text: str) -> str:
    return " ".join(text.split())
