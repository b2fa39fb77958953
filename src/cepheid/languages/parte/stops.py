"""What surrounds the place where a text leaves the grammar of PARTElang."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from lark import Token

from cepheid.diagnostics import Span
from cepheid.languages.shared.surroundings import OPERAND_TYPES, Surroundings

STATEMENTS: Final = ("template", "rule", "source", "table", "predicate", "pattern", "use", "tick")
CLAUSES: Final = ("where", "when", "then")
COMPARING: Final = frozenset(["=", "==", "!=", "≠", "<", "<=", "≤", ">", ">=", "≥"])
CALCULATING: Final = COMPARING | {"+", "-", "*", "/", "%", "and", "or", "in"}

_SIGNS: Final = re.compile(r"[-+|;&<>=!~^*/%@?$]+")


@dataclass(frozen=True, slots=True)
class Around(Surroundings):
    """The surroundings, in the words of PARTElang."""

    @property
    def open_brackets(self) -> tuple[Token, ...]:
        """The brackets that are open here, the innermost last."""
        return self.brackets("([{", ")]}")

    @property
    def statement(self) -> str:
        """The word of the statement that this is in; nothing before the first one."""
        return next((str(token) for token in reversed(self.stop.before) if self._is_word(token, STATEMENTS)), "")

    @property
    def clause(self) -> str:
        """The word of the clause of a rule that this is in; `rule` before its `where`, nothing outside of rules."""
        words = (*STATEMENTS, *CLAUSES)
        found = next((str(token) for token in reversed(self.stop.before) if self._is_word(token, words)), "")
        return found if found in (*CLAUSES, "rule") else ""

    @property
    def rule(self) -> str:
        """The name of the rule that this is in."""
        named = [str(name) for word, name in pairwise(self.stop.before) if word.type == "RULE"]
        return named[-1] if named else ""

    @property
    def calculates(self) -> bool:
        """Is this inside a condition or a value?"""
        inside = [bracket for bracket in self.open_brackets if bracket in ("{", "(")]
        return bool(inside) and self.statement not in ("template", "table", "source", "use", "tick", "")

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
        """The run of signs that the place is in."""
        for found in _SIGNS.finditer(self.source.text):
            if found.start() <= self.stop.at < found.end():
                return self.source.span(*found.span())
        return None

    @staticmethod
    def _is_word(token: Token, words: tuple[str, ...]) -> bool:
        return token in words and token.type == token.upper()
