"""Texts that use other texts: `use "library.parte"` brings in all that the other one declares.

Nothing here reads a file. Whoever parses a text says how its names are resolved.
"""

from collections.abc import Callable, Iterator
from typing import TypeAlias

from cepheid.diagnostics import CepheidError, Source, Span
from cepheid.languages.parte.reading import read
from cepheid.languages.parte.syntax import Statement, Text, Use
from cepheid.languages.shared.findings import refusal

Resolve: TypeAlias = Callable[[str], str]
"""Returns the text of a file; raises `OSError` or `LookupError` where there is none."""


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


def resolved(file: str, span: Span, resolve: Resolve | None) -> str:
    """Return the text of a file that is named at some place."""
    if resolve is None:
        message, label = f"`{file}` cannot be read: nothing says where files are", "a file is named here"
        raise refusal("unresolved-file", message, span, label, "call `parse(text, resolve=read_file)`")
    try:
        return resolve(file)
    except (OSError, LookupError, ValueError) as error:
        message, label = f"`{file}` cannot be read: {_reason(error)}", "named here"
        raise refusal("unresolved-file", message, span, label, "check the name of the file") from None


def _reason(error: OSError | LookupError | ValueError) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "its bytes are not UTF-8"
    if isinstance(error, ValueError):
        return "no file can be called so"
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.lower()
    return "there is no such file"


def _circular(use: Use, within: tuple[str, ...]) -> CepheidError:
    path = " -> ".join([*within[within.index(use.file) :], use.file])
    message, label = f"`{use.file}` uses itself: {path}", "this never ends"
    return refusal("recursive-definition", message, use.span, label, "move what both need into a third file")
