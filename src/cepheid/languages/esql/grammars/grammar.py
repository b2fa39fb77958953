"""A grammar that can grow: rules by their symbols, and what each symbol can begin with.

A grammar is never changed. `extended` gives another one, in which all that is derived from the rules is made anew, once
for however many rules are added.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from typing import Final

from cepheid.languages.esql.grammars.rules import Rule, is_literal, is_symbol, rules_of, words_of
from cepheid.languages.esql.grammars.tokens import Token

__all__ = ["BUILT_IN", "HOLE", "Grammar", "built_in", "hole_kind"]

BUILT_IN: Final = ("core", "tuples", "ltl")
"""The grammars that come with the language, each in a file; `core` is always there."""

HOLE: Final = "hole"
"""What a rule makes of a parameter of a definition, which stands for something that is not known yet."""

_NAMES: Final = frozenset({"%word", "%quoted"})


@dataclass(frozen=True)
class Grammar:
    """Rules in the order in which they are preferred, and the words that are never names."""

    rules: tuple[Rule, ...]
    reserved: frozenset[str] = frozenset()
    _found: dict[tuple[str, tuple[str, ...]], tuple[Rule, ...]] = field(
        default_factory=dict, compare=False, repr=False, init=False
    )

    @cached_property
    def by_symbol(self) -> Mapping[str, tuple[Rule, ...]]:
        found: dict[str, list[Rule]] = {}
        for rule in self.rules:
            found.setdefault(rule.symbol, []).append(rule)
        for symbol in list(found):
            found[symbol].append(Rule(HOLE, symbol, (hole_kind(symbol),)))
        return {symbol: tuple(rules) for symbol, rules in found.items()}

    @cached_property
    def literals(self) -> frozenset[str]:
        """What stands for itself somewhere."""
        return frozenset(element for rule in self.rules for element in rule.elements if is_literal(element))

    @cached_property
    def begins(self) -> Mapping[str, frozenset[str]]:
        """What each symbol can begin with."""
        found: dict[str, set[str]] = {symbol: set() for symbol in self.by_symbol}
        first = {symbol: {rule.elements[0] for rule in rules} for symbol, rules in self.by_symbol.items()}
        changed = True
        while changed:
            changed = False
            for symbol, elements in first.items():
                before = len(found[symbol])
                for element in elements:
                    found[symbol].update(found.get(element, ()) if is_symbol(element) else (element,))
                changed = changed or len(found[symbol]) > before
        return {symbol: frozenset(elements) for symbol, elements in found.items()}

    @cached_property
    def spellings(self) -> Mapping[tuple[str, str], Rule]:
        """How each thing that a symbol can be is printed, by the symbol and the name of the rule."""
        found: dict[tuple[str, str], Rule] = {}
        for rule in self.rules:
            found.setdefault((rule.symbol, rule.name), rule)
        return found

    def extended(self, rules: Iterable[Rule], without: Iterable[Rule] = (), reserved: Iterable[str] = ()) -> "Grammar":
        """Return a grammar with further rules, and without some."""
        left_out = set(map(id, without))
        kept = tuple(rule for rule in self.rules if id(rule) not in left_out)
        return Grammar((*kept, *rules), self.reserved | frozenset(reserved))

    def readings(self, token: Token) -> tuple[str, ...]:
        """Return all that a token can be: itself where the grammar says so, and its kind."""
        itself = (token.key,) if token.key in self.literals and token.kind in _CAN_BE_LITERAL else ()
        if token.kind == "word-sign" or (token.kind == "word" and token.key in self.reserved):
            return itself
        return (*itself, f"%{token.kind}")

    def may_begin(self, element: str, readings: tuple[str, ...]) -> bool:
        """Say whether a token with these readings can begin an element of a rule."""
        if is_symbol(element):
            return not self.begins[element].isdisjoint(readings)
        return element in readings

    def beginning(self, symbol: str, readings: tuple[str, ...]) -> tuple[Rule, ...]:
        """Return the rules of a symbol that a token with these readings can begin."""
        found = self._found.get((symbol, readings))
        if found is None:
            found = tuple(rule for rule in self.by_symbol[symbol] if self.may_begin(rule.elements[0], readings))
            self._found[symbol, readings] = found
        return found


_CAN_BE_LITERAL: Final = frozenset({"word", "word-sign", "sign", "number", "string"})


def is_name(element: str) -> bool:
    """Say whether an element takes any word: what is written in full is preferred to it."""
    return element in _NAMES


def hole_kind(symbol: str) -> str:
    """Return the kind of token that a parameter is, of which no more is known than its symbol."""
    return f"%{HOLE}{symbol}"


def built_in(*names: str) -> Grammar:
    """Return the core of the language with some of the grammars that come with it.

    >>> len(built_in("core").rules) < len(built_in("core", "ltl").rules)
    True
    """
    texts = [files(__package__).joinpath(f"{name}.grammar").read_text(encoding="utf-8") for name in names]
    rules = (rule for text in texts for rule in rules_of(text))
    return Grammar(tuple(rules), frozenset().union(*map(words_of, texts)))
