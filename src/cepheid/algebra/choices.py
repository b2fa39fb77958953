"""The choice of a join: which of its candidates count.

A choice is made separately for every value of `per` and of the join's equality keys, so partitioning the work by such
a key never changes a result. Nothing here looks at `where`: that comes after the choice.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Expr
from cepheid.algebra.instances import Instance, combined, scope_of
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Table
from cepheid.events import values

T = TypeVar("T")
Key = tuple[object, ...]
Tables = Mapping[str, Table]
Moment = Any  # a time or the key of an arrival; two of them are of one kind


@dataclass(frozen=True, slots=True)
class Pair:
    """A candidate of a join of two: its parts, their hull and the key it is chosen under."""

    left: Instance
    right: Instance
    hull: Instance
    key: Key

    @property
    def left_completes(self) -> bool:
        """Does the left part come later in the order? Level parts: the right one completes."""
        return self.left.order > self.right.order

    @property
    def completing(self) -> Instance:
        return self.left if self.left_completes else self.right

    @property
    def opposite(self) -> Instance:
        return self.right if self.left_completes else self.left


def key_under(expressions: Iterable[Expr], scope: Scope) -> Key | None:
    """Return the key that some expressions make, None where one of them is null."""
    key = tuple(values.key_of(evaluate(expression, scope)) for expression in expressions)
    return None if any(part is None for part in key) else key


def choose(policy: Policy, pairs: Sequence[Pair], tables: Tables) -> list[Pair]:
    """Return the candidates that the policy takes, in no particular order."""
    match policy.choice:
        case Choice.ALL:
            return list(pairs)
        case Choice.STRICT:
            return [pair for pair in pairs if _adjacent(pair)]
        case Choice.LATEST_START:
            by_end = groups(pairs, lambda pair: (pair.key, end_of(pair.hull, policy)))
            return [_latest_start(group, policy) for group in by_end]
        case Choice.NEXT:
            by_left = groups(pairs, lambda pair: (pair.key, pair.left))
            return [min(group, key=lambda pair: pair.right.rank) for group in by_left]
        case Choice.RECENT:
            by_completing = groups(pairs, lambda pair: (pair.key, pair.left_completes, pair.completing))
            return [_most_recent(group, policy, tables) for group in by_completing]
        case Choice.CHRONOLOGICAL:
            by_key = groups(pairs, lambda pair: pair.key)
            return [pair for group in by_key for pair in _chronological(group, policy, tables)]


def start_of(instance: Instance, policy: Policy) -> Moment:
    """Return what a choice takes for the start of an instance: its time, or the arrival that it begins with."""
    return instance.first if policy.by_arrival else instance.start


def end_of(instance: Instance, policy: Policy) -> Moment:
    """Return what a choice takes for the end of an instance: its time, or the arrival that it ends with."""
    return instance.last if policy.by_arrival else instance.end


def latest_start(ranked: Sequence[tuple[int, Instance]], policy: Policy) -> Instance:
    """Return the instance that stands for those of one end: latest start, then later branch, then last in order."""
    return max(ranked, key=lambda entry: (start_of(entry[1], policy), entry[0], entry[1].rank))[1]


def groups(items: Iterable[T], key: Callable[[T], object]) -> list[list[T]]:
    """Return the items in groups of equal key; instances are the same when they are one object."""
    found: dict[object, list[T]] = {}
    for item in items:
        found.setdefault(_by_identity(key(item)), []).append(item)
    return list(found.values())


def _by_identity(key: object) -> object:
    if isinstance(key, Instance):
        return id(key)
    if isinstance(key, tuple):
        return tuple(_by_identity(part) for part in key)
    return key


def _adjacent(pair: Pair) -> bool:
    return pair.left.high is not None and pair.right.low == pair.left.high + 1


def _latest_start(pairs: list[Pair], policy: Policy) -> Pair:
    """Return the pair that the published detection algorithm finds for one end instant.

    The part that ends here completes; where both do it is the one that started later, the left one if they are level.
    Its partner is the one with the latest start, and of those the one that was there first.
    """
    best = max(pairs, key=lambda pair: _whole_rank(pair, policy))
    level = [pair for pair in pairs if _whole_rank(pair, policy) == _whole_rank(best, policy)]
    first = min(end_of(_led(pair, policy)[1], policy) for pair in level)
    there_first = [pair for pair in level if end_of(_led(pair, policy)[1], policy) == first]
    return max(there_first, key=lambda pair: _led(pair, policy)[1].rank)


def _led(pair: Pair, policy: Policy) -> tuple[Instance, Instance, bool]:
    """Return the part of a pair that completes, its partner, and whether the left one completes."""
    end, left, right = end_of(pair.hull, policy), pair.left, pair.right
    later = start_of(left, policy) >= start_of(right, policy)
    left_leads = end_of(left, policy) == end and (end_of(right, policy) < end or later)
    return (left, right, True) if left_leads else (right, left, False)


def _whole_rank(pair: Pair, policy: Policy) -> tuple[object, ...]:
    leading, partner, left_leads = _led(pair, policy)
    starts = (start_of(pair.hull, policy), start_of(leading, policy))
    return (*starts, left_leads, leading.rank, start_of(partner, policy))


def _most_recent(pairs: list[Pair], policy: Policy, tables: Tables) -> Pair:
    def rank(pair: Pair) -> tuple[object, ...]:
        other = pair.opposite
        return (end_of(other, policy), _tie(other, policy, tables), other.rank)

    return max(pairs, key=rank)


def _chronological(pairs: list[Pair], policy: Policy, tables: Tables) -> list[Pair]:
    """Go through the completing instances in order; each takes the oldest free partner, and neither is free again."""
    taken: list[Pair] = []
    consumed: set[tuple[str, int]] = set()
    waiting = groups(pairs, lambda pair: (pair.left_completes, pair.completing))
    for group in sorted(waiting, key=_turn):
        free = [pair for pair in group if consumed.isdisjoint(_uses(pair))]
        if free:
            pair = _oldest(free, policy, tables)
            consumed |= _uses(pair)
            taken.append(pair)
    return taken


def _turn(group: list[Pair]) -> tuple[object, ...]:
    """Return when a completing instance is served: in order, the left one first where they are level."""
    pair = group[0]
    return (pair.completing.order, not pair.left_completes, pair.completing.rank)


def _uses(pair: Pair) -> set[tuple[str, int]]:
    return {("left", id(pair.left)), ("right", id(pair.right))}


def _oldest(pairs: list[Pair], policy: Policy, tables: Tables) -> Pair:
    first = min(start_of(pair.opposite, policy) for pair in pairs)
    level = [pair for pair in pairs if start_of(pair.opposite, policy) == first]
    greatest = max(_tie(pair.opposite, policy, tables) for pair in level)
    level = [pair for pair in level if _tie(pair.opposite, policy, tables) == greatest]
    return min(level, key=lambda pair: pair.opposite.rank)


def _tie(candidate: Instance, policy: Policy, tables: Tables) -> tuple[tuple[object, ...], ...]:
    scope = scope_of(candidate, tables, candidate=candidate)
    return tuple(values.sort_key(evaluate(expression, scope)) for expression in policy.tie)


def pair_of(left: Instance, right: Instance, key: Key) -> Pair:
    return Pair(left, right, combined((left, right)), key)
