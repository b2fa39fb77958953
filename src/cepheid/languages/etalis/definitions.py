"""What a text defines: events with their attributes, background knowledge, rules with their names.

A predicate is background knowledge if there are facts or a table of it, or if it follows from background knowledge
alone; otherwise it is a kind of event.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from cepheid.diagnostics import CepheidError, Label
from cepheid.languages.etalis.arities import arities_of
from cepheid.languages.etalis.roles import check_roles
from cepheid.languages.etalis.syntax import (
    AtomText,
    EventText,
    Fact,
    PolicyText,
    RuleText,
    Statement,
    TableText,
    Tick,
)
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.terms import Name


@dataclass(frozen=True, slots=True)
class EventRule:
    """A rule that derives events, with the name it has among all rules."""

    name: str
    text: RuleText


@dataclass(frozen=True, slots=True)
class Definitions:
    """What the statements of a text define; `attributes` are those of every event, in the order of its arguments."""

    rules: tuple[EventRule, ...]
    attributes: Mapping[str, tuple[str, ...]]
    facts: tuple[Fact, ...]
    clauses: tuple[RuleText, ...]
    tables: Mapping[str, TableText]
    arities: Mapping[str, int]
    background: frozenset[str]
    policy: PolicyText | None
    tick: int


def definitions_of(statements: Sequence[Statement]) -> Definitions:
    """Return what statements define, or raise where they contradict each other."""
    rules = [one for one in statements if isinstance(one, RuleText)]
    tables = _unique([one for one in statements if isinstance(one, TableText)])
    declared = _unique([one for one in statements if isinstance(one, EventText)])
    for event in declared.values():
        _check_names(event.attributes)
    for table in tables.values():
        _check_names([column.name for column in table.columns])
    background = background_of(statements)
    check_roles(rules, declared.values(), background)
    arities = arities_of(statements, background)
    policy = _only([one for one in statements if isinstance(one, PolicyText)])
    tick = _only([one for one in statements if isinstance(one, Tick)])
    return Definitions(
        tuple(_named([rule for rule in rules if rule.head.predicate.name not in background])),
        {name: _attributes(name, count, declared) for name, count in arities.items() if name not in background},
        tuple(one for one in statements if isinstance(one, Fact)),
        tuple(rule for rule in rules if rule.head.predicate.name in background),
        tables,
        arities,
        background,
        policy,
        1 if tick is None else tick.length,
    )


def goals_of(rule: RuleText) -> list[AtomText]:
    """Return the atoms that a rule about background knowledge asks for."""
    return [goal for goal in (rule.pattern, *rule.goals) if isinstance(goal, AtomText)]


Declared = TypeVar("Declared", EventText, TableText)
Single = TypeVar("Single", PolicyText, Tick)


def _unique(declarations: Sequence[Declared]) -> dict[str, Declared]:
    found: dict[str, Declared] = {}
    for one in declarations:
        first = found.setdefault(one.predicate.name, one)
        if first is not one:
            raise _twice(f"`{one.predicate.name}`", first.predicate, one.predicate)
    return found


def _only(declarations: Sequence[Single]) -> Single | None:
    for one in declarations[1:]:
        word = one.span.text.split()[0]
        raise _twice(f"the {word}", Name(word, declarations[0].span), Name(word, one.span))
    return declarations[0] if declarations else None


def _check_names(names: Sequence[Name]) -> None:
    first: dict[str, Name] = {}
    for name in names:
        known = first.setdefault(name.name, name)
        if known is not name:
            others = (Label(known.span, "the first one"),)
            message, hint = f"two attributes are called `{name.name}`", f"call one of them `{name.name}2`"
            raise refusal("duplicate-slot", message, name.span, "the same name again", hint, others=others)


def _twice(what: str, first: Name, second: Name) -> CepheidError:
    others = (Label(first.span, "first declared here"),)
    message, hint = f"{what} is declared twice", "leave one of the two out"
    return refusal("bad-declaration", message, second.span, "declared again", hint, others=others)


def background_of(statements: Sequence[Statement]) -> frozenset[str]:
    """Return the predicates that are known from the start or follow from such ones alone."""
    found = {one.head.predicate.name for one in statements if isinstance(one, Fact)}
    found |= {one.predicate.name for one in statements if isinstance(one, TableText)}
    rules = [one for one in statements if isinstance(one, RuleText)]
    while True:
        more = {rule.head.predicate.name for rule in rules if _follows(rule, found)} - found
        if not more:
            return frozenset(found)
        found |= more


def _follows(rule: RuleText, background: set[str]) -> bool:
    asked = {goal.predicate.name for goal in goals_of(rule)}
    known = asked & background
    return isinstance(rule.pattern, AtomText) and bool(known) and asked <= known | {rule.head.predicate.name}


def _named(rules: Sequence[RuleText]) -> Iterator[EventRule]:
    """Yield the rules with their names: the label, else the head's, numbered where there are several."""
    seen: Counter[str] = Counter()
    for rule in rules:
        name = rule.head.predicate.name if rule.label is None else rule.label.name
        if rule.label is None:
            seen[name] += 1
            name = name if seen[name] == 1 else f"{name}#{seen[name]}"
        yield EventRule(name, rule)


def _attributes(name: str, count: int, declared: Mapping[str, EventText]) -> tuple[str, ...]:
    if name in declared:
        return tuple(attribute.name for attribute in declared[name].attributes)
    return tuple(f"arg{number}" for number in range(1, count + 1))
