"""The definition that runs: what a program means over a finite history.

Rules are evaluated group by group, each after the rules that feed it; every match is an event for the rules above.
A group that feeds itself means its least fixpoint. What a pattern means stands in `pattern_semantics`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from cepheid.algebra.choices import key_under
from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance, of_event, scope_of
from cepheid.algebra.json_form import fingerprint
from cepheid.algebra.matches import Match, match_id
from cepheid.algebra.pattern_semantics import instances, occurrences
from cepheid.algebra.programs import EVENT, Program, Rule, Table
from cepheid.algebra.strata import feeds_itself, strata
from cepheid.algebra.traversal import event_types
from cepheid.events import Event, EventId, sort_events, values

__all__ = ["instances", "matches"]

Tables = Mapping[str, Table]
Found = dict[str, list[Match]]


def matches(program: Program, events: Iterable[Event]) -> list[Match]:
    """Return every match of every rule, ordered by end, start and id."""
    inputs = sort_events(events)
    places = {event.id: place for place, event in enumerate(inputs)}
    found: Found = {}
    derived: list[Event] = []
    for group in strata(program.rules):
        found |= _group(group, inputs, derived, places, program.tables)
        derived += [event for rule in group for event in _emitted(rule, found[rule.name])]
    every = [match for rule in program.rules for match in found[rule.name]]
    return sorted(every, key=lambda match: (match.end, match.start, match.id))


def _group(
    group: Sequence[Rule], inputs: list[Event], below: list[Event], places: Mapping[EventId, int], tables: Tables
) -> Found:
    """Return the matches of rules that may feed each other: apply them until nothing new comes."""
    found: Found = {rule.name: [] for rule in group}
    while True:
        own = [event for rule in group for event in _emitted(rule, found[rule.name])]
        stream = [*inputs, *below, *own]
        again = {rule.name: _rule(rule, stream, places, tables) for rule in group}
        if not feeds_itself(group) or _ids(again) == _ids(found):
            return again
        found = again


def _ids(found: Found) -> list[str]:
    return [match.id for some in found.values() for match in some]


def _emitted(rule: Rule, some: Iterable[Match]) -> list[Event]:
    return [
        Event(rule.emits, match.start, match.end, match.id, match.values, derived=True, support=match.evidence)
        for match in some
    ]


def _rule(rule: Rule, events: Sequence[Event], places: Mapping[EventId, int], tables: Tables) -> list[Match]:
    types = event_types(rule.pattern)
    seen = sort_events(event for event in events if not event.derived or event.type in types)
    found = [
        (instance, history)
        for history in _partitions(rule, seen, tables)
        for instance in occurrences(rule.pattern, history)
    ]
    ranked = sorted(found, key=lambda entry: entry[0].rank)
    return _reported(rule, [instance for instance, _ in ranked], places, tables)


def _partitions(rule: Rule, events: Sequence[Event], tables: Tables) -> list[History]:
    """Return what the rule sees, one history per key; an event without a key is in none."""
    by_key: dict[object, list[Event]] = {}
    for event in events:
        key = key_under(rule.per, Scope({EVENT: of_event(event, 0)}, tables=tables))
        if key is not None:
            by_key.setdefault(key, []).append(event)
    return [History(some, tables) for some in by_key.values()]


def _reported(rule: Rule, found: Iterable[Instance], places: Mapping[EventId, int], tables: Tables) -> list[Match]:
    version = fingerprint(rule)
    alike: Counter[object] = Counter()
    reported = []
    for instance in found:
        scope = scope_of(instance, tables, pattern=instance)
        start, end = evaluate(rule.start, scope), evaluate(rule.end, scope)
        if not isinstance(start, int) or not isinstance(end, int) or start > end:
            continue
        fields = {name: evaluate(value, scope) for name, value in rule.fields.items()}
        same = (start, end, values.key_of(fields), instance.identity)
        name = match_id(version, start, end, fields, instance.identity, alike[same])
        alike[same] += 1
        evidence = tuple(sorted(instance.support, key=places.__getitem__))
        reported.append(Match(rule.name, start, end, fields, evidence, name))
    return reported
