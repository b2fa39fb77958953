"""The reference of the language, made from its grammar: what can be written for each symbol, and what it means."""

from collections.abc import Iterator, Sequence

from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.rules import MORE, SAME, Rule, is_literal, is_symbol
from cepheid.languages.esql.parsing import dictionary_of

__all__ = ["reference"]

_KINDS = {
    "%word": "NAME",
    "%quoted": "`NAME`",
    "%number": "0.5",
    "%string": "'TEXT'",
    "%input": "@NAME",
    "%slot": "$NAME",
}
_WIDEST = 62


def reference(symbols: Sequence[str] | None = None, grammar: Grammar | None = None) -> str:
    """Return the rules of some symbols, by default of all, as lines of text.

    >>> print(reference(["boolean"]))
    boolean
      TRUE
      FALSE
    """
    found = grammar or dictionary_of().grammar
    names = [symbol[1:-1] for symbol in found.by_symbol] if symbols is None else symbols
    return "\n\n".join("\n".join((name, *_lines(found, f"<{name}>"))) for name in names)


def _lines(grammar: Grammar, symbol: str) -> Iterator[str]:
    for rule in grammar.rules:
        if rule.symbol == symbol:
            text = f"  {_written(rule)}"
            yield f"{text:<{_WIDEST}}  {rule.meaning}" if rule.meaning and len(text) <= _WIDEST else text
            if rule.meaning and len(text) > _WIDEST:
                yield f"{'':<{_WIDEST}}  {rule.meaning}"


def _written(rule: Rule) -> str:
    """Return a rule as it is written; a symbol is in small letters, as it is in definitions in any."""
    if rule.name == MORE:
        return f"{_element(rule.elements[-1])}{' ,' * (',' in rule.elements)} ..."
    words = " ".join(map(_element, rule.elements))
    return words if rule.name != SAME or len(rule.elements) > 1 else f"{words} (as it is)"


def _element(element: str) -> str:
    if is_symbol(element):
        return element[1:-1]
    return element if is_literal(element) else _KINDS[element]
