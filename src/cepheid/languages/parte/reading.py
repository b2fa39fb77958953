"""From text to syntax: the tree that the grammar gives, read node by node."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from lark import Lark, Token, Tree

from cepheid.diagnostics import Source, Span
from cepheid.events import Value
from cepheid.languages.parte.declared import read_clause, read_size, read_tick
from cepheid.languages.parte.mistakes import mistake
from cepheid.languages.parte.rule_reading import RuleReader, terms
from cepheid.languages.parte.syntax import (
    PatternText,
    PredicateText,
    Slot,
    SlotType,
    SourceText,
    Statement,
    TableText,
    Template,
    Text,
    Use,
)
from cepheid.languages.shared.depth import check_depth
from cepheid.languages.shared.grammars import Branch, Node, Stop, grammar, read_tree, rule_of, span_of
from cepheid.languages.shared.literals import read_string
from cepheid.languages.shared.term_reading import nodes, read_name_node, read_term
from cepheid.languages.shared.terms import Constant, Name

_HINT: Final = "write the condition as several, with commas between them: `{ amount > 1, amount < 5 }`"


def read(source: Source) -> Text:
    """Return what a text says."""
    reading = read_tree(_grammar(), source)
    if isinstance(reading, Stop):
        raise mistake(reading)
    check_depth(reading.tree, source, _HINT)
    return Text(tuple(_Reader(source).statement(node) for node in nodes(reading.tree)), source)


@cache
def _grammar() -> Lark:
    return grammar(__package__, "parte.lark")


@dataclass(frozen=True, slots=True)
class _Reader:
    source: Source

    def statement(self, tree: Node) -> Statement:
        span = span_of(tree, self.source)
        match rule_of(tree):
            case "template":
                name, *slots = nodes(tree)
                return Template(self._name(name), tuple(map(self._slot, slots)), span)
            case "rule":
                return RuleReader(self.source).rule(tree)
            case "source":
                name, *clauses = nodes(tree)
                return SourceText(self._name(name), tuple(read_clause(one, self.source) for one in clauses), span)
            case "table":
                return self._table(tree)
            case "predicate":
                name, parameters, body = nodes(tree)
                return PredicateText(self._name(name), self._names(parameters), read_term(body, self.source), span)
            case "abstraction":
                return self._abstraction(tree)
            case "use":
                return Use(*self._string(tree))
            case _:
                return read_tick(tree, self.source)

    def _slot(self, tree: Node) -> Slot:
        name, written = tree.children
        assert isinstance(name, Tree)
        return Slot(self._name(name), self._type(written) if isinstance(written, Tree) else None)

    def _type(self, tree: Node) -> SlotType:
        name, *size = tree.children
        assert isinstance(name, Tree)
        most = read_size(size[0], self.source) if size and isinstance(size[0], Token) else None
        return SlotType(self._name(name), most, span_of(tree, self.source))

    def _table(self, tree: Node) -> TableText:
        name, keys, gives, content = tree.children
        assert isinstance(name, Tree)
        return TableText(
            self._name(name),
            self._columns(keys),
            self._columns(gives),
            self._string(content) if isinstance(content, Tree) and rule_of(content) == "file" else None,
            self._rows(content) if isinstance(content, Tree) and rule_of(content) == "rows" else None,
            span_of(tree, self.source),
        )

    def _columns(self, tree: Branch) -> tuple[Slot, ...]:
        return tuple(map(self._slot, nodes(tree))) if isinstance(tree, Tree) else ()

    def _rows(self, tree: Node) -> tuple[Value, Span]:
        [constant] = nodes(tree)
        term = read_term(constant, self.source)
        assert isinstance(term, Constant)
        return term.value, term.span

    def _abstraction(self, tree: Node) -> PatternText:
        name, parameters, type_name, arguments, conditions = tree.children
        assert isinstance(name, Tree)
        assert isinstance(type_name, Tree)
        return PatternText(
            self._name(name),
            self._names(parameters) if isinstance(parameters, Tree) else (),
            self._name(type_name),
            terms(arguments, self.source) if isinstance(arguments, Tree) else None,
            terms(conditions, self.source),
            span_of(tree, self.source),
        )

    def _string(self, tree: Node) -> tuple[str, Span]:
        [token] = tree.children
        assert isinstance(token, Token)
        return read_string(token, self.source), span_of(token, self.source)

    def _names(self, tree: Node) -> tuple[Name, ...]:
        return tuple(self._name(node) for node in nodes(tree))

    def _name(self, tree: Node) -> Name:
        return read_name_node(tree, self.source)
