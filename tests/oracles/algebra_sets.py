"""The algebra without restriction: a term means a set of instances, an instance is a set of occurrences."""

from collections.abc import Iterable
from itertools import product
from typing import TypeAlias

from cepheid.events import Event, EventId
from tests.oracles.algebra_terms import (
    Conjunction,
    Disjunction,
    Negation,
    Primitive,
    Sequence,
    Term,
    Within,
)

Occurrence: TypeAlias = tuple[int, EventId]
Occurrences: TypeAlias = frozenset[Occurrence]


def first(instance: Occurrences) -> int:
    return min(time for time, _ in instance)


def last(instance: Occurrences) -> int:
    return max(time for time, _ in instance)


def meaning(term: Term, trace: Iterable[Event]) -> set[Occurrences]:
    """Return the stream of `term` over point events."""
    events = list(trace)
    match term:
        case Primitive(name):
            return {frozenset({(event.end, event.id)}) for event in events if event.type == name}
        case Disjunction(left, right):
            return meaning(left, events) | meaning(right, events)
        case Conjunction(left, right):
            return {s | t for s, t in product(meaning(left, events), meaning(right, events))}
        case Negation(left, right):
            return {s for s in meaning(left, events) if not any(_inside(t, s) for t in meaning(right, events))}
        case Sequence(left, right):
            return {s | t for s, t in product(meaning(left, events), meaning(right, events)) if last(s) < first(t)}
        case Within(inner, longest):
            return {s for s in meaning(inner, events) if last(s) - first(s) <= longest}


def _inside(inner: Occurrences, outer: Occurrences) -> bool:
    return first(outer) <= first(inner) and last(inner) <= last(outer)
