"""Forms back to text, by the rules that made them: what is printed is read as the same form again.

A part stands in parentheses where it would be taken for something else. Names that are words of the grammar stand in
backticks.
"""

import re
from functools import lru_cache
from typing import Final

from cepheid.diagnostics import internal_error
from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.rules import FIRST, MORE, SAME, Rule, is_literal, is_symbol
from cepheid.languages.esql.grammars.syntax import Definition, Form, Hole, Number, Part, Text, Word

__all__ = ["show", "show_definition"]

_PLAIN: Final = re.compile(r"[^\W\d]\w*")
_CLOSED: Final = frozenset({"input", "table", "star", "file", "constant"})
"""Processors that need no parentheses anywhere."""

_PROCESSORS: Final = ("<processor>", "<query>")


def show(grammar: Grammar, part: Part, symbol: str = "<processor>") -> str:
    """Return the text of a form that stands for a symbol.

    >>> from cepheid.languages.esql.grammars.grammar import built_in
    >>> count = Form("freeze", "<processor>", (Form("input", "<processor>", (Word("trades"),)),))
    >>> show(built_in("core"), count)
    'FREEZE @trades'
    """
    return _shown(grammar, part, symbol, enclosed=True)


def show_definition(grammar: Grammar, one: Definition, rule: Rule) -> str:
    """Return the statement that defines something."""
    names = iter(one.parameters)
    holes = [(next(names), rule.elements[index]) for index in rule.parts]
    given = ", ".join(f"@{name} IS A {_said(symbol)}" for name, symbol in holes)
    names = iter(one.parameters)
    pattern = " ".join(element if is_literal(element) else f"@{next(names)}" for element in rule.elements)
    said = _said(rule.symbol)
    symbol = "<function>" if said == "FUNCTION" else rule.symbol
    body = _shown(grammar, one.body, symbol, enclosed=True)
    return f"{f'WHEN {given}: ' if given else ''}{pattern} IS THE {said} {body}."


def _said(symbol: str) -> str:
    return "FUNCTION" if symbol == "<primary>" else symbol[1:-1].upper()


def _shown(grammar: Grammar, part: Part, symbol: str, *, enclosed: bool = False) -> str:
    match part:
        case Form():
            text = _of_rule(grammar, part, grammar.spellings[part.symbol, part.name])
            return text if enclosed or _stands_alone(grammar, part, symbol) else f"({text})"
        case tuple():
            return _listed(grammar, part, symbol)
        case Number(value):
            return f"({value})" if str(value).startswith("-") and symbol == "<primary>" else str(value)
        case Text(value):
            return "'" + value.replace("'", "''") + "'"
        case Hole(name):
            return f"@{name}"
        case Word(text):
            return _word(grammar, text, symbol)
    raise internal_error("a form has parts that can be printed")


def _stands_alone(grammar: Grammar, form: Form, symbol: str) -> bool:
    """Say whether a form needs no parentheses where this symbol is wanted."""
    if form.symbol not in _reachable(grammar, symbol):
        return False
    if form.symbol == symbol == "<query>":
        return True
    return form.symbol not in _PROCESSORS or form.name in _CLOSED or not form.parts


@lru_cache(maxsize=4096)
def _reachable_of(rules: tuple[Rule, ...], symbol: str) -> frozenset[str]:
    found, fresh = {symbol}, [symbol]
    while fresh:
        at = fresh.pop()
        for rule in rules:
            (first, *rest) = rule.elements
            if rule.symbol == at and rule.name == SAME and not rest and is_symbol(first) and first not in found:
                found.add(first)
                fresh.append(first)
    return frozenset(found)


def _reachable(grammar: Grammar, symbol: str) -> frozenset[str]:
    """Return what a symbol can be without another word."""
    return _reachable_of(tuple(rule for rule in grammar.rules if not rule.defined and rule.name == SAME), symbol)


def _of_rule(grammar: Grammar, form: Form, rule: Rule) -> str:
    parts, pieces = iter(form.parts), list[str]()
    for index, element in enumerate(rule.elements):
        if is_literal(element):
            pieces.append(element)
            continue
        around = rule.elements[max(index - 1, 0)], rule.elements[min(index + 1, len(rule.elements) - 1)]
        pieces.append(_in_place(grammar, next(parts), element, enclosed=around == ("(", ")")))
    return _tidy(pieces)


def _in_place(grammar: Grammar, part: Part, element: str, *, enclosed: bool) -> str:
    match element, part:
        case "%input", Word(text):
            return f"@{text}"
        case "%slot", Word(text):
            return f"${text}"
        case _:
            return _shown(grammar, part, element, enclosed=enclosed)


def _listed(grammar: Grammar, parts: tuple[Part, ...], symbol: str) -> str:
    symbol = next(one for one in sorted(_reachable(grammar, symbol)) if (one, MORE) in grammar.spellings)
    more = grammar.spellings[symbol, MORE]
    first = grammar.spellings[symbol, FIRST].elements[0]
    separator = ", " if "," in more.elements else " "
    return separator.join(_shown(grammar, part, first) for part in parts)


def _word(grammar: Grammar, text: str, symbol: str) -> str:
    if symbol == "<var-name>":
        return f"${text}"
    plain = _PLAIN.fullmatch(text) and (len(text) == 1 or text.upper() not in grammar.literals)
    return text if plain or symbol == "<fct-word>" else f"`{text}`"


def _tidy(pieces: list[str]) -> str:
    """Return pieces side by side, with spaces where a reader wants them."""
    text = before = ""
    for piece in pieces:
        suffix = piece in _SUFFIXES and before.isdecimal()
        bars = piece == before == "|"
        close = suffix or bars or not text or piece in (",", ")", ".") or text.endswith(("(", ".", "√"))
        text, before = text + (piece if close else f" {piece}"), piece
    return text


_SUFFIXES: Final = ("TH", "ST", "ND", "RD")
