"""Texts that use other texts: `use "library.parte"` brings in all that the other one declares.

Nothing here reads a file. Whoever parses a text says how its names are resolved.
"""

from collections.abc import Iterator

from cepheid.diagnostics import CepheidError, Source
from cepheid.languages.parte.reading import read
from cepheid.languages.parte.syntax import Statement, Text, Use
from cepheid.languages.shared.files import Resolve, resolved
from cepheid.languages.shared.findings import refusal


def statements_of(text: Text, resolve: Resolve | None) -> tuple[Statement, ...]:
    """Return the statements of a text and of all that it uses, each text once."""
    return tuple(_statements(text, resolve, {}, ()))


def _statements(
    text: Text, resolve: Resolve | None, known: dict[str, Text], within: tuple[str, ...]
) -> Iterator[Statement]:
    for statement in text.statements:
        if not isinstance(statement, Use):
            yield statement
            continue
        if statement.file in within:
            raise _circular(statement, within)
        if statement.file not in known:
            known[statement.file] = read(Source(statement.file, resolved(statement.file, statement.span, resolve)))
            yield from _statements(known[statement.file], resolve, known, (*within, statement.file))


def _circular(use: Use, within: tuple[str, ...]) -> CepheidError:
    path = " -> ".join([*within[within.index(use.file) :], use.file])
    message, label = f"`{use.file}` uses itself: {path}", "this never ends"
    return refusal("recursive-definition", message, use.span, label, "move what both need into a third file")
