"""Earley's algorithm over a grammar that was made a moment ago: nothing is compiled, whatever the rules are.

The chart says for each place of a text which rules have come how far, and where their last part began. What the next
token cannot begin or go on with is left out at once; no rule is empty. It holds all readings of a text, so that one
that can be read in two ways is known to be such.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from cepheid.languages.esql.grammars.grammar import Grammar
from cepheid.languages.esql.grammars.rules import Rule, is_symbol
from cepheid.languages.esql.grammars.tokens import Token

__all__ = ["MOST_ITEMS", "Chart", "Item", "Stopped", "TooManyReadingsError", "chart_of"]

Item: TypeAlias = tuple[Rule, int, int]
"""A rule, how many of its elements were read, and where it began."""

MOST_ITEMS: Final = 70_000
"""So many entries a chart may have: a text that can be read in very many ways would need more."""


class TooManyReadingsError(Exception):
    """A text has more readings than are followed."""


@dataclass(frozen=True, slots=True)
class Chart:
    """All that was read: `splits[end][item]` says where the last element of an item may begin."""

    symbol: str
    splits: tuple[dict[int, dict[tuple[int, int], list[int]]], ...]
    rules: dict[int, Rule]
    made: tuple[dict[tuple[str, int], list[Rule]], ...]
    """`made[end][symbol, start]` are the rules that make a symbol of what lies between."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """No reading goes past the token at `position`, where one of `expected` could stand."""

    position: int
    expected: frozenset[str]


def chart_of(grammar: Grammar, symbol: str, tokens: Sequence[Token]) -> Chart | Stopped:
    """Return all readings of some tokens as a symbol, or where reading stopped."""
    found = _Earley(grammar, symbol, tokens)
    stopped = found.run()
    if stopped is None:
        return Chart(symbol, tuple(found.splits), found.rules, tuple(found.made))
    # The next token was looked at as well, so it may be that one which does not fit.
    return _Earley(grammar, symbol, tokens[: stopped + 1], patient=True).stop()


class _Earley:
    """One run; `patient` keeps what the next token does not fit, to tell what would have fitted."""

    def __init__(self, grammar: Grammar, symbol: str, tokens: Sequence[Token], *, patient: bool = False) -> None:
        self.grammar, self.symbol, self.patient = grammar, symbol, patient
        self.readings = [grammar.readings(token) for token in tokens]
        size = len(tokens) + 1
        self.splits: list[dict[int, dict[tuple[int, int], list[int]]]] = [defaultdict(dict) for _ in range(size)]
        self.made: list[dict[tuple[str, int], list[Rule]]] = [{} for _ in range(size)]
        self.waiting: list[dict[str, list[Item]]] = [defaultdict(list) for _ in range(size)]
        self.rules: dict[int, Rule] = {}
        self.agenda: list[list[Item]] = [[] for _ in range(size)]
        self.items = 0

    def run(self) -> int | None:
        """Read all tokens; return the place where reading stopped, if it did."""
        for rule in self._rules(self.symbol, 0):
            self._add(rule, 0, 0, 0, None)
        self.waiting[0].setdefault(self.symbol, [])
        for position, agenda in enumerate(self.agenda):
            if not agenda:
                return position - 1 if position else 0
            while agenda:
                self._process(*agenda.pop(), position)
        whole = (self.symbol, 0) in self.made[-1]
        return None if whole else len(self.readings)

    def stop(self) -> Stopped:
        """Return the last place that is reached, and what could stand there."""
        self.run()
        position = max(index for index, items in enumerate(self.splits) if items)
        found = {
            self.rules[number].elements[done]
            for number, items in self.splits[position].items()
            for done, _ in items
            if done < len(self.rules[number].elements)
        }
        return Stopped(position, frozenset(element for element in found if not is_symbol(element)))

    def _rules(self, symbol: str, position: int) -> Sequence[Rule]:
        if self.patient:
            return self.grammar.by_symbol[symbol]
        return self.grammar.beginning(symbol, self._next(position))

    def _next(self, position: int) -> tuple[str, ...]:
        return self.readings[position] if position < len(self.readings) else ()

    def _add(self, rule: Rule, done: int, start: int, end: int, split: int | None) -> None:
        """Note that a rule has come this far, unless what follows does not fit."""
        waits = done < len(rule.elements) and not self.patient
        if waits and not self.grammar.may_begin(rule.elements[done], self._next(end)):
            return
        items = self.splits[end][id(rule)]
        known = items.get((done, start))
        if known is None:
            self._count()
            self.rules[id(rule)] = rule
            items[done, start] = [] if split is None else [split]
            self.agenda[end].append((rule, done, start))
        elif split is not None and split not in known:
            self._count()
            known.append(split)

    def _count(self) -> None:
        self.items += 1
        if self.items > MOST_ITEMS:
            raise TooManyReadingsError

    def _process(self, rule: Rule, done: int, start: int, position: int) -> None:
        if done == len(rule.elements):
            self._complete(rule, start, position)
        elif is_symbol(rule.elements[done]):
            self._predict(rule, done, start, position)
        elif rule.elements[done] in self._next(position):
            self._add(rule, done + 1, start, position + 1, position)

    def _complete(self, rule: Rule, start: int, position: int) -> None:
        made = self.made[position].setdefault((rule.symbol, start), [])
        made.append(rule)
        if len(made) == 1:
            for waiting, done, began in self.waiting[start][rule.symbol]:
                self._add(waiting, done + 1, began, position, start)

    def _predict(self, rule: Rule, done: int, start: int, position: int) -> None:
        symbol = rule.elements[done]
        waiting = self.waiting[position]
        if symbol not in waiting:
            waiting[symbol] = []
            for begun in self._rules(symbol, position):
                self._add(begun, 0, position, position, None)
        waiting[symbol].append((rule, done, start))
