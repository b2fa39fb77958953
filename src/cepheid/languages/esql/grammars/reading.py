"""Tokens to forms: all readings, the best of them, or what is wrong."""

from collections.abc import Sequence

from cepheid.diagnostics import CepheidError, Source, close_match
from cepheid.languages.esql.grammars.chart import Stopped, TooManyReadingsError, chart_of
from cepheid.languages.esql.grammars.forest import Derivation, best_reading, value_of
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.rules import is_literal
from cepheid.languages.esql.grammars.syntax import Part
from cepheid.languages.esql.grammars.tokens import Token
from cepheid.languages.shared.findings import listed, refusal

__all__ = ["derived", "read"]

_KINDS = {
    "%word": "a name",
    "%quoted": "a name",
    "%number": "a number",
    "%string": "a text in quotes",
    "%input": "an input such as `@trades`",
    "%slot": "a place such as `$0`",
}


def read(grammar: Grammar, symbol: str, tokens: Sequence[Token], source: Source) -> Part:
    """Return what some tokens say as a symbol of the grammar."""
    return value_of(derived(grammar, symbol, tokens, source))


def derived(grammar: Grammar, symbol: str, tokens: Sequence[Token], source: Source) -> Derivation:
    """Return how some tokens are read."""
    _refuse_brackets(tokens, source)
    try:
        found = chart_of(grammar, symbol, tokens)
    except TooManyReadingsError:
        raise _too_large(tokens, source) from None
    if isinstance(found, Stopped):
        raise _stopped(grammar, tokens, source, found)
    return best_reading(grammar, found, tokens, source)


def _refuse_brackets(tokens: Sequence[Token], source: Source) -> None:
    """Raise where a parenthesis has no partner."""
    opened: list[Token] = []
    for token in tokens:
        if token.key == "(":
            opened.append(token)
        elif token.key == ")" and not opened:
            message, label = "a parenthesis closes that nothing opens", "nothing opens it"
            raise refusal("unbalanced", message, token.span(source), label, "leave it out")
        elif token.key == ")":
            opened.pop()
    if opened:
        message, label = "a parenthesis is never closed", "opened here"
        raise refusal("unbalanced", message, opened[-1].span(source), label, "write `)` where the part ends")


def _too_large(tokens: Sequence[Token], source: Source) -> CepheidError:
    message, label = "the statement is too long, or can be read in too many ways", "it begins here"
    hint = "put parentheses around parts of it, or give parts names: `MY PART IS THE PROCESSOR THE FIRST 3 OF @trades.`"
    return refusal("too-large", message, tokens[0].span(source), label, hint)


def _stopped(grammar: Grammar, tokens: Sequence[Token], source: Source, stop: Stopped) -> CepheidError:
    if stop.position == len(tokens):
        place = source.span(tokens[-1].end, tokens[-1].end)
        hint = f"go on with {_expectation(stop.expected)}"
        return refusal("incomplete-statement", "the statement stops too early", place, "something is missing", hint)
    misspelled = _misspelled(grammar, tokens, source, stop.position)
    if misspelled is not None:
        return misspelled
    token = tokens[stop.position]
    literals = [word for word in stop.expected if is_literal(word) and word.isalpha()]
    closest = close_match(token.key, literals) if token.kind == "word" else None
    hint = f"did you mean `{closest}`?" if closest else f"here can stand {_expectation(stop.expected)}"
    place = token.span(source)
    if token.kind == "string":
        place = source.span(place.start, place.start + len(place.text.split("\n")[0]))
    message = f"`{_shown(token)}` cannot stand here"
    return refusal("syntax", message, place, "no rule of the grammar goes on with this", hint)


def _misspelled(grammar: Grammar, tokens: Sequence[Token], source: Source, position: int) -> CepheidError | None:
    """Return the error for a word that was taken for a name, and is nearly a word of the grammar."""
    token = tokens[position - 1] if position else tokens[0]
    if token.kind != "word" or token.key in grammar.literals:
        return None
    closest = close_match(token.key, [word for word in grammar.literals if len(word) > 2 and word.isalpha()])
    if closest is None:
        return None
    message, hint = f"nothing goes on after the name `{token.text}` like this", f"did you mean `{closest}`?"
    return refusal("syntax", message, token.span(source), "taken for a name", hint)


def _shown(token: Token) -> str:
    line = token.text.split("\n")[0]
    return line if len(line) <= 40 else line[:37] + "..."


def _expectation(expected: frozenset[str]) -> str:
    """Return in words what could stand at a place."""
    kinds = list(dict.fromkeys(_KINDS[element] for element in sorted(expected) if element in _KINDS))
    words = sorted(element for element in expected if is_literal(element))
    shown = [*kinds, *([listed(words[:6])] if words else [])]
    more = f" or {len(words) - 6} other words" if len(words) > 6 else ""
    return ", ".join(shown) + more if shown else "a full stop, which ends the statement"
