"""Queries as users give them: a text in a language, the name of a file, or what the Python builder made."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from os.path import isfile, realpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from cepheid.algebra.programs import Program
from cepheid.analysis import Certificate
from cepheid.analysis.certificates.picture import picture
from cepheid.analysis.certificates.viable import ViableSize
from cepheid.api.other_languages import DEFAULT_LANGUAGE, read_twice, with_likeness
from cepheid.api.tables import Rows
from cepheid.diagnostics import CepheidError, Diagnostic, readable
from cepheid.events import TICKS_PER_UNIT, Templates, TimeUnit
from cepheid.languages import EXTENSIONS, Language, language_named, language_of_file
from cepheid.languages.shared.files import NotAllowed
from cepheid.languages.shared.understood import Understood

if TYPE_CHECKING:
    from cepheid.algebra.builder import Query, QueryProgram

LANGUAGE_NAMES = tuple(EXTENSIONS)

Compilable: TypeAlias = "str | Program | Query | QueryProgram"


@dataclass(frozen=True, slots=True)
class QueryText:
    """A text, the language it is in, what errors call it, and the directory where files are that it names.

    Files elsewhere may be read only below the directories that are `allowed`. `is_default` says that nobody named the
    language, `is_file` that the name of the text is that of a file.
    """

    text: str
    language: Language
    name: str = "<query>"
    directory: Path = Path()
    allowed: tuple[Path, ...] = ()
    is_default: bool = False
    is_file: bool = False

    def understood(self, unit: TimeUnit, policy: str | None, tables: Mapping[str, Rows] | None = None) -> Understood:
        """Return what the text means, where numbers without a unit are in `unit`, and what is remarkable about it."""
        if policy is not None and "policy" not in signature(self.language.parse).parameters:
            raise _no_policy(self.language)
        if tables and "tables" not in signature(self.language.parse).parameters:
            raise _no_tables(self.language)
        options = {"time_unit": TICKS_PER_UNIT[unit], "policy": policy, "resolve": self.content_of, "tables": tables}
        try:
            found = self._read({"name": self.name, **options})
        except CepheidError as error:
            raise with_likeness(error, self.text, self.language.NAME, is_file=self.is_file) from None
        twice = read_twice(self.text, found.program) if self.is_default else ()
        return Understood(found.program, (*twice, *found.remarks))

    def _read(self, options: Mapping[str, object]) -> Understood:
        """Return what one reading gives; a language that has nothing to remark only parses."""
        understood = getattr(self.language, "understood", None)
        if understood is None:
            return Understood(self.language.parse(self.text, **_known(self.language.parse, options)))
        found: Understood = understood(self.text, **_known(understood, options))
        return found

    def program(self, unit: TimeUnit, policy: str | None, tables: Mapping[str, Rows] | None = None) -> Program:
        """Return what the text means, where numbers without a unit are in `unit`."""
        return self.understood(unit, policy, tables).program

    def described(self) -> str:
        """Return the text as it was understood."""
        options = {"name": self.name, "resolve": self.content_of}
        return self.language.describe(self.text, **_known(self.language.describe, options))

    def templates(self) -> Templates | None:
        """Return the templates that input must be of, if the language has such."""
        templates = getattr(self.language, "templates", None)
        options = {"name": self.name, "resolve": self.content_of}
        found: Templates | None = None if templates is None else templates(self.text, **_known(templates, options))
        return found

    def viable_sizes(self, program: Program, certificate: Certificate) -> tuple[ViableSize, ...]:
        """Return the sizes that were published for programs of this language, if there are any."""
        sizes = getattr(self.language, "viable_sizes", None)
        return () if sizes is None else tuple(sizes(program, certificate))

    def drawn(self, program: Program) -> str:
        """Return a picture of the program: the one that its language has, else its rules."""
        draw = getattr(self.language, "draw", picture)
        return str(draw(program))

    def content_of(self, file: str) -> str:
        """Return the text of a file that the query names; links are followed before it is seen where it lies."""
        path = Path(realpath(self.directory / file))
        if not any(path.is_relative_to(realpath(one)) for one in (self.directory, *self.allowed)):
            raise NotAllowed(str(path.parent))
        return path.read_text(encoding="utf-8-sig")


def _known(function: Callable[..., object], options: Mapping[str, object]) -> dict[str, Any]:
    """Return the options that a function of a language knows; what it can be told is its own business."""
    return {name: options[name] for name in options if name in signature(function).parameters}


def text_in(text: str, language: str | None, name: str = "<query>", directory: Path = Path()) -> QueryText:
    """Return a text in the language of this name; None is the usual one."""
    found = language_named(DEFAULT_LANGUAGE if language is None else language)
    return QueryText(text, found, name, directory, is_default=language is None)


def text_of(argument: str, language: str | None) -> QueryText:
    """Return the query that an argument is: the content of a file where it names one, otherwise the argument itself."""
    path = Path(argument)
    if not _names_a_file(argument, path):
        return text_in(argument, language)
    with readable(argument):
        content = path.read_bytes()
    try:
        text, found = content.decode("utf-8-sig"), language_of_file(argument)
        return QueryText(text, found, argument, path.parent, is_file=True)
    except UnicodeDecodeError:
        message = f"`{argument}` cannot be read: its bytes are not UTF-8"
        raise CepheidError(Diagnostic("unreadable-input", message, hints=("save it as UTF-8",))) from None


def _names_a_file(argument: str, path: Path) -> bool:
    """Say whether an argument is the name of a file; one that ends like a query file should be there."""
    if argument.strip() != argument or "\n" in argument:
        return False
    return path.suffix in EXTENSIONS.values() or isfile(path)


def _no_tables(language: Language) -> CepheidError:
    message = f"a text in `{language.NAME}` looks nothing up in tables"
    return CepheidError(Diagnostic("conflicting-options", message, hints=("leave out `tables`",)))


def _no_policy(language: Language) -> CepheidError:
    message = f"`{language.NAME}` has no policy that could be set"
    hints = ("say it in the query: `choose recent`",) if language.NAME == "cep" else ("leave out `--policy`",)
    return CepheidError(Diagnostic("conflicting-options", message, hints=hints))
