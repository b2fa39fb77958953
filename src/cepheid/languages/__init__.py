"""Query languages: each reads its texts to programs of the algebra, and writes such programs as its texts.

A language is a package here that has the names of the protocol `Language`; it is entered in `LANGUAGES`, which loads it
when it is asked for. `shared` has what languages have in common: conditions, literals, lengths of time.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import PurePath
from typing import Final, Protocol, cast

from cepheid.algebra.programs import Program
from cepheid.diagnostics import CepheidError, Diagnostic, close_match

__all__ = ["EXTENSIONS", "LANGUAGES", "Language", "language_named", "language_of_file"]


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
        """Return the program that a text means; errors call the text by `name`. A query of `esql` is no program."""

    def show(self, program: Program) -> str:
        """Return a text that means this program, or raise where the language cannot say it."""

    def describe(self, text: str) -> str:
        """Return the syntax of a text as a tree to look at."""


EXTENSIONS: Final[Mapping[str, str]] = {
    "cep": ".cep",
    "algebra": ".alg",
    "parte": ".parte",
    "etalis": ".etalis",
    "hbl": ".hbl",
    "esql": ".esql",
    "json": ".json",
}
"""How the files of each language end: so much is known of a language without it."""

_PACKAGES: Final[Mapping[str, str]] = {"json": "json_form"}  # the others are called as their languages


class _OnDemand(Mapping[str, Language]):
    """The languages by their names, each loaded when it is first asked for."""

    def __getitem__(self, name: str) -> Language:
        if name not in EXTENSIONS:
            raise KeyError(name)
        return cast(Language, import_module(f"{__name__}.{_PACKAGES.get(name, name)}"))

    def __iter__(self) -> Iterator[str]:
        return iter(EXTENSIONS)

    def __len__(self) -> int:
        return len(EXTENSIONS)


LANGUAGES: Final[Mapping[str, Language]] = _OnDemand()
"""All languages by their names."""


def language_named(name: str) -> Language:
    """Return the language of this name.

    >>> language_named("algebra").EXTENSION
    '.alg'
    """
    if name in EXTENSIONS:
        return LANGUAGES[name]
    raise _unknown(f"no language is called `{name}`", close_match(name, EXTENSIONS))


def language_of_file(path: str) -> Language:
    """Return the language that the extension of a file's name says.

    >>> language_of_file("rules/alarm.alg").NAME
    'algebra'
    """
    for name, extension in EXTENSIONS.items():
        if extension == PurePath(path).suffix:
            return LANGUAGES[name]
    error = _unknown(f"no language has files like `{path}`", None)
    hint = f"where these are events, write the query before them: `cepheid run 'a: A' --input {path}`"
    raise CepheidError(replace(error.diagnostics[0], hints=(*error.diagnostics[0].hints, hint)))


def _unknown(message: str, closest: str | None) -> CepheidError:
    known = ", ".join(f"`{name}` (`{extension}`)" for name, extension in EXTENSIONS.items())
    hints = (f"did you mean `{closest}`?",) if closest else (f"the languages are {known}",)
    return CepheidError(Diagnostic("unknown-language", message, hints=hints))
