"""Which conditions bound the distance of two endpoints, and how.

    (b.start - a.end) <= "5 s"       b.start - a.end <= 5 s
    (b.start - a.end) <= 5           b.start - a.end <= 5, in the unit of the query
    a.end < b.start                  1 <= b.start - a.end
    b.start.between(a.end, a.end + "5 s")
                                     0 <= b.start - a.end <= 5 s

Both sides are read as sums of endpoints and a constant; what is left must be one endpoint minus another.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace

from cepheid.algebra.builder.times import Bare
from cepheid.algebra.expressions import Call, Expr, Literal, Moment, conjuncts
from cepheid.algebra.relations import Difference, Endpoint, Relation, Ticks

_FLIPPED = {"<": ">", "<=": ">=", "==": "==", ">=": "<=", ">": "<"}


@dataclass(frozen=True, slots=True)
class _Sum:
    """Endpoints, each so many times, and a constant."""

    weights: tuple[tuple[Endpoint, int], ...]
    constant: Ticks

    def plus(self, other: "_Sum", times: int = 1) -> "_Sum":
        weights = Counter(dict(self.weights))
        for endpoint, weight in other.weights:
            weights[endpoint] += weight * times
        kept = tuple((endpoint, weight) for endpoint, weight in weights.items() if weight)
        return _Sum(kept, self.constant + other.constant * times)

    def endpoint(self, weight: int) -> Endpoint | None:
        """Return the endpoint that stands here `weight` times, if there is one."""
        return next((endpoint for endpoint, here in self.weights if here == weight), None)


def relation_of(condition: Expr) -> Relation | None:
    """Return what `condition` says about distances, or None if it says anything else."""
    found = [_difference(part) for part in conjuncts(condition)]
    differences = [difference for difference in found if difference is not None]
    return _merged(differences) if len(differences) == len(found) else None


def _difference(condition: Expr) -> Difference | None:
    match condition:
        case Call(comparison, (left, right)) if comparison in _FLIPPED:
            return _compared(comparison, _sum(left), _sum(right))
        case _:
            return None


def _compared(comparison: str, left: _Sum | None, right: _Sum | None) -> Difference | None:
    if left is None or right is None:
        return None
    distance = left.plus(right, -1)
    if _reads_backwards(comparison, left, right):
        comparison, distance = _FLIPPED[comparison], right.plus(left, -1)
    later, earlier = distance.endpoint(1), distance.endpoint(-1)
    if len(distance.weights) != 2 or later is None or earlier is None or later.axis is not earlier.axis:
        return None
    return _bounded(Difference(later, earlier), comparison, -distance.constant)


def _reads_backwards(comparison: str, left: _Sum, right: _Sum) -> bool:
    """Say whether the later endpoint is the one on the right: `a.end < b.start`, but not `b.start - a.end > 0`."""
    if len(left.weights) == len(right.weights):
        return comparison in ("<", "<=")
    return len(left.weights) < len(right.weights)


def _bounded(distance: Difference, comparison: str, limit: Ticks) -> Difference:
    match comparison:
        case "<":
            return replace(distance, high=limit - 1)
        case "<=":
            return replace(distance, high=limit)
        case ">":
            return replace(distance, low=limit + 1)
        case ">=":
            return replace(distance, low=limit)
        case _:
            return replace(distance, low=limit, high=limit)


def _sum(expression: Expr) -> _Sum | None:
    match expression:
        case Moment(endpoint):
            return _Sum(((endpoint, 1),), 0)
        case Literal(bool()):
            return None
        case Literal(int() as constant):
            return _Sum((), constant)
        case Call("neg", (operand,)):
            return _added(_Sum((), 0), _sum(operand), -1)
        case Call("+" | "-" as operator, (left, right)):
            return _added(_sum(left), _sum(right), 1 if operator == "+" else -1)
        case _:
            return None


def _added(left: _Sum | None, right: _Sum | None, times: int) -> _Sum | None:
    return None if left is None or right is None else left.plus(right, times)


def _merged(differences: Iterable[Difference]) -> Relation:
    """Put the bounds on one distance together, but for those in units that nobody knows yet beside others in ticks."""
    found: list[Difference] = []
    for one in differences:
        at = next((at for at, other in enumerate(found) if _may_merge(one, other)), None)
        if at is None:
            found.append(one)
        else:
            found[at] = _both(found[at], one)
    return tuple(found)


def _may_merge(one: Difference, other: Difference) -> bool:
    pairs = ((one.low, other.low), (one.high, other.high))
    known = all(None in pair or isinstance(pair[0], Bare) is isinstance(pair[1], Bare) for pair in pairs)
    return known and (one.later, one.earlier) == (other.later, other.earlier)


def _both(one: Difference, other: Difference) -> Difference:
    lows = [low for low in (one.low, other.low) if low is not None]
    highs = [high for high in (one.high, other.high) if high is not None]
    return replace(one, low=max(lows, key=_in_order, default=None), high=min(highs, key=_in_order, default=None))


def _in_order(length: Ticks) -> tuple[int, int]:
    """Return what orders lengths, whatever their unit will be: it has at least a tick."""
    return (length.units, length.more) if isinstance(length, Bare) else (length, 0)
