"""The table of ETALIS: from the intervals of its sides to the intervals of an operator, one per derivation."""

from collections.abc import Callable, Mapping, Sequence

Interval = tuple[int, int]
Operator = Callable[[int, int, int, int], Interval | None]


def _sequence(p1: int, p2: int, q1: int, q2: int) -> Interval | None:
    return (p1, q2) if p2 < q1 else None


def _conjunction(p1: int, p2: int, q1: int, q2: int) -> Interval | None:
    return (min(p1, q1), max(p2, q2))


def _parallel(p1: int, p2: int, q1: int, q2: int) -> Interval | None:
    return (min(p1, q1), max(p2, q2)) if max(p1, q1) < min(p2, q2) else None


def _equals(p1: int, p2: int, q1: int, q2: int) -> Interval | None:
    return (p1, p2) if (p1, p2) == (q1, q2) else None


def _meets(p1: int, p2: int, q1: int, q2: int) -> Interval | None:
    return (p1, q2) if p2 == q1 else None


def _during(p1: int, p2: int, q1: int, q2: int) -> Interval | None:
    return (q1, q2) if q1 < p1 <= p2 < q2 else None


def _starts(p1: int, p2: int, q1: int, q2: int) -> Interval | None:
    return (p1, q2) if p1 == q1 and p2 < q2 else None


def _finishes(p1: int, p2: int, q1: int, q2: int) -> Interval | None:
    return (q1, q2) if p2 == q2 and q1 < p1 else None


OPERATORS: Mapping[str, Operator] = {
    "SEQ": _sequence,
    "AND": _conjunction,
    "PAR": _parallel,
    "EQUALS": _equals,
    "MEETS": _meets,
    "DURING": _during,
    "STARTS": _starts,
    "FINISHES": _finishes,
}


def combine(operator: str, some: Sequence[Interval], others: Sequence[Interval]) -> list[Interval]:
    """Return the intervals of `some OPERATOR others`."""
    found = [OPERATORS[operator](*one, *other) for one in some for other in others]
    return [interval for interval in found if interval is not None]


def without_between(absent: Sequence[Interval], some: Sequence[Interval], others: Sequence[Interval]) -> list[Interval]:
    """Return the intervals of `NOT(absent).[some, others]`."""
    return [
        (p1, r2)
        for p1, p2 in some
        for r1, r2 in others
        if p2 < r1 and not any(p2 < q1 and q2 < r1 for q1, q2 in absent)
    ]


def limited(some: Sequence[Interval], longest: int) -> list[Interval]:
    """Return the intervals of `(some).longest`."""
    return [(first, last) for first, last in some if last - first <= longest]
