"""From text to syntax: the tree that the grammar gives, read statement by statement."""

from dataclasses import dataclass
from functools import cache

from lark import Lark, Token

from cepheid.algebra.programs import Arrival
from cepheid.diagnostics import Source
from cepheid.languages.etalis.lengths import arrival_of, key_count, length_of
from cepheid.languages.etalis.mistakes import mistake
from cepheid.languages.etalis.pattern_reading import PatternReader
from cepheid.languages.etalis.syntax import (
    AtomText,
    Column,
    Disorder,
    EventText,
    Fact,
    Keys,
    PolicyText,
    Rate,
    RuleText,
    Statement,
    TableText,
    Tick,
)
from cepheid.languages.etalis.term_reading import read_predicate, read_term
from cepheid.languages.etalis.words import read_escapes
from cepheid.languages.shared.depth import check_depth
from cepheid.languages.shared.grammars import Node, Stop, grammar, read_tree, rule_of, span_of
from cepheid.languages.shared.term_reading import nodes
from cepheid.languages.shared.terms import Name, Term

_TOO_DEEP = "give the inner part a rule of its own: `inner(X) <- a(X) SEQ b(X).`"


def read(source: Source, time_unit: int) -> tuple[Statement, ...]:
    """Return the statements of a text; lone numbers are lengths of so many `time_unit` ticks."""
    reading = read_tree(_grammar(), source)
    if isinstance(reading, Stop):
        raise mistake(reading)
    check_depth(reading.tree, source, _TOO_DEEP)
    reader = _Reader(source, time_unit)
    return tuple(reader.statement(node) for node in nodes(reading.tree))


@cache
def _grammar() -> Lark:
    return grammar(__name__.rpartition(".")[0], "etalis.lark")


@dataclass(frozen=True, slots=True)
class _Reader:
    source: Source
    time_unit: int

    def statement(self, tree: Node) -> Statement:
        span = span_of(tree, self.source)
        match rule_of(tree), nodes(tree):
            case "rule", children:
                return self._rule(tree, children)
            case "fact", (head,):
                return Fact(self._patterns.atom(head), span)
            case "event", (predicate, *attributes):
                return EventText(self._name(predicate), tuple(map(self._name, attributes)), span)
            case "table", _:
                return self._table(tree)
            case "policy_statement", (policy,):
                return self._policy(policy)
            case _:
                return self._declaration(tree)

    def _declaration(self, tree: Node) -> Statement:
        span, source, unit = span_of(tree, self.source), self.source, self.time_unit
        match rule_of(tree), nodes(tree):
            case "tick", (length,):
                return Tick(length_of(length, source, unit, positive=True), span)
            case "disorder", (predicate, length):
                return Disorder(self._name(predicate), length_of(length, source, unit), span)
            case "spacing", (predicate, length):
                per = length_of(length, source, unit, positive=True)
                return Rate(self._name(predicate), Arrival(1, per, spaced=True), span)
            case "rate", (predicate, _):
                return Rate(self._name(predicate), arrival_of(tree, source, unit), span)
            case "keys", (predicate,):
                return Keys(self._name(predicate), key_count(tree, source), span)
        raise AssertionError(f"no statement: {tree.data}")

    @property
    def _patterns(self) -> PatternReader:
        return PatternReader(self.source, self.time_unit)

    def _rule(self, tree: Node, children: tuple[Node, ...]) -> RuleText:
        by_rule = {rule_of(child): child for child in children}
        label, policy = by_rule.get("label"), by_rule.get("policy")
        pattern, *goals = nodes(by_rule["body"])
        return RuleText(
            None if label is None else self._name(nodes(label)[0]),
            self._patterns.atom(by_rule["head"]),
            self._patterns.pattern(pattern),
            tuple(map(self._goal, goals)),
            None if policy is None else self._policy(policy),
            span_of(tree, self.source),
        )

    def _goal(self, tree: Node) -> AtomText | Term:
        return self._patterns.atom(tree) if rule_of(tree) == "atom" else read_term(tree, self.source)

    def _policy(self, tree: Node) -> PolicyText:
        choice = next(child for child in tree.children if isinstance(child, Token))
        ties = nodes(tree)
        tie = next((child for child in ties[0].children if isinstance(child, Token)), None) if ties else None
        attributes = [self._name(child) for node in ties for child in nodes(node)]
        return PolicyText(
            self._word(choice),
            None if tie is None else self._word(tie),
            attributes[0] if attributes else None,
            span_of(tree, self.source),
        )

    def _table(self, tree: Node) -> TableText:
        predicate, *others = nodes(tree)
        columns = tuple(self._column(node) for node in others if rule_of(node) == "column")
        content = next((node for node in others if rule_of(node) in ("file", "empty")), None)
        file = None
        if content is not None and content.children:
            place = span_of(content, self.source)
            token = content.children[0]
            assert isinstance(token, Token)
            file = (read_escapes(str(token), place), span_of(token, self.source))
        empty = content is not None and rule_of(content) == "empty"
        return TableText(self._name(predicate), columns, file, empty, span_of(tree, self.source))

    def _column(self, tree: Node) -> Column:
        kind = next((child for child in tree.children if isinstance(child, Token)), None)
        return Column(self._name(nodes(tree)[0]), None if kind is None else self._word(kind))

    def _name(self, tree: Node) -> Name:
        return read_predicate(tree, self.source)

    def _word(self, token: Token) -> Name:
        return Name(str(token), span_of(token, self.source))
