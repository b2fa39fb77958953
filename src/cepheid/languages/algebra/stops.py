"""What surrounds the place where a text leaves the grammar."""

import re
from dataclasses import dataclass

from lark import Token

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, Span
from cepheid.languages.shared.grammars import Stop, span_of

STATEMENT_WORDS = frozenset(["tick", "rate", "every", "disorder", "keys", "policy", "let"])
BINARY = frozenset(["|", "or", "+", "and", "-", "minus", ";", "then"])
CALCULATING = frozenset(["==", "!=", "<", "<=", ">", ">=", "in", "+", "-", "*", "/", "//", "%", "and", "or", "not"])
OPENING = {")": "(", "]": "["}
CLOSING = {"(": ")", "[": "]"}
_OPERAND_TYPES = frozenset(["NAME", "QUOTED", "NUMBER", "DURATION", "STRING"])
_SIGNS = re.compile(r"[-+|;&<>=!~^*/%@?]+")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The token at which reading stopped, and the tokens before it, newest first."""

    stop: Stop

    @property
    def source(self) -> Source:
        return self.stop.source

    @property
    def here(self) -> str:
        """The text of the token; nothing at the end, or where no token starts."""
        return "" if self.stop.token is None or self.stop.is_end else str(self.stop.token)

    @property
    def span(self) -> Span:
        token = self.stop.token
        if token is None:
            return self.source.span(self.stop.at, self.stop.at + 1)
        return self.source.end if self.stop.is_end else span_of(token, self.source)

    @property
    def gap(self) -> Span:
        """Where something is missing: here, or after the last token where the next one is on another line."""
        last = self.token_before()
        if last is None or not (self.stop.is_end or self.starts_line):
            return self.span
        end = span_of(last, self.source).end
        return self.source.span(end, end)

    def before(self, back: int = 1) -> str:
        """Return the text of an earlier token."""
        token = self.token_before(back)
        return "" if token is None else str(token)

    def token_before(self, back: int = 1) -> Token | None:
        return self.stop.before[-back] if back <= len(self.stop.before) else None

    def span_before(self, back: int = 1) -> Span:
        token = self.token_before(back)
        return self.span if token is None else span_of(token, self.source)

    @property
    def starts_line(self) -> bool:
        """Is the token the first one of its line?"""
        return self._starts_line(self.stop.at)

    @property
    def names_next(self) -> bool:
        """Is this the `=` of the next definition, whose name was taken for the end of the one before?"""
        return self.here == "=" and self.token_before() is not None and self._starts_line(self.span_before().start)

    def _starts_line(self, at: int) -> bool:
        line_start = self.source.text.rfind("\n", 0, at) + 1
        return not self.source.text[line_start:at].strip()

    @property
    def open_brackets(self) -> tuple[Token, ...]:
        """The brackets that are open here, the innermost last."""
        open_ones: list[Token] = []
        for token in self.stop.before:
            if token in CLOSING and token.type not in _OPERAND_TYPES:
                open_ones.append(token)
            elif token in OPENING and token.type not in _OPERAND_TYPES:
                open_ones.pop()
        return tuple(open_ones)

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
        return token is not None and (token.type in _OPERAND_TYPES or token in (")", "]"))

    @property
    def begins_operand(self) -> bool:
        token = self.stop.token
        return token is not None and (token.type in _OPERAND_TYPES or token == "(")

    @property
    def signs(self) -> Span | None:
        """The run of signs that the token is in, where there is more than one."""
        for found in _SIGNS.finditer(self.source.text):
            if found.start() <= self.stop.at < found.end() and len(found[0]) > 1:
                return self.source.span(*found.span())
        return None


def refusal(code: str, message: str, span: Span, label: str, *hints: str) -> CepheidError:
    """Return an error with one label."""
    return CepheidError(Diagnostic(code, message, (Label(span, label),), hints=hints))
