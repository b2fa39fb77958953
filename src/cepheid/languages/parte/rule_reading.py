"""Rules out of their trees: patterns, windows and reactions."""

from dataclasses import dataclass

from lark import Tree

from cepheid.diagnostics import Source
from cepheid.languages.parte.declared import read_schedule, read_window
from cepheid.languages.parte.syntax import (
    Action,
    AggregatePattern,
    Assignment,
    Emission,
    EventPattern,
    InstantPattern,
    NegatedPattern,
    Reaction,
    RulePattern,
    RuleText,
    Window,
    WindowLine,
)
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.grammars import Branch, Node, rule_of, span_of
from cepheid.languages.shared.term_reading import nodes, read_name_node, read_term
from cepheid.languages.shared.terms import Name, Term


def terms(tree: Branch, source: Source) -> tuple[Term, ...]:
    """Return the terms of a list; there is no list where there is no tree."""
    return tuple(read_term(node, source) for node in nodes(tree)) if isinstance(tree, Tree) else ()


@dataclass(frozen=True, slots=True)
class RuleReader:
    """Reads the rules of one text."""

    source: Source

    def rule(self, tree: Node) -> RuleText:
        name, patterns, windows, reactions = nodes(tree)
        return RuleText(
            self._name(name),
            tuple(map(self._pattern, nodes(patterns))),
            tuple(map(self._line, nodes(windows))),
            tuple(map(self._reaction, nodes(reactions))),
            span_of(tree, self.source),
        )

    def _pattern(self, tree: Node) -> RulePattern:
        span = span_of(tree, self.source)
        match rule_of(tree):
            case "negated":
                return self._negated(tree)
            case "aggregate":
                return self._aggregate(tree)
            case "instant":
                name, schedule, conditions = tree.children
                assert isinstance(name, Tree)
                assert isinstance(schedule, Tree)
                points = read_schedule(schedule, self.source)
                return InstantPattern(self._name(name), points, terms(conditions, self.source), span)
            case _:
                return self._event(tree)

    def _negated(self, tree: Node) -> NegatedPattern:
        [inner] = nodes(tree)
        span = span_of(tree, self.source)
        no = self.source.span(span.start, span.start + len("no"))
        pattern = self._pattern(inner)
        if isinstance(pattern, EventPattern):
            return NegatedPattern(pattern, no, span)
        kind = "a point of time" if isinstance(pattern, InstantPattern) else "an aggregate"
        label = f"{kind} is always there"
        raise refusal("syntax", "only an event can be absent", no, label, "leave out `no`")

    def _event(self, tree: Node) -> EventPattern:
        name, type_name, *rest = tree.children
        assert isinstance(name, Tree)
        assert isinstance(type_name, Tree)
        arguments = terms(rest[0], self.source) if rule_of(tree) == "applied" else None
        conditions = terms(rest[-1], self.source)
        return EventPattern(self._name(name), self._name(type_name), arguments, conditions, span_of(tree, self.source))

    def _aggregate(self, tree: Node) -> AggregatePattern:
        name, function, arguments, item, anchor, window = nodes(tree)[:6]
        return AggregatePattern(
            self._name(name),
            self._name(function),
            terms(arguments, self.source),
            self._event(item),
            self._name(anchor),
            self._window(window),
            terms(tree.children[-1], self.source),
            span_of(tree, self.source),
        )

    def _line(self, tree: Node) -> WindowLine:
        negated = rule_of(tree) == "absent"
        variable, anchor, window = nodes(nodes(tree)[0] if negated else tree)
        return WindowLine(
            self._name(variable), self._name(anchor), self._window(window), negated, span_of(tree, self.source)
        )

    def _window(self, tree: Node) -> Window:
        return read_window(tree, self.source)

    def _reaction(self, tree: Node) -> Reaction:
        span = span_of(tree, self.source)
        if rule_of(tree) == "action":
            name, arguments = nodes(tree)
            return Action(self._name(name), terms(arguments, self.source), span)
        type_name, at, assignments = tree.children
        assert isinstance(type_name, Tree)
        assert isinstance(at, Tree)
        given = nodes(assignments) if isinstance(assignments, Tree) else ()
        return Emission(self._name(type_name), read_term(at, self.source), tuple(map(self._assignment, given)), span)

    def _assignment(self, tree: Node) -> Assignment:
        name, value = nodes(tree)
        return Assignment(self._name(name), read_term(value, self.source))

    def _name(self, tree: Node) -> Name:
        return read_name_node(tree, self.source)
