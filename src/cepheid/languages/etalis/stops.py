"""What surrounds the place where a text leaves the grammar of ETALIS."""

import re
from dataclasses import dataclass
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
        opened: list[bool] = []
        previous: Token | None = None
        for token in self.statement:
            if token == "(" and token.type not in _TEXTS:
                named = previous is not None and previous.type in ("WORD", "VARIABLE", "QUOTED")
                opened.append(named or previous_is_where(previous) or (bool(opened) and opened[-1]))
            elif token == ")" and token.type not in _TEXTS and opened:
                opened.pop()
            previous = token
        return bool(opened) and opened[-1]

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


def previous_is_where(token: Token | None) -> bool:
    """Does a condition follow this token?"""
    return token is not None and token.type == "_WHERE"
