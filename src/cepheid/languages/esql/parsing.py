"""The entry point: text in, forms out."""

from functools import cache

from cepheid.languages.esql.grammars.definitions import Dictionary, loaded
from cepheid.languages.esql.grammars.grammar import BUILT_IN, built_in
from cepheid.languages.esql.grammars.printing import show as shown
from cepheid.languages.esql.grammars.syntax import Part
from cepheid.languages.esql.grammars.tree import drawn

__all__ = ["describe", "dictionary_of", "parse", "show"]


@cache
def dictionary_of(palettes: tuple[str, ...] = BUILT_IN[1:]) -> Dictionary:
    """Return the language with some of the grammars that come with it, by default with all."""
    return Dictionary(built_in("core", *palettes), {})


def parse(text: str, *, name: str = "<query>") -> Part:
    """Return the query of a text; its definitions are known to `show` no more.

    >>> show(parse("combine @prices with addition"))
    'COMBINE @prices WITH ADDITION'
    """
    return loaded(dictionary_of(), text, name)[1] or ()


def show(part: Part) -> str:
    """Return a text that says a form."""
    return shown(dictionary_of().grammar, part)


def describe(text: str, *, name: str = "<query>") -> str:
    """Return the parsed text as a tree to look at.

    >>> print(describe("TRIM 2 OF @prices"))
    trim 2
      input prices
    """
    return drawn(parse(text, name=name))
