"""Patterns out of the tree that the grammar gives."""

from dataclasses import dataclass

from lark import Token

from cepheid.diagnostics import Source
from cepheid.events import parse_time
from cepheid.languages.etalis.lengths import length_of, repeat_count
from cepheid.languages.etalis.syntax import (
    Absence,
    AtomText,
    Binary,
    Limit,
    Operator,
    PatternText,
    PointText,
    Repetition,
    Where,
)
from cepheid.languages.etalis.term_reading import read_predicate, read_term
from cepheid.languages.shared.grammars import Node, rule_of, span_of
from cepheid.languages.shared.lengths import read_length
from cepheid.languages.shared.term_reading import nodes


@dataclass(frozen=True, slots=True)
class PatternReader:
    """Reads patterns; lone numbers count `time_unit` ticks."""

    source: Source
    time_unit: int

    def pattern(self, tree: Node) -> PatternText:
        span = span_of(tree, self.source)
        match rule_of(tree), nodes(tree):
            case "binary", (left, operator, right):
                word = Operator(str(operator.children[0]).upper())
                return Binary(word, self.pattern(left), self.pattern(right), span)
            case "where", (inner, conditions):
                each = nodes(conditions) if rule_of(conditions) == "conditions" else (conditions,)
                return Where(self.pattern(inner), tuple(read_term(node, self.source) for node in each), span)
            case "limit", (inner, length):
                return Limit(self.pattern(inner), length_of(length, self.source, self.time_unit), span)
            case "absence", (absent, first, last):
                return Absence(self.pattern(absent), self.pattern(first), self.pattern(last), span)
            case "ntimes", (inner,):
                return Repetition(self.pattern(inner), repeat_count(tree, self.source), span)
            case "star", (inner,):
                return Repetition(self.pattern(inner), None, span)
            case "point", _:
                return PointText(self._time(tree), span)
            case _:
                return self.atom(tree)

    def atom(self, tree: Node) -> AtomText:
        """Return an atom, a head or a fact."""
        predicate, *arguments = nodes(tree)
        terms = tuple(read_term(node, self.source) for some in arguments for node in nodes(some))
        return AtomText(read_predicate(predicate, self.source), terms, span_of(tree, self.source))

    def _time(self, tree: Node) -> int:
        [token] = tree.children
        assert isinstance(token, Token)
        if token.type == "DATE":
            return parse_time(str(token), place=span_of(token, self.source))
        return read_length(token, self.source, self.time_unit)
