"""Query languages: each reads its texts to programs of the algebra, and writes such programs as its texts.

A language is a package here that has the names of the protocol `Language`; it is entered in `LANGUAGES`. `shared` has
what languages have in common: conditions, literals, lengths of time.
"""

from collections.abc import Mapping
from pathlib import PurePath
from typing import Final, Protocol

from cepheid.algebra.programs import Program
from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.languages import algebra, etalis, hbl, json_form, parte

__all__ = ["LANGUAGES", "Language", "language_named", "language_of_file"]


class _Parse(Protocol):
    """Reads a text; what else can be said about it is up to the language."""

    def __call__(self, text: str, *, name: str = ...) -> Program: ...


class Language(Protocol):
    """What the package of a language has."""

    @property
    def NAME(self) -> str:  # noqa: N802  # a constant of the package
        """What users call it."""

    @property
    def EXTENSION(self) -> str:  # noqa: N802  # a constant of the package
        """How the names of its files end, with the dot."""

    @property
    def parse(self) -> _Parse:
        """Return the program that a text means; errors call the text by `name`."""

    def show(self, program: Program) -> str:
        """Return a text that means this program, or raise where the language cannot say it."""

    def describe(self, text: str) -> str:
        """Return the syntax of a text as a tree to look at."""


LANGUAGES: Final[Mapping[str, Language]] = {
    language.NAME: language for language in (algebra, parte, etalis, hbl, json_form)
}
"""All languages by their names."""


def language_named(name: str) -> Language:
    """Return the language of this name.

    >>> language_named("algebra").EXTENSION
    '.alg'
    """
    if name in LANGUAGES:
        return LANGUAGES[name]
    raise _unknown(f"no language is called `{name}`", close_match(name, LANGUAGES))


def language_of_file(path: str) -> Language:
    """Return the language that the extension of a file's name says.

    >>> language_of_file("rules/alarm.alg").NAME
    'algebra'
    """
    extension = PurePath(path).suffix
    for language in LANGUAGES.values():
        if extension == language.EXTENSION:
            return language
    raise _unknown(f"no language has files like `{path}`", None)


def _unknown(message: str, closest: str | None) -> CepheidError:
    known = ", ".join(f"`{name}` (`{language.EXTENSION}`)" for name, language in LANGUAGES.items())
    hints = (f"did you mean `{closest}`?",) if closest else (f"the languages are {known}",)
    return CepheidError(Diagnostic("unknown-language", message, hints=hints))
