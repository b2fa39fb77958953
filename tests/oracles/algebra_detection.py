"""The published detection algorithm of the algebra: one instance per term and instant, with its small state.

Names are those of the paper: `l` and `r` are stored instances, `t` a stored start time, `q` a queue of instances.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from cepheid.events import Event
from tests.oracles.algebra_sets import Occurrence, Occurrences, first, last
from tests.oracles.algebra_terms import (
    Conjunction,
    Disjunction,
    Negation,
    Primitive,
    Sequence,
    Term,
    Within,
)

NONE: Occurrences = frozenset()
Now = Mapping[str, Occurrence]


def _start(instance: Occurrences) -> int:
    return first(instance) if instance else -1


class Detector(Protocol):
    """Something that says, instant by instant, which instance of its term ends now."""

    def step(self, now: Now) -> Occurrences: ...


def detected(term: Term, trace: Iterable[Event]) -> list[Occurrences]:
    """Return the instance found at each instant; of events of one type and instant the last stands for all."""
    instants: dict[int, dict[str, Occurrence]] = {}
    for event in trace:
        instants.setdefault(event.end, {})[event.type] = (event.end, event.id)
    detector = detector_of(term)
    found = [detector.step(instants[time]) for time in sorted(instants)]
    return [instance for instance in found if instance]


def detector_of(term: Term) -> Detector:
    match term:
        case Primitive(name):
            return _Primitive(name)
        case Disjunction(left, right):
            return _Disjunction(detector_of(left), detector_of(right))
        case Conjunction(left, right):
            return _Conjunction(detector_of(left), detector_of(right))
        case Negation(left, right):
            return _Negation(detector_of(left), detector_of(right))
        case Sequence(left, right):
            return _Sequence(detector_of(left), detector_of(right))
        case Within(inner, longest):
            return _Within(detector_of(inner), longest)


@dataclass
class _Primitive:
    name: str

    def step(self, now: Now) -> Occurrences:
        return frozenset({now[self.name]}) if self.name in now else NONE


@dataclass
class _Disjunction:
    left: Detector
    right: Detector

    def step(self, now: Now) -> Occurrences:
        a_j, a_k = self.left.step(now), self.right.step(now)
        return a_k if _start(a_j) <= _start(a_k) else a_j


@dataclass
class _Conjunction:
    left: Detector
    right: Detector
    l: Occurrences = NONE  # noqa: E741  # the paper's name
    r: Occurrences = NONE

    def step(self, now: Now) -> Occurrences:
        a_j, a_k = self.left.step(now), self.right.step(now)
        if _start(self.l) < _start(a_j):
            self.l = a_j
        if _start(self.r) < _start(a_k):
            self.r = a_k
        if not self.l or not self.r or not (a_j or a_k):
            return NONE
        return a_j | self.r if _start(a_k) <= _start(a_j) else self.l | a_k


@dataclass
class _Negation:
    left: Detector
    right: Detector
    t: int = -1

    def step(self, now: Now) -> Occurrences:
        a_j, a_k = self.left.step(now), self.right.step(now)
        self.t = max(self.t, _start(a_k))
        return a_j if self.t < _start(a_j) else NONE


@dataclass
class _Sequence:
    left: Detector
    right: Detector
    q: list[Occurrences] = field(default_factory=list)
    t: int = -1

    def step(self, now: Now) -> Occurrences:
        a_j, a_k = self.left.step(now), self.right.step(now)
        earlier = [e for e in self.q if a_k and last(e) < first(a_k)]
        result = max(earlier, key=first) | a_k if earlier else NONE
        if self.t < _start(a_j):
            self.q.append(a_j)
            self.t = _start(a_j)
        return result


@dataclass
class _Within:
    inner: Detector
    longest: int

    def step(self, now: Now) -> Occurrences:
        a_j = self.inner.step(now)
        return a_j if a_j and last(a_j) - first(a_j) <= self.longest else NONE
