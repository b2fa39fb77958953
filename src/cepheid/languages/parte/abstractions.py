"""Predicates and named patterns: what they abbreviate is put in their place.

    predicate uncommon_route(a, b) = not common_routes(a, b)
    pattern suspicious(least) : MoneyTransferred { amount >= least, uncommon_route(originator, destination) }

Parameters stand for whatever is given: a value, an attribute, or a variable whose attributes are then read.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from cepheid.algebra.query_sizes import MOST_TERMS, too_large
from cepheid.diagnostics import CepheidError, Label
from cepheid.languages.parte.definitions import Definitions
from cepheid.languages.parte.syntax import EventPattern, PatternText, PredicateText
from cepheid.languages.shared.depth import MOST_LEVELS, too_deep
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.terms import Constant, Member, Name, Operation, Term

_TOO_DEEP = "emit an event and let another rule look at it: `emit Suspicious at a.timestamp with { id = a.id }`"
Given = Mapping[str, Term]


@dataclass(frozen=True, slots=True)
class Expansion:
    """Puts abbreviations out of the way; `within` are those that are being put in place right now.

    `terms` counts what was put in place so far, for there is a limit.
    """

    definitions: Definitions
    within: tuple[str, ...] = ()
    level: int = 0
    terms: Iterator[int] = field(default_factory=count)

    def term(self, term: Term) -> Term:
        """Return a term without predicates."""
        expanded = self._expanded(term, {})
        _check_levels(expanded)
        return expanded

    def _expanded(self, term: Term, given: Given) -> Term:
        """Return a term without predicates, its parameters replaced by what is given for them."""
        if self.level > MOST_LEVELS:
            raise too_deep(term.span, _TOO_DEEP)
        if next(self.terms) > MOST_TERMS:
            message = f"with its abbreviations replaced, this has more than {MOST_TERMS:,} terms"
            raise too_large(message, term.span, _TOO_DEEP)
        match term:
            case Constant():
                return term
            case Name(name):
                return given.get(name, term)
            case Member(part, name, span):
                return Member(_variable(given.get(part.name, part), part), name, span)
            case Operation(function, arguments) if function in self.definitions.predicates:
                return self._applied(term, tuple(self._deeper()._expanded(one, given) for one in arguments))
            case Operation(arguments=arguments):
                return replace(term, arguments=tuple(self._deeper()._expanded(one, given) for one in arguments))

    def event(self, pattern: EventPattern) -> EventPattern:
        """Return a pattern of a template, without named patterns and predicates."""
        conditions = tuple(map(self.term, pattern.conditions))
        known = self.definitions.patterns.get(pattern.type.name)
        if known is None:
            if pattern.arguments is not None:
                raise _no_pattern(pattern, self.definitions)
            return replace(pattern, conditions=conditions)
        self._check_cycle(known)
        given = _given(known, pattern.arguments or (), pattern)
        inner = replace(self, within=(*self.within, known.name.name))
        arguments = None if known.arguments is None else tuple(inner._expanded(one, given) for one in known.arguments)
        own = tuple(inner._expanded(condition, given) for condition in known.conditions)
        below = inner.event(EventPattern(pattern.variable, known.type, arguments, (), pattern.span))
        return replace(below, conditions=(*below.conditions, *own, *conditions))

    def _applied(self, call: Operation, arguments: tuple[Term, ...]) -> Term:
        predicate = self.definitions.predicates[call.function]
        self._check_cycle(predicate)
        _check_names(predicate)
        given = _given(predicate, arguments, call)
        inner = replace(self._deeper(), within=(*self.within, call.function))
        return inner._expanded(predicate.body, given)

    def _deeper(self) -> "Expansion":
        return replace(self, level=self.level + 1)

    def _check_cycle(self, definition: PredicateText | PatternText) -> None:
        name = definition.name.name
        if name in self.within:
            path = " -> ".join([*self.within[self.within.index(name) :], name])
            message, label = f"`{name}` is defined by itself: {path}", "this never ends"
            raise refusal(
                "recursive-definition", message, definition.name.span, label, f"define `{name}` without itself"
            )


def check_definitions(definitions: Definitions) -> None:
    """Raise for a predicate or pattern that is wrong, even where nothing uses it."""
    expansion = Expansion(definitions)
    for predicate in definitions.predicates.values():
        _check_names(predicate)
        replace(expansion, within=(predicate.name.name,)).term(predicate.body)
    for pattern in definitions.patterns.values():
        given = tuple(pattern.parameters)
        expansion.event(EventPattern(pattern.name, pattern.name, given, (), pattern.span))


def _check_levels(term: Term) -> None:
    """Raise where a term has too many levels; this one goes down without nesting itself."""
    level = [term]
    for _ in range(MOST_LEVELS):
        level = [one for above in level if isinstance(above, Operation) for one in above.arguments]
    if level:
        raise too_deep(level[0].span, _TOO_DEEP)


def _variable(given: Term, parameter: Name) -> Name:
    """Return the variable that is given for a parameter whose attributes are read."""
    if isinstance(given, Name):
        return given
    message = f"`{parameter.name}` stands for an event, and here it is given a value"
    others = (Label(parameter.span, "its attribute is read here"),)
    hint = "give it a variable of the rule, for example `incoming`"
    raise refusal("unbound-variable", message, given.span, "not a variable", hint, others=others)


def _given(definition: PredicateText | PatternText, arguments: Sequence[Term], use: Operation | EventPattern) -> Given:
    parameters = [name.name for name in definition.parameters]
    if len(arguments) == len(parameters):
        return dict(zip(parameters, arguments, strict=True))
    name, wanted = definition.name.name, len(parameters)
    counted = {0: "no arguments", 1: "one argument"}.get(wanted, f"{wanted} arguments")
    shown = f"{name}({', '.join(parameters)})" if parameters else name
    span = use.span if isinstance(use, Operation) else use.type.span
    label = f"{len(arguments)} given here"
    hint = f"write it like this: `{shown}`"
    raise refusal("argument-count", f"`{name}` takes {counted}", span, label, hint)


def _check_names(predicate: PredicateText) -> None:
    """Raise for a name in a predicate that is no parameter of it."""
    known = [name.name for name in predicate.parameters]
    for name in _names(predicate.body):
        if name.name not in known:
            message = f"`{name.name}` means nothing in the predicate `{predicate.name.name}`"
            with_it = f"predicate {predicate.name.name}({name.name}) = {name.name} > 0"
            hint = f"its parameters are {listed(known)}" if known else f"make it a parameter: `{with_it}`"
            raise refusal("unbound-variable", message, name.span, "not one of its parameters", hint)


def _names(term: Term) -> list[Name]:
    match term:
        case Name():
            return [term]
        case Member(part):
            return [part]
        case Operation(arguments=arguments):
            return [name for argument in arguments for name in _names(argument)]
        case _:
            return []


def _no_pattern(pattern: EventPattern, definitions: Definitions) -> CepheidError:
    name = pattern.type.name
    if name in definitions.templates:
        message, label = f"`{name}` is a template and takes no arguments", "not a named pattern"
        return refusal("argument-count", message, pattern.type.span, label, f"write `{pattern.variable.name} : {name}`")
    message, label = f"no pattern is called `{name}`", "not defined"
    known = listed(definitions.patterns)
    hint = f"the patterns are {known}" if known else f"define it: `pattern {name}(least) : T {{ amount >= least }}`"
    return refusal("unknown-template", message, pattern.type.span, label, hint)
