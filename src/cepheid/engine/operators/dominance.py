"""Forget what a choice would never take, because something better waits that every partner to come can take too.

Under latest-start the better of two is the one that started later (of those, the one that ended first); under recent
it is the one that ended later. In a sequence a left instance can be taken by right ones that start after its end: the
better one dominates if it ended no later, or if both have ended before any right one to come can start.
"""

from collections.abc import Hashable, Sequence
from heapq import heappop, heappush

from cepheid.algebra.choices import key_under
from cepheid.algebra.evaluation import evaluate
from cepheid.algebra.expressions import Expr
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.patterns import Join
from cepheid.algebra.policies import Choice
from cepheid.analysis.plan import Operator, Retention
from cepheid.analysis.retention import side_of
from cepheid.engine.store import Store
from cepheid.engine.turn import Turn
from cepheid.events import MAX_TIME, MIN_TIME, values


class Dominance:
    """Which of the waiting instances of a choosing join can go."""

    def __init__(self, join: Join, operator: Operator) -> None:
        self.policy = join.policy
        self.queue = operator.retention is Retention.QUEUE
        self.partner_length = operator.widths[1]
        shares = [*join.policy.per, *(side for pair in join.equal for side in pair)]
        self.keys: list[list[Expr]] = [[one for one in shares if side_of(one, join) == side] for side in (0, 1)]
        self._due: list[tuple[int, int]] = []
        self._due_keys: dict[int, tuple[int, Hashable]] = {}
        self._count = 0
        self._touched: set[tuple[int, Hashable]] = set()

    def key(self, side: int, instance: Instance, turn: Turn) -> Hashable:
        """Return what an instance is compared under, None if it can never be taken."""
        return key_under(self.keys[side], scope_of(instance, turn.tables))

    def note(self, side: int, key: Hashable, instance: Instance) -> None:
        """Remember that an instance has begun to wait."""
        self._touched.add((side, key))
        if self.queue and self.partner_length:
            self._count += 1
            heappush(self._due, (instance.end + self.partner_length + 1, self._count))
            self._due_keys[self._count] = (side, key)

    def next_time(self) -> int:
        """Return the greatest frontier at which nobody's standing has changed by time alone."""
        return self._due[0][0] - 1 if self._due else MAX_TIME

    def prune(self, stores: Sequence[Store], index: int, frontier: int, turn: Turn) -> None:
        """Drop what is dominated among those whose standing has changed."""
        while self._due and self._due[0][0] <= frontier:
            self._touched.add(self._due_keys.pop(heappop(self._due)[1]))
        for side, key in self._touched:
            self._prune(stores[side], stores[side].under(index, key), frontier, turn)
        self._touched.clear()

    def _prune(self, store: Store, group: list[tuple[int, Instance]], frontier: int, turn: Turn) -> None:
        threshold = self._threshold(frontier)
        best_first = sorted(group, key=lambda entry: self._merit(entry[1], turn), reverse=True)
        earliest = MAX_TIME
        for number, instance in best_first:
            # Whoever ended before the threshold can be taken by all to come, as if it had ended long ago.
            reached = MIN_TIME if instance.end < threshold else instance.end
            if earliest <= reached:
                store.remove(number)
            earliest = min(earliest, reached)

    def _threshold(self, frontier: int) -> int:
        if not self.queue:
            return MAX_TIME
        return MIN_TIME if self.partner_length is None else frontier - self.partner_length

    def _merit(self, instance: Instance, turn: Turn) -> tuple[object, ...]:
        if self.policy.choice is Choice.LATEST_START:
            return (instance.start, -instance.end, instance.rank)
        scope = scope_of(instance, turn.tables, candidate=instance)
        tie = tuple(values.sort_key(evaluate(expression, scope)) for expression in self.policy.tie)
        return (instance.end, tie, instance.rank)
