"""The definition that runs: what a program means over a finite history.

Rules are evaluated group by group, each after the rules that feed it; every match is an event for the rules above.
A group that feeds itself means its least fixpoint. What a pattern means stands in `pattern_semantics`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.arrivals import ordered
from cepheid.algebra.choices import key_under
from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.history import History
from cepheid.algebra.instances import Ground, Instance, of_event, scope_of
from cepheid.algebra.json_form import fingerprint
from cepheid.algebra.match_ids import event_ids, match_id
from cepheid.algebra.matches import Match
from cepheid.algebra.pattern_semantics import instances, occurrences
from cepheid.algebra.programs import EVENT, Program, Rule, Table
from cepheid.algebra.strata import feeds_itself, strata
from cepheid.algebra.traversal import event_types
from cepheid.events import (
    Event,
    EventId,
    Value,
    are_times,
    derived_order,
    first_arrival,
    last_arrival,
    sort_events,
    values,
)

__all__ = ["instances", "matches"]

Found = dict[str, list[tuple[Match, Instance]]]


@dataclass(frozen=True, slots=True)
class _Input:
    """What all rules of a program have in common."""

    events: Sequence[Event]
    tables: Mapping[str, Table]
    horizon: int | None
    versions: Mapping[str, str]


def matches(program: Program, events: Iterable[Event], *, written: Program | None = None) -> list[Match]:
    """Return every match of every rule, ordered by end, start and id.

    `written` is the program before it was rewritten, if it was: its matches have the same ids.
    """
    every = [match for some in _found(program, events, written or program).values() for match, _ in some]
    return sorted(every, key=lambda match: (match.end, match.start, match.id))


def derived(program: Program, events: Iterable[Event]) -> list[Event]:
    """Return the event that every match of every rule is, in the total order."""
    found, rules = _found(program, events, program), program.rules
    return sort_events(event for event, _ in _emitted(rules, found))


def _found(program: Program, events: Iterable[Event], written: Program) -> Found:
    inputs, versions = sort_events(events), {rule.name: fingerprint(rule) for rule in written.rules}
    given = _Input(inputs, program.tables, max((event.end for event in inputs), default=None), versions)
    program = ordered(program)
    found: Found = {}
    for group in strata(program.rules):
        found |= _group(group, given, found, program.rules)
    return found


def _emitted(rules: Sequence[Rule], found: Found) -> list[tuple[Event, Instance]]:
    return [
        (emitted(rule, match, number, instance), instance)
        for number, rule in enumerate(rules)
        for match, instance in found.get(rule.name, ())
    ]


def _group(group: Sequence[Rule], given: _Input, below: Found, rules: Sequence[Rule]) -> Found:
    """Return the matches of rules that may feed each other: apply them until nothing new comes."""
    found: Found = {rule.name: [] for rule in group}
    while True:
        seen = {**below, **found}
        again = {rule.name: _rule(rule, given, seen, rules) for rule in group}
        if not feeds_itself(group) or _ids(again) == _ids(found):
            return again
        found = again


def _ids(found: Found) -> list[str]:
    return [match.id for some in found.values() for match, _ in some]


def _rule(rule: Rule, given: _Input, found: Found, rules: Sequence[Rule]) -> list[tuple[Match, Instance]]:
    types = event_types(rule.pattern)
    below = [(event, instance) for event, instance in _emitted(rules, found) if event.type in types]
    grounds: dict[EventId, frozenset[Ground]] = {event.id: instance.rests_on for event, instance in below}
    seen = sort_events([*given.events, *(event for event, _ in below)])
    whole = History(seen, given.tables, grounds, given.horizon)
    every = [one for history in _partitions(rule, whole) for one in occurrences(rule.pattern, history)]
    return _reported(rule, sorted(every, key=lambda one: one.rank), given)


def emitted(rule: Rule, match: Match, number: int, instance: Instance) -> Event:
    """Return the event that a match of `rule` is; the rule is written as the one of that number.

    It begins and ends with the arrivals that the match does, or where it is dated otherwise, with those of its own.
    """
    keys = [key for key, _ in instance.rests_on]
    first = instance.first if match.start == instance.start else first_arrival(match.start, keys)
    last = instance.last if match.end == instance.end else last_arrival(match.end, keys)
    order = derived_order(number, last, (match.start, match.id), match.values.values(), keys)
    lies = (match.start, match.end, match.id)
    return Event(rule.emits, *lies, match.values, (), True, match.evidence, None, order, first)


def _partitions(rule: Rule, whole: History) -> list[History]:
    """Return what the rule sees, one history per key; an event without a key is in none."""
    by_key: dict[object, list[Event]] = {}
    for event in whole.events:
        key = key_under(rule.per, Scope({EVENT: of_event(event, 0)}, tables=whole.tables))
        if key is not None:
            by_key.setdefault(key, []).append(event)
    if not rule.per:
        return [whole]
    return [replace(whole, events=some) for some in by_key.values()]


def _reported(rule: Rule, found: Iterable[Instance], given: _Input) -> list[tuple[Match, Instance]]:
    alike: Counter[object] = Counter()
    reported = []
    for instance in found:
        told = reading(rule, instance, given.tables)
        if told is not None:
            start, end, fields = told
            same = (start, end, values.key_of(fields), event_ids(instance.identity))
            name = match_id(given.versions[rule.name], start, end, fields, instance.identity, alike[same])
            alike[same] += 1
            reported.append((Match(rule.name, start, end, fields, instance.evidence, name), instance))
    return reported


def reading(rule: Rule, instance: Instance, tables: Mapping[str, Table]) -> tuple[int, int, dict[str, Value]] | None:
    """Return start, end and fields of the event that an instance of the rule's pattern makes, None if it makes none."""
    scope = scope_of(instance, tables, pattern=instance)
    start, end = evaluate(rule.start, scope), evaluate(rule.end, scope)
    if type(start) is not int or type(end) is not int or not are_times(start, end):  # a boolean is no time
        return None
    return start, end, {name: evaluate(value, scope) for name, value in rule.fields.items()}
