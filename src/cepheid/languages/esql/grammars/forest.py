"""One reading out of all that a chart holds, as forms of the abstract syntax.

Of two readings the one is taken that has fewer names in it: what a rule writes in full says more than a word that could
be anything. Among those, the rule that the language has first is taken, and the one whose last parts are longest; of
two operands alike the first is, as in `a UNION b UNION c`. Where a rule of the user's takes part, nothing is taken
silently: the text is ambiguous.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from cepheid.diagnostics import CepheidError, Label, Source, Span
from cepheid.languages.esql.grammars.chart import Chart
from cepheid.languages.esql.grammars.grammar import Grammar, is_name
from cepheid.languages.esql.grammars.making import made_of
from cepheid.languages.esql.grammars.rules import Rule, is_symbol
from cepheid.languages.esql.grammars.syntax import Form, Part
from cepheid.languages.esql.grammars.tokens import Token
from cepheid.languages.shared.depth import too_deep
from cepheid.languages.shared.findings import head, refusal

__all__ = ["MOST_LEVELS", "Derivation", "best_reading", "value_of"]

MOST_LEVELS: Final = 100
"""As many forms may stand inside each other."""

_Node: TypeAlias = tuple[str | Rule, int, int, int]
"""A symbol over a range (its third number is -1), or the first elements of a rule over one."""


@dataclass(frozen=True, slots=True)
class _Choice:
    cost: int
    taken: Rule | int
    rivals: tuple[Rule | int, ...] = ()


@dataclass(frozen=True, slots=True)
class Derivation:
    """The readings that were taken, from the whole text down."""

    chart: Chart
    choices: dict[_Node, _Choice]
    tokens: Sequence[Token]
    source: Source

    @property
    def root(self) -> _Node:
        return self.chart.symbol, 0, len(self.tokens), -1

    def rule(self, node: _Node) -> Rule:
        """Return the rule by which a symbol is read."""
        taken = self.choices[node].taken
        assert isinstance(taken, Rule)
        return taken

    def rivals(self, node: _Node) -> tuple[Rule, ...]:
        """Return the other rules by which a symbol could be read as well."""
        return tuple(rule for rule in self.choices[node].rivals if isinstance(rule, Rule))

    def children(self, node: _Node) -> list[_Node | Token]:
        """Return what stands for each element of the rule by which a symbol is read."""
        rule, end = self.rule(node), node[2]
        found: list[_Node | Token] = []
        for done in range(len(rule.elements), 0, -1):
            split = self.choices[rule, node[1], end, done].taken
            assert isinstance(split, int)
            element = rule.elements[done - 1]
            found.append((element, split, end, -1) if is_symbol(element) else self.tokens[split])
            end = split
        return found[::-1]

    def span(self, node: _Node) -> Span:
        return self.source.span(self.tokens[node[1]].start, self.tokens[node[2] - 1].end)


def best_reading(grammar: Grammar, chart: Chart, tokens: Sequence[Token], source: Source) -> Derivation:
    """Return what is read, with all other readings that nothing decides against."""
    ranks = {id(rule): rank for rank, rule in enumerate(grammar.rules)}
    choices: dict[_Node, _Choice] = {}
    for node in _bottom_up(chart, (chart.symbol, 0, len(tokens), -1)):
        options = [(_cost(choices, node, option), option) for option in _options(chart, node)]
        choices[node] = _chosen(options, ranks, node)
    return Derivation(chart, choices, tokens, source)


def _bottom_up(chart: Chart, root: _Node) -> Iterator[_Node]:
    """Yield all that a node is made of, and it last; no recursion, since texts may be nested deeply."""
    seen: set[_Node] = set()
    stack: list[tuple[_Node, bool]] = [(root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            stack.append((node, True))
            stack.extend((part, False) for option in _options(chart, node) for part in _parts(node, option))


def _options(chart: Chart, node: _Node) -> Sequence[Rule | int]:
    what, start, end, done = node
    if isinstance(what, str):
        return chart.made[end][what, start]
    return chart.splits[end][id(what)][done, start] if done else ()


def _parts(node: _Node, option: Rule | int) -> list[_Node]:
    what, start, end, done = node
    if isinstance(option, Rule):
        return [(option, start, end, len(option.elements))]
    assert isinstance(what, Rule)
    element = what.elements[done - 1]
    last: list[_Node] = [(element, option, end, -1)] if is_symbol(element) else []
    return [(what, start, option, done - 1), *last] if done > 1 else last


def _cost(choices: dict[_Node, _Choice], node: _Node, option: Rule | int) -> int:
    """Return how many names a reading has."""
    found = sum(choices[part].cost for part in _parts(node, option))
    what, _, _, done = node
    return found + (isinstance(what, Rule) and is_name(what.elements[done - 1]))


def _chosen(options: list[tuple[int, Rule | int]], ranks: dict[int, int], node: _Node) -> _Choice:
    least = min(cost for cost, _ in options)
    best = [option for cost, option in options if cost == least]
    if len(best) > 1:
        # Splits are preferred early, so that what comes last is long; rules as the grammar has them.
        sign = -1 if _is_operand(node) else 1
        best.sort(key=lambda one: ranks.get(id(one), -1) if isinstance(one, Rule) else one * sign)
    what = node[0]
    contested = any(isinstance(rule, Rule) and rule.defined for rule in (*best, what))
    return _Choice(least, best[0], tuple(best[1:]) if contested else ())


def _is_operand(node: _Node) -> bool:
    """Say whether the last element is the second operand of a rule that begins with the first: it is short then."""
    what, _, _, done = node
    return isinstance(what, Rule) and done > 1 and what.elements[done - 1] == what.elements[0]


def value_of(derivation: Derivation) -> Part:
    """Return the form that was read, or raise where a text has two meanings or too many levels."""
    values: dict[_Node, Part | list[Part]] = {}
    levels: dict[_Node, int] = {}
    for node in _taken(derivation):
        _refuse_rivals(derivation, node)
        rule, children = derivation.rule(node), derivation.children(node)
        parts = [values[child] if isinstance(child, tuple) else child for child in children]
        values[node] = made_of(rule, parts, derivation.span(node))
        below = max((levels[child] for child in children if isinstance(child, tuple)), default=0)
        levels[node] = below + isinstance(values[node], Form)
        if levels[node] > MOST_LEVELS:
            raise too_deep(
                derivation.span(node), "give the inner part a name: `MY PART IS THE PROCESSOR THE FIRST 3 OF @trades.`"
            )
    found = values[derivation.root]
    return tuple(found) if isinstance(found, list) else found


def _taken(derivation: Derivation) -> Iterator[_Node]:
    """Yield the symbols of the reading that was taken, each after its parts."""
    stack: list[tuple[_Node, bool]] = [(derivation.root, False)]
    while stack:
        node, ready = stack.pop()
        if ready:
            yield node
            continue
        stack.append((node, True))
        stack.extend((child, False) for child in derivation.children(node) if isinstance(child, tuple))


def _refuse_rivals(derivation: Derivation, node: _Node) -> None:
    rule, end = derivation.rule(node), node[2]
    for done in range(len(rule.elements), 0, -1):
        choice = derivation.choices[rule, node[1], end, done]
        if choice.rivals:
            raise ambiguous(derivation.span(node), rule, rule)
        assert isinstance(choice.taken, int)
        end = choice.taken
    for rival in derivation.rivals(node):
        raise ambiguous(derivation.span(node), rule, rival)


def ambiguous(span: Span, one: Rule, other: Rule) -> CepheidError:
    """Return the error for a text that two rules read, or one rule in two ways."""
    ways = "in two ways" if one is other else f"as `{one}` and as `{other}`"
    origins = dict.fromkeys(rule.origin for rule in (one, other) if rule.origin is not None)
    others = [Label(head(origin), "this definition can read it") for origin in origins]
    message = f"the text can be read {ways}"
    hint = "put parentheses around the part that belongs together"
    return refusal("ambiguous-text", message, head(span), "two readings begin here", hint, others=others)
