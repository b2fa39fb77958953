"""Statements of a text: definitions, each with its parameters, its pattern and its body, and a query at the end.

WHEN @P IS A PROCESSOR: THE COUNT OF @P IS THE PROCESSOR COMBINE (APPLY CONSTANT 1 WITH @P) WITH ADDITION.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cepheid.diagnostics import CepheidError, Source, Span, close_match
from cepheid.languages.esql.grammars.tokens import Token, tokens_of
from cepheid.languages.shared.findings import head, refusal

__all__ = ["Head", "Statement", "head_of", "is_definition", "statements_of"]


@dataclass(frozen=True, slots=True)
class Statement:
    """The tokens of one statement, without the full stop."""

    source: Source
    tokens: tuple[Token, ...]

    @property
    def span(self) -> Span:
        return self.source.span(self.tokens[0].start, self.tokens[-1].end)


@dataclass(frozen=True, slots=True)
class Head:
    """What a definition says of itself: `parameters` have the names of their symbols, `symbol` is what it extends."""

    statement: Statement
    replaces: bool
    parameters: Mapping[str, str]
    pattern: tuple[Token, ...]
    symbol: str
    symbol_token: Token
    body: tuple[Token, ...]

    @property
    def span(self) -> Span:
        return self.statement.source.span(self.pattern[0].start, self.pattern[-1].end)


def statements_of(source: Source) -> list[Statement]:
    """Return the statements of a text; each but the last ends with a full stop.

    >>> [one.span.text for one in statements_of(Source("<query>", "PI IS THE NUMBER 3.14. COMBINE @x WITH ADDITION"))]
    ['PI IS THE NUMBER 3.14', 'COMBINE @x WITH ADDITION']
    """
    found: list[Statement] = []
    current: list[Token] = []
    for token in tokens_of(source):
        if token.kind != "stop":
            current.append(token)
        elif current:
            found.append(Statement(source, tuple(current)))
            current = []
    return [*found, Statement(source, tuple(current))] if current else found


def is_definition(statement: Statement) -> bool:
    """Say whether a statement defines something."""
    return statement.tokens[0].key in ("WHEN", "REPLACE") or _is_the(statement.tokens) is not None


def head_of(statement: Statement, symbols: Mapping[str, str]) -> Head:
    """Return the pieces of a definition; `symbols` are all that can be extended, by the names that users say."""
    tokens = statement.tokens
    replaces = tokens[0].key == "REPLACE"
    begin = int(replaces)
    parameters: dict[str, str] = {}
    if begin < len(tokens) and tokens[begin].key == "WHEN":
        parameters, begin = _parameters(statement, begin + 1, symbols)
    middle = _is_the(tokens)
    if middle is None or middle < begin:
        raise _bad(statement, "it does not say what it defines", "no `IS THE` follows", statement.tokens[-1])
    if middle == begin:
        raise _bad(statement, "it has no pattern", "nothing stands before `IS THE`", tokens[middle])
    symbol, after = _symbol(statement, middle + 2, symbols)
    if after == len(tokens):
        raise _bad(statement, "it has no body", "nothing follows", tokens[-1])
    return Head(statement, replaces, parameters, tokens[begin:middle], symbol, tokens[middle + 2], tokens[after:])


def _is_the(tokens: Sequence[Token]) -> int | None:
    """Return where `IS THE` stands first."""
    pairs = pairwise(tokens)
    return next((index for index, (one, two) in enumerate(pairs) if (one.key, two.key) == ("IS", "THE")), None)


def _parameters(statement: Statement, position: int, symbols: Mapping[str, str]) -> tuple[dict[str, str], int]:
    """Return the parameters after WHEN, and where the pattern begins."""
    tokens, found = statement.tokens, dict[str, str]()
    while True:
        name = tokens[position] if position < len(tokens) else tokens[-1]
        if name.kind != "input" or [token.key for token in tokens[position + 1 : position + 3]] not in _IS_A:
            raise _bad(statement, "it does not say what its parameters are", "no parameter such as `@P IS A ...`", name)
        if name.text[1:] in found:
            raise _bad(statement, f"it names `{name.text}` twice", "named before", name)
        found[name.text[1:]], position = _symbol(statement, position + 3, symbols)
        after = tokens[position].key if position < len(tokens) else ""
        if after not in (",", ":"):
            at = tokens[min(position, len(tokens) - 1)]
            raise _bad(statement, "its parameters do not end", "no `:` or `,` stands here", at)
        position += 1
        if after == ":":
            return found, position


_IS_A = (["IS", "A"], ["IS", "AN"])


def _symbol(statement: Statement, position: int, symbols: Mapping[str, str]) -> tuple[str, int]:
    """Return the longest name of a symbol at a place, and where it ends."""
    tokens, found, name = statement.tokens, None, ""
    for index in range(position, min(position + 5, len(tokens))):
        name += tokens[index].key
        if name in symbols:
            found = name, index + 1
    if found is not None:
        return found
    if position >= len(tokens):
        raise _bad(statement, "it does not say what it defines", "no symbol of the grammar follows", tokens[-1])
    raise _unknown_symbol(statement, tokens[position], symbols)


def _unknown_symbol(statement: Statement, token: Token, symbols: Mapping[str, str]) -> CepheidError:
    closest = close_match(token.key, symbols) or "PROCESSOR"
    message = f"the grammar has no symbol `{token.text}`"
    place = token.span(statement.source)
    return refusal("unknown-symbol", message, place, "not a symbol", f"did you mean `{closest}`?")


def _bad(statement: Statement, what: str, label: str, at: Token) -> CepheidError:
    hint = "write `WHEN @P IS A PROCESSOR: THE START OF @P IS THE PROCESSOR THE FIRST 3 OF @P.`"
    message = f"a definition cannot be read: {what}"
    return refusal("bad-definition", message, head(at.span(statement.source)), label, hint)
