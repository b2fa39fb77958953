"""How deeply a text is nested: what reads it further goes down as deep, so there is a limit."""

from typing import Final

from lark import Tree

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, Span
from cepheid.languages.shared.grammars import Node, span_of

MOST_LEVELS: Final = 100
"""As many operators may stand in a row, or parentheses inside each other."""


NAME_A_PART: Final = "give the inner part a name of its own that emits events: `Inner = a:A ; B emits user = a.user`"


def check_depth(tree: Node, source: Source, hint: str = NAME_A_PART) -> None:
    """Raise where a tree has too many levels; this one goes down without nesting itself."""
    level = [tree]
    for _ in range(MOST_LEVELS + 3):
        level = [child for node in level for child in node.children if isinstance(child, Tree)]
    if level:
        raise too_deep(span_of(level[0], source), hint)


def too_deep(span: Span, hint: str = NAME_A_PART) -> CepheidError:
    """Return the error for a query with too many levels; `span` is where they begin to be too many."""
    first_line = len(span.text.split("\n")[0])
    place = Span(span.source, span.start, span.start + first_line)
    label = Label(place, f"more than {MOST_LEVELS} levels lie above this")
    return CepheidError(Diagnostic("too-deep", "the query is nested too deeply", (label,), hints=(hint,)))
