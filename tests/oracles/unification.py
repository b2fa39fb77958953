"""What rules with variables derive: every way to find a pattern is an interval and what its variables stand for.

Two ways can be combined where they agree on the variables that both have; what is not known agrees with nothing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from tests.oracles.interval_operators import OPERATORS

Value = int | None
Values = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that happened: an interval, and the value it is about."""

    kind: str
    start: int
    end: int
    value: Value


@dataclass(frozen=True, slots=True)
class Way:
    """One way to find a pattern."""

    start: int
    end: int
    values: Values


def atoms(kind: str, argument: str | int | None, history: Iterable[Fact]) -> list[Way]:
    """Return the ways to find `kind(argument)`: a variable, a number, or None for anything."""
    found = [fact for fact in history if fact.kind == kind]
    if isinstance(argument, str):
        return [Way(fact.start, fact.end, {argument: fact.value}) for fact in found]
    return [Way(fact.start, fact.end, {}) for fact in found if argument is None or fact.value == argument]


def joined(operator: str, lefts: Sequence[Way], rights: Sequence[Way]) -> list[Way]:
    """Return the ways to find both sides of an operator."""
    found = []
    for left in lefts:
        for right in rights:
            interval = OPERATORS[operator](left.start, left.end, right.start, right.end)
            if interval is not None and agree(left.values, right.values):
                found.append(Way(*interval, {**right.values, **left.values}))
    return found


def either(lefts: Sequence[Way], rights: Sequence[Way], bound: Iterable[str]) -> list[Way]:
    """Return the ways to find one of two; outside, only the variables count that both bind."""
    names = list(bound)
    return [Way(way.start, way.end, {name: way.values[name] for name in names}) for way in (*lefts, *rights)]


def without_between(absent: Sequence[Way], firsts: Sequence[Way], lasts: Sequence[Way]) -> list[Way]:
    """Return the ways to find a first and a last with nothing absent after the one and before the other."""
    found = []
    for first in firsts:
        for last in lasts:
            if first.end < last.start and agree(first.values, last.values):
                values = {**last.values, **first.values}
                between = (way for way in absent if first.end < way.start and way.end < last.start)
                if not any(agree(values, way.values) for way in between):
                    found.append(Way(first.start, last.end, values))
    return found


def kept(ways: Sequence[Way], condition: Callable[[Way], bool]) -> list[Way]:
    return [way for way in ways if condition(way)]


def agree(some: Values, others: Values) -> bool:
    """Do both give the same value, one that is known, to every variable that both have?"""
    return all(some[name] is not None and some[name] == others[name] for name in some if name in others)
