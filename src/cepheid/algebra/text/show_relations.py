"""Differences of endpoints as text, by the name of the relation where they have one.

a then b      a overlaps b      1 <= start(b) - end(a) <= 5 s      within 5 s      within 10 records
"""

from collections.abc import Callable, Iterator
from itertools import permutations
from typing import Final, TypeAlias

from cepheid.algebra.intervals import INTERVALS
from cepheid.algebra.relations import Axis, Difference, Relation, Ticks, length
from cepheid.algebra.text.show_expressions import shown_endpoint
from cepheid.algebra.text.words import shown_name, shown_ticks

Window: TypeAlias = Callable[[Ticks, Axis], Relation]
"""What `within` means in a construct."""

_BY_LENGTH: Final = sorted(INTERVALS, key=lambda name: -len(INTERVALS[name]("$0", "$1")))


def window_of(first: str, last: str) -> Window:
    """Return the window from the start of one part to the end of another."""
    return lambda longest, axis: (length(first, last, longest, axis),)


def shown_difference(difference: Difference) -> str:
    """Return one difference with its bounds; without any it is only named."""
    distance = f"{shown_endpoint(difference.later)} - {shown_endpoint(difference.earlier)}"
    axes = (difference.later.axis, difference.earlier.axis)
    bound = shown_ticks if axes == (Axis.TIME, Axis.TIME) else str
    match difference.low, difference.high:
        case None, None:
            return distance
        case int() as low, None:
            return f"{distance} >= {bound(low)}"
        case None, int() as high:
            return f"{distance} <= {bound(high)}"
        case int() as low, int() as high:
            return f"{distance} == {bound(low)}" if low == high else f"{bound(low)} <= {distance} <= {bound(high)}"
    raise TypeError(f"not bounds: {difference!r}")


def shown_relation(relation: Relation) -> str:
    """Return differences one after the other, `none` where there are none."""
    return ", ".join(_named(relation)) or "none"


def relation_clauses(relation: Relation, window: Window | None, word: str = "relation") -> list[str]:
    """Return the clauses that say a relation, in its order: windows as `within`, all else after `word`."""
    clauses: list[str] = []
    others: list[Difference] = []
    while relation:
        shown, count = _window_at_front(relation, window) if window else ("", 0)
        if count:
            clauses += [*_clause(word, others), shown]
            others = []
        else:
            others.append(relation[0])
        relation = relation[count or 1 :]
    return clauses + _clause(word, others)


def _clause(word: str, differences: list[Difference]) -> list[str]:
    return [f"{word} {shown_relation(tuple(differences))}"] if differences else []


def _window_at_front(relation: Relation, window: Window) -> tuple[str, int]:
    """Return the window that a relation starts with and how many differences it takes; none where it does not."""
    longest, axis = relation[0].high, relation[0].later.axis
    block = () if longest is None else window(longest, axis)
    if longest is None or not block or relation[: len(block)] != block:
        return "", 0
    shown = shown_ticks(longest) if axis is Axis.TIME else f"{longest + 1} records"
    return f"within {shown}", len(block)


def _named(relation: Relation) -> Iterator[str]:
    while relation:
        shown, count = _interval_at_front(relation) or (shown_difference(relation[0]), 1)
        yield shown
        relation = relation[count:]


def _interval_at_front(relation: Relation) -> tuple[str, int] | None:
    """Return the interval relation that a relation starts with, the longest one, and how many differences it takes."""
    parts = dict.fromkeys((relation[0].earlier.part, relation[0].later.part))
    for name in _BY_LENGTH:
        for left, right in permutations(parts, 2):
            block = INTERVALS[name](left, right)
            if relation[: len(block)] == block:
                return f"{shown_name(left)} {name} {shown_name(right)}", len(block)
    return None
