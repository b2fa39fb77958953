"""From text to syntax: the tree that the grammar gives, read node by node."""

from dataclasses import dataclass
from functools import cache

from lark import Lark, Token

from cepheid.diagnostics import Source
from cepheid.languages.hbl.declared import count_of, rate_of, ties_of
from cepheid.languages.hbl.mistakes import mistake
from cepheid.languages.hbl.syntax import (
    Alert,
    Clause,
    Disorder,
    Equation,
    Keys,
    Rate,
    Sequence,
    Setting,
    Single,
    StreamText,
    Text,
    Watchpoint,
    Window,
)
from cepheid.languages.shared.depth import check_depth
from cepheid.languages.shared.grammars import Node, Stop, grammar, read_tree, rule_of, span_of
from cepheid.languages.shared.lengths import read_length
from cepheid.languages.shared.term_reading import nodes, read_name_node, read_term
from cepheid.languages.shared.terms import Name

_NAME_A_PART = "give the later steps a name of their own: `rest = b -> c;`, and go on with it: `a -> rest`"


def read(source: Source, time_unit: int) -> Text:
    """Return what a text says; lone numbers are lengths of so many `time_unit` ticks."""
    reading = read_tree(_grammar(), source)
    if isinstance(reading, Stop):
        raise mistake(reading)
    check_depth(reading.tree, source, _NAME_A_PART)
    reader, items = _Reader(source, time_unit), nodes(reading.tree)
    return Text(
        tuple(reader.watchpoint(item) for item in items if rule_of(item) == "watchpoint"),
        tuple(reader.stream(item) for item in items if rule_of(item) == "stream"),
        tuple((reader.length(nodes(item)[0]), span_of(item, source)) for item in items if rule_of(item) == "tick"),
        tuple((ties_of(item, source), span_of(item, source)) for item in items if rule_of(item) == "ties"),
    )


@cache
def _grammar() -> Lark:
    return grammar(__name__.rpartition(".")[0], "hbl.lark")


@dataclass(frozen=True, slots=True)
class _Reader:
    source: Source
    time_unit: int

    def watchpoint(self, tree: Node) -> Watchpoint:
        name, by, *statements = nodes(tree)
        rules = [(rule_of(one), one) for one in statements]
        return Watchpoint(
            self._name(name),
            tuple(map(self._name, nodes(by))),
            tuple(self._equation(one) for rule, one in rules if rule == "equation"),
            tuple(self._window(one) for rule, one in rules if rule in ("window", "records")),
            tuple(set_ for rule, one in rules if rule == "initially" for set_ in self._settings(one)),
            tuple(Alert(self._settings(one), span_of(one, self.source)) for rule, one in rules if rule == "alert"),
            span_of(tree, self.source),
        )

    def stream(self, tree: Node) -> StreamText:
        name, *clauses = nodes(tree)
        return StreamText(self._name(name), tuple(map(self._clause, clauses)), span_of(tree, self.source))

    def length(self, tree: Node) -> int:
        [token] = tree.children
        assert isinstance(token, Token)
        return read_length(token, self.source, self.time_unit)

    def _clause(self, tree: Node) -> Clause:
        match rule_of(tree):
            case "rate":
                return Rate(rate_of(tree, self.source, self.time_unit))
            case "disorder":
                return Disorder(self.length(nodes(tree)[0]))
            case _:
                return Keys(count_of(tree, self.source))

    def _window(self, tree: Node) -> Window:
        if rule_of(tree) == "window":
            return Window(self.length(nodes(tree)[0]), False, span_of(tree, self.source))
        return Window(count_of(tree, self.source), True, span_of(tree, self.source))

    def _equation(self, tree: Node) -> Equation:
        name, expression = nodes(tree)
        return Equation(self._name(name), self._sequence(expression))

    def _sequence(self, tree: Node) -> Sequence:
        swe, *rest = nodes(tree)
        span = span_of(tree, self.source)
        if rule_of(tree) == "composition":
            name = self._name(swe)
            follow = tuple(map(self._sequence, nodes(rest[0])))
            return Sequence(Single((name,), None, (), name.span), follow, None, span, composes=True)
        if not rest:
            return Sequence(self._single(swe), (), None, span)
        arrow, alternatives = rest
        avoided = [self._single(one) for one in nodes(arrow)]
        follow = tuple(map(self._sequence, nodes(alternatives)))
        return Sequence(self._single(swe), follow, avoided[0] if avoided else None, span)

    def _single(self, tree: Node) -> Single:
        record, *settings = nodes(tree)
        names = [one for one in nodes(record) if rule_of(one) == "name"]
        conditions = [one for one in nodes(record) if rule_of(one) != "name"]
        lets = tuple(setting for one in settings for setting in self._set(one))
        condition = read_term(conditions[0], self.source) if conditions else None
        return Single(tuple(map(self._name, names)), condition, lets, span_of(tree, self.source))

    def _settings(self, tree: Node) -> tuple[Setting, ...]:
        return tuple(setting for one in nodes(tree) for setting in self._set(one))

    def _set(self, tree: Node) -> tuple[Setting, ...]:
        return tuple(self._setting(one) for one in nodes(tree))

    def _setting(self, tree: Node) -> Setting:
        name, value = nodes(tree)
        return Setting(self._name(name), read_term(value, self.source))

    def _name(self, tree: Node) -> Name:
        return read_name_node(tree, self.source)
