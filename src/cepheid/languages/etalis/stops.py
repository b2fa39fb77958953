"""What surrounds the place where a text leaves the grammar of ETALIS."""

import re
from dataclasses import dataclass
from enum import Enum, auto
from itertools import pairwise
from typing import Final

from lark import Token

from cepheid.diagnostics import Span
from cepheid.languages.etalis.words import OPERATOR_WORDS
from cepheid.languages.shared.surroundings import Surroundings

OPERATORS: Final = frozenset(OPERATOR_WORDS - {"not", "where", "in"})
CALCULATING: Final = frozenset(
    ["=", "==", "=:=", "!=", "\\=", "=\\=", "<", "<=", "=<", ">", ">=", "in", "+", "-", "*", "/", "//", "mod"]
)
COMPARING: Final = CALCULATING - {"+", "-", "*", "/", "//", "mod"}
_OPERANDS: Final = frozenset(["WORD", "VARIABLE", "QUOTED", "STRING", "NUMBER", "DURATION", "DATE"])
_TEXTS: Final = frozenset(["STRING", "QUOTED"])
_SIGNS: Final = re.compile(r"[-+|;&<>=!~^*/@?\\:#$]+")


class _Level(Enum):
    """What stands inside a bracket."""

    PATTERN = auto()
    AFTER_WHERE = auto()
    CONDITION = auto()


@dataclass(frozen=True, slots=True)
class Around(Surroundings):
    """The surroundings, in the words of ETALIS."""

    @property
    def open_brackets(self) -> tuple[Token, ...]:
        """The brackets that are open here, the innermost last."""
        found: list[Token] = []
        for token in self.statement:
            if token.type in _TEXTS:
                continue
            if token in ("(", "["):
                found.append(token)
            elif token in (")", "]") and found:
                found.pop()
        return tuple(found)

    @property
    def statement(self) -> tuple[Token, ...]:
        """The tokens of the statement that this is in."""
        before = self.stop.before
        ends = [place for place, token in enumerate(before) if token.type == "_END"]
        return before[ends[-1] + 1 :] if ends else before

    @property
    def in_body(self) -> bool:
        """Is this after the arrow of a rule?"""
        return any(token.type == "_ARROW" for token in self.statement)

    @property
    def calculates(self) -> bool:
        """Is this inside a condition, or among the arguments of something?"""
        levels = [_Level.PATTERN]
        previous: Token | None = None
        for token in self.statement:
            if token == "(" and token.type not in _TEXTS:
                named = previous is not None and previous.type in ("WORD", "VARIABLE", "QUOTED")
                inside = named or levels[-1] is not _Level.PATTERN
                levels.append(_Level.CONDITION if inside else _Level.PATTERN)
            elif token == ")" and token.type not in _TEXTS and len(levels) > 1:
                levels.pop()
            elif token.type == "_WHERE":
                levels[-1] = _Level.AFTER_WHERE
            elif token.lower() in OPERATORS and token.type not in _TEXTS and levels[-1] is _Level.AFTER_WHERE:
                levels[-1] = _Level.PATTERN  # without parentheses, a condition ends at the next operator
            previous = token
        return levels[-1] is not _Level.PATTERN

    @property
    def has_bare_condition(self) -> bool:
        """Has the statement a condition without parentheses?"""
        pairs = pairwise(self.statement)
        return any(one.type == "_WHERE" and other != "(" for one, other in pairs)

    @property
    def ended_operand(self) -> bool:
        """Has something just ended that an operator could follow?"""
        token = self.token_before()
        return token is not None and (token.type in _OPERANDS or token in (")", "]"))

    @property
    def begins_operand(self) -> bool:
        token = self.stop.token
        return token is not None and (token.type in _OPERANDS or token in ("(", "[") or self.here.lower() == "not")

    @property
    def is_word(self) -> bool:
        """Is the token here a word that is no operator?"""
        token = self.stop.token
        return token is not None and token.type in ("WORD", "VARIABLE")

    @property
    def signs(self) -> Span | None:
        """The run of signs that the place is in."""
        for found in _SIGNS.finditer(self.source.text):
            if found.start() <= self.stop.at < found.end():
                return self.source.span(*found.span())
        return None
