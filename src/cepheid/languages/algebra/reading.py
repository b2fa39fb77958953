"""From text to syntax: the tree that the grammar gives, read node by node."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from lark import Lark, Tree

from cepheid.algebra.programs import Arrival
from cepheid.diagnostics import Source
from cepheid.languages.algebra.declared import arrival_of, key_count, length_of, policy_named
from cepheid.languages.algebra.lines import check_lines
from cepheid.languages.algebra.mistakes import mistake
from cepheid.languages.algebra.syntax import (
    By,
    Combination,
    Declaration,
    Definition,
    Disorder,
    Emitted,
    Expression,
    Keys,
    Operator,
    Primitive,
    Rate,
    Restriction,
    Text,
    Tick,
    Within,
)
from cepheid.languages.shared.depth import check_depth
from cepheid.languages.shared.grammars import Node, Stop, grammar, read_tree, rule_of, span_of
from cepheid.languages.shared.term_reading import nodes, read_name_node, read_term
from cepheid.languages.shared.terms import Name

_OPERATORS: Final = {operator.word: operator for operator in Operator}


def read(source: Source, time_unit: int) -> Text:
    """Return what a text says; lone numbers are lengths of so many `time_unit` ticks."""
    reading = read_tree(_grammar(), source)
    if isinstance(reading, Stop):
        raise mistake(reading)
    check_depth(reading.tree, source)
    statements = [_Reader(source, time_unit).statement(node) for node in nodes(reading.tree)]
    check_lines(statements, reading.tokens, source)
    definitions = tuple(found for found in statements if isinstance(found, Definition))
    return Text(definitions, tuple(found for found in statements if not isinstance(found, Definition)))


@cache
def _grammar() -> Lark:
    return grammar(__name__.rpartition(".")[0], "algebra.lark")


@dataclass(frozen=True, slots=True)
class _Reader:
    source: Source
    time_unit: int

    def statement(self, tree: Node) -> Definition | Declaration:
        match rule_of(tree):
            case "definition" | "abbreviation" | "bare":
                return self._definition(tree)
            case "tick":
                return Tick(self._positive(tree), span_of(tree, self.source))
            case "policy":
                return Restriction(policy_named(tree, self.source), span_of(tree, self.source))
            case _:
                return self._about_type(tree)

    def _about_type(self, tree: Node) -> Declaration:
        span, type_name = span_of(tree, self.source), self._name(nodes(tree)[0])
        match rule_of(tree):
            case "disorder":
                return Disorder(type_name, self._length(tree), span)
            case "keys":
                return Keys(type_name, key_count(tree, self.source), span)
            case "spacing":
                return Rate(type_name, Arrival(1, self._positive(tree), spaced=True), span)
            case _:
                return Rate(type_name, arrival_of(tree, self.source, self.time_unit), span)

    def _definition(self, tree: Node) -> Definition:
        children = nodes(tree)
        name = None if rule_of(tree) == "bare" else self._name(children[0])
        expression = self.expression(children[0 if name is None else 1])
        emits = [child for child in children if rule_of(child) == "emits"]
        emitted = tuple(self._emitted(field) for clause in emits for field in nodes(clause))
        return Definition(name, expression, emitted, span_of(tree, self.source), rule_of(tree) == "abbreviation")

    def _emitted(self, tree: Node) -> Emitted:
        name, value = nodes(tree)
        return Emitted(self._name(name), read_term(value, self.source))

    def expression(self, tree: Node) -> Expression:
        span = span_of(tree, self.source)
        match rule_of(tree), nodes(tree):
            case "primitive", _:
                return self._primitive(tree)
            case "within", [inner, _]:
                return Within(self.expression(inner), self._length(tree), span)
            case "by", [inner, *names]:
                return By(self.expression(inner), tuple(self._name(name).name for name in names), span)
            case rule, [left, right]:
                operator = _OPERATORS[rule.rstrip("_")]
                return Combination(operator, self.expression(left), self.expression(right), span)
        raise AssertionError(f"no expression: {tree.data}")

    def _primitive(self, tree: Node) -> Primitive:
        label, type_name, condition = tree.children
        assert isinstance(type_name, Tree)
        return Primitive(
            self._name(type_name),
            self._name(label) if isinstance(label, Tree) else None,
            read_term(condition, self.source) if isinstance(condition, Tree) else None,
            span_of(tree, self.source),
        )

    def _length(self, tree: Node) -> int:
        return length_of(tree, self.source, self.time_unit)

    def _positive(self, tree: Node) -> int:
        return length_of(tree, self.source, self.time_unit, positive=True)

    def _name(self, tree: Node) -> Name:
        return read_name_node(tree, self.source)
