"""A session of eSQL: definitions that stay, palettes, tables, and syntax for what is written in Python."""

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from cepheid.api.esql.queries import EsqlQuery, Outside, query_of
from cepheid.diagnostics import Source
from cepheid.languages.esql.grammars.definitions import Dictionary, loaded
from cepheid.languages.esql.grammars.grammar import BUILT_IN
from cepheid.languages.esql.grammars.printing import show_definition
from cepheid.languages.esql.grammars.statements import is_definition, statements_of
from cepheid.languages.esql.lowering import Maker
from cepheid.languages.esql.palettes import Extension, extended, extension_named
from cepheid.languages.esql.parsing import dictionary_of
from cepheid.languages.shared.findings import refusal

__all__ = ["Session"]


class Session:
    """What was defined so far. Texts that are compiled may add to it for themselves, and change nothing here.

    >>> session = Session()
    >>> session.execute("WHEN @P IS A PROCESSOR: THE START OF @P IS THE PROCESSOR THE FIRST 2 OF @P.")
    >>> session.compile("THE START OF @x").run(x=[1, 2, 3])
    [1, 2]
    """

    def __init__(
        self,
        palettes: Sequence[str] | None = None,
        *,
        tables: Mapping[str, Any] | None = None,  # rows, frames, or names of files
        allow_files: Sequence[str | PathLike[str]] = (),
        directory: str | PathLike[str] = ".",
        allow_unbounded: bool = False,
    ) -> None:
        self._allow_unbounded = allow_unbounded
        names = BUILT_IN[1:] if palettes is None else tuple(palettes)
        self._dictionary: Dictionary = dictionary_of(tuple(name for name in names if name in BUILT_IN[1:]))
        self._makers: dict[str, Maker] = {}
        self._folders = (Path(directory), *map(Path, allow_files))
        self.tables: dict[str, Any] = {}
        for name, given in (tables or {}).items():
            self.add_table(name, given)
        for name in names:
            if name not in BUILT_IN:
                self.add(extension_named(name))

    def execute(self, text: str, *, name: str = "<definitions>") -> None:
        """Take the definitions of a text over, all or, where one of them is wrong, none."""
        grown, form = loaded(self._dictionary, text, name)
        if form is not None:
            end, hint = Source(name, text).end, "write `session.compile(text)` to run it"
            raise refusal("bad-definition", "a query defines nothing", end, "it ends here", hint)
        self._dictionary = grown

    def defines(self, text: str) -> bool:
        """Say whether a text has definitions alone, and no query."""
        return all(map(is_definition, statements_of(Source("<query>", text))))

    def compile(self, text: str, *, name: str = "<query>") -> EsqlQuery:
        """Return the query of a text, by all that was defined so far."""
        return query_of(self._dictionary, text, name, self._outside)

    def add_table(self, name: str, given: Any) -> None:  # rows, a frame, or the name of a file
        """Let texts read a table by its name; later ones replace those before."""
        from cepheid.api.esql.tables import as_table

        self.tables[name] = as_table(given)

    def add_syntax(self, symbol: str, pattern: str, maker: Maker) -> None:
        """Give something that is written in Python a syntax.

        `pattern` has words, and symbols of the grammar in angle brackets; `maker` is called with what stands for those:
        processors, numbers, texts, or terms for functions. It returns a processor, or a term.

        >>> from cepheid import pipes as p
        >>> session = Session()
        >>> repeat = lambda source, times: source | p.stutter(times)
        >>> session.add_syntax("PROCESSOR", "REPEAT ( <processor> ) <number> TIMES", repeat)
        >>> session.compile("REPEAT (@x) 2 TIMES").run(x=[1, 2])
        [1, 1, 2, 2]
        """
        self.add(Extension.of(symbol, pattern, maker))

    def add(self, extension: Extension) -> None:
        """Add the grammar and the makers of a palette."""
        self._dictionary = extended(self._dictionary, extension)
        self._makers.update({extension.own(name): maker for name, maker in extension.makers.items()})

    @property
    def definitions(self) -> list[str]:
        """All definitions as statements, in the order in which they were made."""
        grammar = self._dictionary.grammar
        rules = {rule.name: rule for rule in grammar.rules}
        known = self._dictionary.definitions.values()
        return [show_definition(grammar, one, rules[one.name]) for one in known if one.name in rules]

    @property
    def words(self) -> frozenset[str]:
        """All words of the grammar as it is now."""
        return frozenset(word for word in self._dictionary.grammar.literals if word.isalpha())

    @property
    def _outside(self) -> Outside:
        return Outside(dict(self.tables), dict(self._makers), self._folders, self._allow_unbounded)
