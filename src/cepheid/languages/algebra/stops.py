"""What surrounds the place where a text leaves the grammar of the algebra."""

import re
from dataclasses import dataclass

from lark import Token

from cepheid.diagnostics import Span
from cepheid.languages.shared.surroundings import OPERAND_TYPES
from cepheid.languages.shared.surroundings import Surroundings as SharedSurroundings

__all__ = ["BINARY", "CALCULATING", "STATEMENT_WORDS", "Surroundings"]

STATEMENT_WORDS = frozenset(["tick", "rate", "every", "disorder", "keys", "policy", "let"])
BINARY = frozenset(["|", "or", "+", "and", "-", "minus", ";", "then"])
CALCULATING = frozenset(["==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "//", "%", "and", "or", "not"])
_SIGNS = re.compile(r"[-+|;&<>=!~^*/%@?]+")


@dataclass(frozen=True, slots=True)
class Surroundings(SharedSurroundings):
    """The surroundings, in the words of the algebra."""

    @property
    def names_next(self) -> bool:
        """Is this the `=` of the next definition, whose name was taken for the end of the one before?"""
        return self.here == "=" and self.token_before() is not None and self.is_first_of_line(self.span_before().start)

    @property
    def open_brackets(self) -> tuple[Token, ...]:
        """The brackets that are open here, the innermost last."""
        return self.brackets("([", ")]")

    @property
    def calculates(self) -> bool:
        """Is this inside a condition, or in the values after `emits`?"""
        return any(bracket == "[" for bracket in self.open_brackets) or self.emits

    @property
    def emits(self) -> bool:
        """Is this in the list after `emits`?"""
        emitting = False
        for token in self.stop.before:
            emitting = (emitting or token.type == "_EMITS") and token.type not in ("LET", "TICK", "RATE", "POLICY")
        return emitting

    @property
    def ended_operand(self) -> bool:
        """Has something just ended that an operator could follow?"""
        token = self.token_before()
        return token is not None and (token.type in OPERAND_TYPES or token in (")", "]"))

    @property
    def begins_operand(self) -> bool:
        token = self.stop.token
        return token is not None and (token.type in OPERAND_TYPES or token == "(")

    @property
    def signs(self) -> Span | None:
        """The run of signs that the token is in, where there is more than one."""
        for found in _SIGNS.finditer(self.source.text):
            if found.start() <= self.stop.at < found.end() and len(found[0]) > 1:
                return self.source.span(*found.span())
        return None
