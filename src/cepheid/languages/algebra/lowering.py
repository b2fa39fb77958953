"""From syntax to the algebra's nodes.

Under `latest-start` every node chooses: joins by their policy, all others by a `Select` above them. Under `all` nothing
is chosen, and where one set of events can be found in several ways a `Distinct` makes them one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cepheid.algebra.expressions import Expr, Field, Moment
from cepheid.algebra.intervals import inside, then
from cepheid.algebra.keyed import keyed
from cepheid.algebra.patterns import Atom, Distinct, Either, Join, Pattern, Restrict, Select, Unless
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import EVENT, HULL, Program, Rule
from cepheid.algebra.relations import end, length, start
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Span
from cepheid.languages.algebra.definitions import expanded, primitives
from cepheid.languages.algebra.identity import Types, is_found_once
from cepheid.languages.algebra.naming import check_labels, names_of
from cepheid.languages.algebra.scopes import AllEvents, OneEvent, Visible, present
from cepheid.languages.algebra.streams import streams_of, tick_of
from cepheid.languages.algebra.syntax import (
    By,
    Combination,
    Definition,
    Emitted,
    Expression,
    Operator,
    Primitive,
    Text,
    Within,
)
from cepheid.languages.shared.term_meaning import meaning

BARE_NAME = "match"


def lower(text: Text, policy: str) -> Program:
    """Return the program that a text means under a policy."""
    meant = expanded(text.definitions)
    rests_on: dict[str, frozenset[str]] = {}
    rules = {}
    for definition, expression in meant.items():
        if not definition.is_abbreviation:
            rules[definition] = _rule(definition, expression, Choice(policy), rests_on)
        if definition.name is not None and definition.emitted:
            rests_on[definition.name.name] = _inputs(expression, rests_on)
    in_text_order = tuple(rules[definition] for definition in text.definitions if definition in rules)
    return Program(in_text_order, streams_of(text.declarations), tick=tick_of(text.declarations))


def _inputs(expression: Expression, rests_on: Types) -> frozenset[str]:
    types = (used.type.name for used in primitives(expression))
    return frozenset(found for name in types for found in rests_on.get(name, (name,)))


def _rule(definition: Definition, whole: Expression, choice: Choice, rests_on: Types) -> Rule:
    check_labels(whole)
    expression, attributes = _split(whole)
    events = list(primitives(expression))
    names = names_of([(event.type.name, None if event.label is None else event.label.name) for event in events])
    pattern = _Lowering(Policy(choice), iter(names)).pattern(expression)
    if choice is Choice.ALL and not is_found_once(expression, rests_on):
        pattern = Distinct(pattern, span=expression.span)
    there = list(zip(events, names, present(expression), strict=True))
    visible = [Visible(event, name) for event, name, is_there in there if is_there]
    scope = AllEvents(visible, [event for event, _, is_there in there if not is_there])
    name = BARE_NAME if definition.name is None else definition.name.name
    fields = _fields(definition.emitted, scope)
    per = tuple(Field(EVENT, attribute) for attribute in attributes)
    return Rule(name, pattern, name, Moment(start(HULL)), Moment(end(HULL)), fields, per)


def _split(expression: Expression) -> tuple[Expression, tuple[str, ...]]:
    """Return an expression without the keys of the whole of it, and these keys."""
    attributes: list[str] = []
    while isinstance(expression, By):
        attributes += [name for name in expression.attributes if name not in attributes]
        expression = expression.inner
    return expression, tuple(attributes)


def _fields(emitted: Sequence[Emitted], scope: AllEvents) -> dict[str, Expr]:
    fields: dict[str, Expr] = {}
    for field in emitted:
        if field.name.name in fields:
            raise _emitted_twice(field)
        fields[field.name.name] = meaning(field.value, scope)
    return fields


def _emitted_twice(field: Emitted) -> CepheidError:
    name = field.name.name
    label = Label(field.name.span, "it has a value already")
    hint = f"leave one out, or call it `{name}2`"
    return CepheidError(Diagnostic("duplicate-field", f"`{name}` is emitted twice", (label,), hints=(hint,)))


@dataclass(frozen=True, slots=True)
class _Lowering:
    """Lowers expressions from left to right; `names` are those of the primitives that are still to come."""

    policy: Policy
    names: Iterator[str]

    def pattern(self, expression: Expression) -> Pattern:
        span = expression.span
        match expression:
            case Primitive():
                return self._chosen(self._atom(expression))
            case Within(inner, longest):
                return self._chosen(Restrict(self.pattern(inner), (length(HULL, HULL, longest),), span=span))
            case By(inner, attributes):
                return keyed(self.pattern(inner), attributes)
            case Combination(operator, left, right):
                return self._combined(operator, self.pattern(left), self.pattern(right), span)

    def _combined(self, operator: Operator, left: Pattern, right: Pattern, span: Span) -> Pattern:
        match operator:
            case Operator.OR:
                return self._chosen(Either((left, right), span=span))
            case Operator.AND:
                return Join((left, right), policy=self.policy, span=span)
            case Operator.THEN:
                return Join((left, right), then(), policy=self.policy, span=span)
            case Operator.MINUS:
                return self._chosen(Unless(left, right, inside("$absent", HULL), span=span))

    def _chosen(self, pattern: Pattern) -> Pattern:
        """Return a node that is no join, and the choice above it if there is one."""
        return pattern if self.policy.choice is Choice.ALL else Select(pattern, self.policy, span=pattern.span)

    def _atom(self, primitive: Primitive) -> Atom:
        name = next(self.names)
        condition = primitive.condition
        where = None if condition is None else meaning(condition, OneEvent(primitive, name))
        return Atom(name, frozenset([primitive.type.name]), where, span=primitive.span)
