"""Forget what a choice would never take, because something better waits that every partner to come can take too.

Under latest-start the better of two is the one that started later (of those, the one that ended first); under recent
it is the one that ended later. In a sequence a left instance can be taken by right ones that start after its end: the
better one dominates if it ended no later, or if both have ended before any right one to come can start.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import total_ordering
from heapq import heappop, heappush
from typing import Protocol

from cepheid.algebra.choices import Moment, end_of, start_of
from cepheid.algebra.closures import closure, key_maker
from cepheid.algebra.expressions import Expr
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.patterns import Join
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Table
from cepheid.analysis.plans.plan import Operator, Retention
from cepheid.analysis.plans.retention import side_of
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.ladders import RankedStore, Rung
from cepheid.events import MAX_TIME, MIN_TIME, before_arrivals, values

Numbered = tuple[int, Instance]
Tables = Mapping[str, Table]


class Removes(Protocol):
    """A store from which what has a number can be removed."""

    def remove(self, number: int) -> None:
        """Drop what has this number."""


class Dominance:
    """Which of the waiting instances of a choosing join can go."""

    def __init__(self, join: Join, operator: Operator) -> None:
        self.policy = join.policy
        self.queue = operator.retention is Retention.QUEUE
        self.partner_length = operator.widths[1]
        # What has arrived comes before all partners to come, where each of these is one arrival.
        self.is_past = self.policy.by_arrival and 1 in operator.singles and self.partner_length == 0
        shares = [*join.policy.per, *(side for pair in join.equal for side in pair)]
        self.shares: list[list[Expr]] = [[one for one in shares if side_of(one, join) == side] for side in (0, 1)]
        self.keys = [key_maker(side) for side in self.shares]
        self._due: list[tuple[int, int]] = []
        self._due_keys: dict[int, tuple[int, Hashable]] = {}
        self._count = 0
        self._touched: dict[tuple[int, Hashable], list[Numbered]] = {}

    def key(self, side: int, instance: Instance, turn: Turn) -> Hashable:
        """Return what an instance is compared under, None if it can never be taken."""
        return self.keys[side](scope_of(instance, turn.tables))

    def note(self, side: int, key: Hashable, number: int, instance: Instance) -> None:
        """Remember that an instance has begun to wait."""
        self._touched.setdefault((side, key), []).append((number, instance))
        if self.queue and self.partner_length:
            self._count += 1
            heappush(self._due, (instance.end + self.partner_length + 1, self._count))
            self._due_keys[self._count] = (side, key)

    def next_time(self) -> int:
        """Return the greatest frontier at which nobody's standing has changed by time alone."""
        return self._due[0][0] - 1 if self._due else MAX_TIME

    def prune(self, stores: Sequence[RankedStore], frontier: int, turn: Turn) -> None:
        """Drop what is dominated among those whose standing has changed."""
        while self._due and self._due[0][0] <= frontier:
            self._touched.setdefault(self._due_keys.pop(heappop(self._due)[1]), [])
        if not self._touched:
            return
        threshold = self._threshold(frontier)
        for (side, key), new in self._touched.items():
            if key in stores[side].ladders:
                rungs = [self._rung(*one, turn.tables) for one in new if one[0] in stores[side]]
                stores[side].rank(key, rungs, threshold)
        self._touched.clear()

    def _rung(self, number: int, instance: Instance, tables: Tables) -> Rung:
        end, merit = end_of(instance, self.policy), self._merit(instance, tables)
        if self.policy.choice is not Choice.LATEST_START:
            return Rung(end, merit, end, number, instance)
        return Rung(start_of(instance, self.policy), _Earlier(end, merit), end, number, instance)

    def prune_group(self, store: Removes, group: list[Numbered], frontier: int, tables: Tables) -> None:
        """Drop what is dominated among those that compete."""
        if len(group) < 2:
            return
        threshold = self._threshold(frontier)
        earliest: Moment | None = None
        for number, instance in self._best_first(group, tables):
            # Whoever ended before the threshold can be taken by all to come, as if it had ended long ago.
            reached = self._long_ago if instance.end < threshold else end_of(instance, self.policy)
            if earliest is not None and earliest <= reached:
                store.remove(number)
            earliest = reached if earliest is None else min(earliest, reached)

    @property
    def _long_ago(self) -> Moment:
        return before_arrivals(MIN_TIME) if self.policy.by_arrival else MIN_TIME

    def _threshold(self, frontier: int) -> int:
        if not self.queue or self.is_past:
            return MAX_TIME
        return MIN_TIME if self.partner_length is None else frontier - self.partner_length

    def _best_first(self, group: Sequence[Numbered], tables: Tables) -> list[Numbered]:
        """Return instances from the one on that is taken before all others."""
        best_first = sorted(group, key=lambda entry: self._merit(entry[1], tables), reverse=True)
        if self.policy.choice is Choice.LATEST_START:
            best_first.sort(key=lambda entry: end_of(entry[1], self.policy))
            best_first.sort(key=lambda entry: start_of(entry[1], self.policy), reverse=True)
        return best_first

    def _merit(self, instance: Instance, tables: Tables) -> tuple[object, ...]:
        if self.policy.choice is Choice.LATEST_START:
            return instance.rank
        scope = scope_of(instance, tables, candidate=instance)
        tie = tuple(values.sort_key(closure(expression)(scope)) for expression in self.policy.tie)
        return (end_of(instance, self.policy), tie, instance.rank)


@total_ordering
@dataclass(frozen=True, slots=True)
class _Earlier:
    """Of two that started together the one that ended first is preferred, and then that of greater merit."""

    end: Moment
    merit: tuple[object, ...]

    def __lt__(self, other: "_Earlier") -> bool:
        return bool(self.merit < other.merit) if self.end == other.end else bool(self.end > other.end)
