"""What surrounds the place where a text leaves its grammar."""

from dataclasses import dataclass
from typing import Final

from lark import Token

from cepheid.diagnostics import Source, Span
from cepheid.languages.shared.grammars import Stop, span_of

OPERAND_TYPES: Final = frozenset(["NAME", "QUOTED", "NUMBER", "DURATION", "STRING"])
"""The tokens that are names or values by themselves."""


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
        return self.is_first_of_line(self.stop.at)

    def is_first_of_line(self, at: int) -> bool:
        """Does nothing stand before a place on its line?"""
        line_start = self.source.text.rfind("\n", 0, at) + 1
        return not self.source.text[line_start:at].strip()

    def brackets(self, opening: str, closing: str) -> tuple[Token, ...]:
        """Return the brackets that are open here, the innermost last."""
        open_ones: list[Token] = []
        for token in self.stop.before:
            if token.type in OPERAND_TYPES:
                continue
            if token in tuple(opening):
                open_ones.append(token)
            elif token in tuple(closing):
                open_ones.pop()
        return tuple(open_ones)
