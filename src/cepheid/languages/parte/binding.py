"""The patterns of a rule, one after the other: what each binds, and the conditions it brings."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from cepheid.algebra.evaluation import AGGREGATES
from cepheid.algebra.expressions import Aggregate, conjuncts
from cepheid.diagnostics import CepheidError, Label, close_match
from cepheid.languages.parte.abstractions import Expansion
from cepheid.languages.parte.calls import Typed, condition
from cepheid.languages.parte.definitions import Definitions
from cepheid.languages.parte.kinds import FLOAT, INTEGER, NUMERIC, Kind
from cepheid.languages.parte.meaning import meaning
from cepheid.languages.parte.placement import Condition
from cepheid.languages.parte.syntax import (
    AggregatePattern,
    EventPattern,
    InstantPattern,
    NegatedPattern,
    RulePattern,
    RuleText,
    Template,
)
from cepheid.languages.parte.variables import Role, Scope, Variable
from cepheid.languages.parte.windows import check_window
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.terms import Name, Term


@dataclass(frozen=True, slots=True)
class Element:
    """A pattern and its variable; `conditions` are its own, an aggregate has `above` those on its value as well."""

    pattern: RulePattern
    variable: Variable
    conditions: tuple[Condition, ...]
    above: tuple[Condition, ...] = ()
    fold: Aggregate | None = None

    @property
    def event(self) -> EventPattern | None:
        """The events it is about, if it is about events."""
        match self.pattern:
            case EventPattern():
                return self.pattern
            case NegatedPattern(pattern) | AggregatePattern(item=pattern):
                return pattern
            case InstantPattern():
                return None


@dataclass(slots=True)
class Binding:
    """Binds the patterns of one rule in the order of the text."""

    rule: RuleText
    definitions: Definitions
    variables: dict[str, Variable] = field(default_factory=dict)

    def elements(self) -> list[Element]:
        """Return every pattern with what it means."""
        self._check_anchor()
        patterns = [self._expanded(pattern) for pattern in self.rule.patterns]
        for order, pattern in enumerate(patterns):
            for variable in self._bound(pattern, order):
                self._bind(variable)
        return [self._element(pattern, order) for order, pattern in enumerate(patterns)]

    def scope(self) -> Scope:
        """Return what names mean after all patterns."""
        return self._scope(len(self.rule.patterns), None)

    def term(self, term: Term, scope: Scope) -> Typed:
        """Return what a term means, without the abbreviations in it."""
        return meaning(Expansion(self.definitions).term(term), scope)

    def _check_anchor(self) -> None:
        if not self.rule.patterns:
            message, label = f"the rule `{self.rule.name.name}` looks for nothing", "no pattern after `where`"
            raise refusal("incomplete-statement", message, self.rule.name.span, label, "write `where a : A {}`")
        first = self.rule.patterns[0]
        if isinstance(first, NegatedPattern):
            name = first.pattern.variable.name
            anchor = "first" if name != "first" else "before"
            message, label = "a rule begins with something that is absent", "nothing says when this would be"
            hint = f"put a pattern before it that is there, and relate them: `no {name} in {anchor} [0 s, 10 s]`"
            raise refusal("unanchored-negation", message, first.no, label, hint)

    def _expanded(self, pattern: RulePattern) -> RulePattern:
        expansion = Expansion(self.definitions)
        match pattern:
            case EventPattern():
                return expansion.event(pattern)
            case NegatedPattern(inner):
                return replace(pattern, pattern=expansion.event(inner))
            case AggregatePattern(item=item):
                return replace(pattern, item=expansion.event(item))
            case InstantPattern():
                return pattern

    def _bound(self, pattern: RulePattern, order: int) -> list[Variable]:
        match pattern:
            case EventPattern(variable):
                return [Variable(variable, Role.EVENT, order, self._template(pattern))]
            case NegatedPattern(inner):
                return [Variable(inner.variable, Role.ABSENT, order, self._template(inner))]
            case InstantPattern(variable):
                return [Variable(variable, Role.INSTANT, order)]
            case AggregatePattern(variable, item=item):
                total = Variable(variable, Role.TOTAL, order)
                return [total, Variable(item.variable, Role.ITEM, order, self._template(item))]

    def _bind(self, variable: Variable) -> None:
        name = variable.name
        first = self.variables.setdefault(name.name, variable)
        if first is not variable:
            others = (Label(first.name.span, "the first one"),)
            message, label = f"two patterns bind `{name.name}`", f"a second `{name.name}`"
            hint = f"call one of them `{name.name}2`"
            raise refusal("duplicate-variable", message, name.span, label, hint, others=others)

    def _template(self, pattern: EventPattern) -> Template:
        return known_template(pattern.type, self.definitions)

    def _scope(self, order: int, own: Name | None) -> Scope:
        variable = None if own is None else self.variables[own.name]
        predicates = frozenset(self.definitions.predicates)
        return Scope(self.variables, self.definitions.tables, order, variable, predicates)

    def _element(self, pattern: RulePattern, order: int) -> Element:
        match pattern:
            case EventPattern(variable, conditions=terms) | InstantPattern(variable, conditions=terms):
                conditions = self._conditions(terms, self._scope(order, variable))
            case NegatedPattern(EventPattern(variable, conditions=terms)):
                conditions = self._conditions(terms, self._scope(order, variable))
            case AggregatePattern():
                return self._aggregate(pattern, order)
        return Element(pattern, self.variables[variable.name], conditions)

    def _conditions(self, terms: Iterable[Term], scope: Scope) -> tuple[Condition, ...]:
        meant = (self.term(term, scope) for term in terms)
        return tuple(Condition(part, typed.span) for typed in meant for part in conjuncts(condition(typed)))

    def _aggregate(self, pattern: AggregatePattern, order: int) -> Element:
        self._check_aggregate(pattern)
        scope = self._scope(order, pattern.item.variable)
        argument = next((self.term(term, scope) for term in pattern.arguments), None)
        name, function = pattern.variable.name, pattern.function.name
        self.variables[name] = replace(self.variables[name], kind=_kind_of_fold(function, argument))
        fold = Aggregate(function, None if argument is None else argument.expression)
        conditions = self._conditions(pattern.item.conditions, scope)
        above = self._conditions(pattern.conditions, self._scope(order + 1, None))
        return Element(pattern, self.variables[name], conditions, above, fold)

    def _check_aggregate(self, pattern: AggregatePattern) -> None:
        function = pattern.function
        if function.name not in AGGREGATES:
            closest = close_match(function.name, AGGREGATES)
            hint = f"did you mean `{closest}`?" if closest else f"there are {listed(AGGREGATES)}"
            message, label = f"there is no aggregate `{function.name}`", "not an aggregate"
            raise refusal("unknown-function", message, function.span, label, hint)
        if len(pattern.arguments) != 1 and not (function.name == "count" and not pattern.arguments):
            message, label = f"`{function.name}` takes one argument", f"{len(pattern.arguments)} given here"
            raise refusal("argument-count", message, function.span, label, f"write it like `{function.name}(amount)`")
        check_window(pattern.window)
        self._check_aggregate_anchor(pattern)

    def _check_aggregate_anchor(self, pattern: AggregatePattern) -> None:
        anchor = self.variables.get(pattern.anchor.name)
        if anchor is not None and anchor.is_positive:
            return
        known = [variable.name.name for variable in self.variables.values() if variable.is_positive]
        hint = f"relate it to {listed(known)}"
        if anchor is None:
            message, label = f"no pattern of this rule binds `{pattern.anchor.name}`", "not a variable of this rule"
            raise refusal("unbound-variable", message, pattern.anchor.span, label, hint)
        message, label = f"`{pattern.anchor.name}` is no event that a window can be about", "not an event of the match"
        raise refusal("negated-variable-misuse", message, pattern.anchor.span, label, hint)


def known_template(name: Name, definitions: Definitions) -> Template:
    """Return the template of this name; raise where there is none."""
    if name.name in definitions.templates:
        return definitions.templates[name.name]
    raise _unknown_template(name, definitions)


def _unknown_template(name: Name, definitions: Definitions) -> CepheidError:
    known = [*definitions.templates, *definitions.patterns]
    closest = close_match(name.name, known)
    message, label = f"there is no template `{name.name}`", "not declared"
    hint = f"did you mean `{closest}`?" if closest else f"declare it: `template {name.name} {{ id : Integer }}`"
    return refusal("unknown-template", message, name.span, label, hint)


def _kind_of_fold(function: str, argument: Typed | None) -> Kind:
    if function == "count" or argument is None:
        return INTEGER
    if function == "list":
        return Kind(argument.kind.name, 0) if argument.kind.size is None else argument.kind
    return FLOAT if function == "avg" and argument.kind in NUMERIC else argument.kind
