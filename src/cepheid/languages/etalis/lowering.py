"""From the statements of a text to a program: rules that derive events, tables of what is known."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.expressions import Field, Moment
from cepheid.algebra.programs import HULL, Program, Rule, Table
from cepheid.algebra.relations import end, start
from cepheid.diagnostics import CepheidError, Label, Source
from cepheid.languages.etalis.cycles import check_cycles
from cepheid.languages.etalis.definitions import Definitions, EventRule, definitions_of
from cepheid.languages.etalis.given_rows import Rows, undeclared
from cepheid.languages.etalis.meaning import Knowledge
from cepheid.languages.etalis.patterns import PatternLowering
from cepheid.languages.etalis.policies import UNRESTRICTED, Consumption, consumption_named, consumption_of
from cepheid.languages.etalis.repetitions import repeating_of
from cepheid.languages.etalis.streams import streams_of
from cepheid.languages.etalis.syntax import Statement, TableText
from cepheid.languages.etalis.tables import tables_of
from cepheid.languages.shared.files import Resolve
from cepheid.languages.shared.findings import refusal


@dataclass(frozen=True, slots=True)
class Meant:
    """A program, and what the variables of each rule are called in its text."""

    program: Program
    variables: Mapping[str, Mapping[Field, str]]


def lower(
    statements: Sequence[Statement],
    source: Source,
    policy: str | None,
    given: Mapping[str, Rows],
    resolve: Resolve | None,
) -> Meant:
    """Return the program that statements mean; a `policy` of the caller comes before that of the text."""
    declared = [one.predicate.name for one in statements if isinstance(one, TableText)]
    definitions = definitions_of((*undeclared(given, declared), *statements))
    if not definitions.rules:
        raise _no_rule(source)
    _check_labels(definitions.rules)
    usual = _usual(definitions, policy)
    chosen = [_policy_of(rule, usual, definitions) for rule in definitions.rules]
    check_cycles([(rule.text, each) for rule, each in zip(definitions.rules, chosen, strict=True)])
    knowledge = Knowledge(tables_of(definitions, given, resolve))
    names: dict[str, Mapping[Field, str]] = {}
    rules = tuple(
        _rule(rule, each, definitions, knowledge, names) for rule, each in zip(definitions.rules, chosen, strict=True)
    )
    tables = _in_order(knowledge.tables)
    return Meant(Program(rules, streams_of(statements), tables=tables, tick=definitions.tick), names)


def _usual(definitions: Definitions, policy: str | None) -> Consumption:
    if policy is not None:
        return consumption_named(policy)
    return UNRESTRICTED if definitions.policy is None else consumption_of(definitions.policy, definitions.attributes)


def _policy_of(rule: EventRule, usual: Consumption, definitions: Definitions) -> Consumption:
    own = rule.text.policy
    return usual if own is None else consumption_of(own, definitions.attributes)


def _rule(
    rule: EventRule,
    consumption: Consumption,
    definitions: Definitions,
    knowledge: Knowledge,
    names: dict[str, Mapping[Field, str]],
) -> Rule:
    """Return a rule, and note what its variables are called."""
    text, background = rule.text, definitions.background
    lowering = PatternLowering(definitions, consumption, knowledge, repeating_of(text, knowledge, background))
    found = lowering.lowered(text.pattern)
    names[rule.name] = lowering.written
    predicate = text.head.predicate.name
    meaning = lowering.meaning(found, "unbound-variable", "the pattern of this rule")
    for one in found.asked:
        meaning.of(one.term)  # which says what is not bound
    values = [meaning.of(argument) for argument in text.head.arguments]
    fields = dict(zip(definitions.attributes[predicate], values, strict=True))
    return Rule(rule.name, found.pattern, predicate, Moment(start(HULL)), Moment(end(HULL)), fields)


def _in_order(tables: Mapping[str, Table]) -> dict[str, Table]:
    return {name: tables[name] for name in sorted(tables)}


def _check_labels(rules: Sequence[EventRule]) -> None:
    first: dict[str, EventRule] = {}
    for rule in rules:
        known = first.setdefault(rule.name, rule)
        if known is not rule:
            spans = [one.text.head.span if one.text.label is None else one.text.label.span for one in (known, rule)]
            others = (Label(spans[0], "the first one"),)
            message, hint = f"two rules are called `{rule.name}`", f"call one of them `{rule.name}2`"
            raise refusal("duplicate-rule", message, spans[1], "the same name again", hint, others=others)


def _no_rule(source: Source) -> CepheidError:
    message, label = "nothing here derives an event", "a rule is missing"
    return refusal("no-rule", message, source.end, label, "write one: `pair(X) <- a(X) SEQ b(X).`")
