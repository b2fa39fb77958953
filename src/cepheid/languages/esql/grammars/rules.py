"""Rules of a grammar, and the notation they are written in.

    freeze: <processor> ::= FREEZE <processor>

The word before the colon says what the rule makes; `_` hands on its only part. Rules with one name are spellings of one
thing, and the first is how it is printed. A part in angle brackets is a symbol, `%word` a kind of token, and everything
else stands for itself. `[]` begins a list and `[+]` goes on with it. After two spaces and `#` stands what a rule means.
"""

from dataclasses import dataclass, field
from typing import Final

from cepheid.diagnostics import Span, internal_error

__all__ = ["FIRST", "MORE", "SAME", "Rule", "is_symbol", "rules_of", "words_of"]

SAME: Final = "_"
FIRST: Final = "[]"
MORE: Final = "[+]"


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """One way to write a symbol. A rule that somebody defined has the place of its definition.

    Rules are themselves and no others, however alike, since charts hold very many of them.
    """

    name: str
    symbol: str
    elements: tuple[str, ...]
    origin: Span | None = field(default=None, repr=False)
    defined: bool = False
    meaning: str = field(default="", repr=False)

    @property
    def parts(self) -> tuple[int, ...]:
        """Where in the rule the parts stand that make a difference."""
        return tuple(index for index, element in enumerate(self.elements) if not is_literal(element))

    def __str__(self) -> str:
        return " ".join(self.elements)


def is_symbol(element: str) -> bool:
    """Say whether an element is a symbol, which rules replace.

    >>> is_symbol("<processor>"), is_symbol("<"), is_symbol("FREEZE")
    (True, False, False)
    """
    return len(element) > 2 and element[0] == "<" and element[-1] == ">"


def is_literal(element: str) -> bool:
    """Say whether an element stands for itself."""
    return not is_symbol(element) and not (element[0] == "%" and len(element) > 1)


def rules_of(notation: str) -> tuple[Rule, ...]:
    """Return the rules in a notation; empty lines, and those that begin with `#`, are for readers.

    >>> rules_of("freeze: <processor> ::= FREEZE <processor>")[0].elements
    ('FREEZE', '<processor>')
    """
    lines = (line.strip() for line in notation.splitlines())
    return tuple(_rule(line) for line in lines if line and not line.startswith(("#", "reserved:")))


def words_of(notation: str) -> frozenset[str]:
    """Return the words that a notation reserves: none of them is ever a name."""
    lines = (line.strip() for line in notation.splitlines())
    return frozenset(word for line in lines if line.startswith("reserved:") for word in line.split()[1:])


def _rule(line: str) -> Rule:
    told, _, meaning = line.partition("  # ")
    name, _, rest = told.partition(": ")
    symbol, says, elements = rest.partition("::=")
    if not says or not is_symbol(symbol.strip()) or not elements.split():
        raise internal_error(f"the line `{line}` of a grammar is a rule")
    return Rule(name.strip(), symbol.strip(), tuple(elements.split()), meaning=meaning)
