"""Texts that another language reads: the hint which one, and the remark that two of them do."""

import re
from dataclasses import replace
from typing import Final

from cepheid.algebra.patterns import Atom
from cepheid.algebra.programs import Program
from cepheid.diagnostics import CepheidError, Diagnostic, Severity

DEFAULT_LANGUAGE: Final = "cep"
"""The language of a text of which nobody says another."""

_LONGEST = 100_000
_QUOTED: Final = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|`[^`\n]*`|#[^\n]*")
_NATIVE_ALONE: Final = re.compile(
    r"\b(on|where|unless|choose|if|repeat|collect|sequence|chain|rule|stream|ties|table)\b"
)


def with_likeness(error: CepheidError, text: str, language: str, *, is_file: bool) -> CepheidError:
    """Return an error about a text with the hint which language it looks like, if that is another one."""
    first, *others = error.diagnostics
    if first.code not in _ABOUT_TEXTS or len(text) > _LONGEST:
        return error
    from cepheid.languages.likeness import language_like  # loads languages, and most texts are in the one they say

    found = language_like(text, but=language)
    if found is None:
        return error
    return CepheidError(replace(first, hints=(*first.hints, _way_out(found, is_file=is_file))), *others)


def read_twice(text: str, program: Program) -> tuple[Diagnostic, ...]:
    """Return the remark that a text of which nobody named the language is one of the event algebra as well.

    A single event is not remarked on: both take every one, but of those of one time the event algebra takes one.
    """
    if len(text) > _LONGEST or _NATIVE_ALONE.search(_QUOTED.sub("", text)):
        return ()
    if all(isinstance(rule.pattern, Atom) for rule in program.rules):
        return ()
    from cepheid.languages.likeness import reads  # loads a language that most texts are not in

    if not reads("algebra", text):
        return ()
    message = f"this is a query in `{DEFAULT_LANGUAGE}` and in `algebra`, and they mean different things by it"
    notes = (f"it runs as `{DEFAULT_LANGUAGE}`: every match counts, and a window holds all that stands before it",)
    hints = ('say which one it is: `--language cep`, or in Python `language="cep"`',)
    return (Diagnostic("two-languages", message, hints=hints, notes=notes, severity=Severity.WARNING),)


def _way_out(language: str, *, is_file: bool) -> str:
    from cepheid.languages import EXTENSIONS

    if is_file:
        return f"it looks like `{language}`, whose files end in `{EXTENSIONS[language]}`"
    return f'it looks like `{language}`: say so with `--language {language}`, or in Python `language="{language}"`'


_ABOUT_TEXTS: Final = frozenset(
    {
        "syntax",
        "incomplete-statement",
        "missing-operand",
        "missing-operator",
        "no-rule",
        "unbalanced",
        "unknown-operator",
    }
)
