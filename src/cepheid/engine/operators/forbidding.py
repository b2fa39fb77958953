"""What forbids matches to come: of those under one key that every match to come must look at, only the latest.

Where left parts that wait decide what matters, it is the first to end after each of these.
"""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

from cepheid.algebra.closures import key_maker
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import Expr
from cepheid.algebra.instances import Instance
from cepheid.algebra.relations import Edge
from cepheid.analysis.plans.plan import Forbidding, Reach
from cepheid.engine.clock.turn import Turn
from cepheid.engine.state.deadlines import FOREVER, deadline
from cepheid.engine.state.keyed_times import KeyedTimes
from cepheid.engine.state.store import Store
from cepheid.events import MIN_TIME


class ForbiddingStore:
    """Instances of what must be absent, each until no match to come can run into it or a later one outdoes it.

    `reach` says how late a match can run into one, `rule` how they outdo each other, None if they do not. `shares` is
    what they and matches must agree on.
    """

    def __init__(self, reach: Reach, rule: Forbidding | None, shares: Sequence[Expr]) -> None:
        self.reach, self.rule, self.under_key = reach, rule, key_maker(shares)
        self.store = Store(1)
        self.keys: dict[int, Hashable] = {}
        # When each of them has ended early enough for all matches to come.
        self.unsettled: KeyedTimes[int] = KeyedTimes()

    def __len__(self) -> int:
        return len(self.store)

    def __iter__(self) -> Iterator[Instance]:
        return iter(self.store)

    def key(self, other: Instance, turn: Turn) -> Hashable:
        """Return under what one forbids, None if it forbids nothing."""
        return self.under_key(Scope({**other.parts, "$absent": other}, other.variables, turn.tables))

    def under(self, key: Hashable) -> Iterator[Instance]:
        return (other for _, other in self.store.under(0, key))

    def add(self, other: Instance, key: Hashable) -> None:
        number = self.store.add(other, deadline(self.reach, other), [key])
        if self.rule is not None:
            self.keys[number] = key
            self.unsettled.set(number, max([MIN_TIME, *(_edge(other, edge) + by for edge, by in self.rule.settled)]))

    def expire(self, frontier: int, place: int, left_ends: Callable[[], Iterable[int]]) -> None:
        """Drop what no match can run into that ends at `frontier` or later, or that others outdo there."""
        self.store.expire(frontier, place)
        settled = self.unsettled.pop_before(min(frontier + 1, FOREVER))
        keys = [self.keys.pop(number) for number in settled]
        if settled and self.rule is not None and self.rule.after is not None:
            self._keep_first(left_ends(), self.rule.after)
            return
        for number, key in zip(settled, keys, strict=True):
            self._settle(number, key)

    def next_time(self) -> int:
        """Return the greatest frontier at which nothing goes by time alone."""
        settles = self.unsettled.first()
        if self.rule is None or self.rule.lag is None or settles == FOREVER:
            return self.store.next_time()
        return min(self.store.next_time(), settles + self.rule.lag - 1)

    def _settle(self, number: int, key: Hashable) -> None:
        """Compare one that all matches to come look at with the others of its key that they look at."""
        assert self.rule is not None
        settled = [(one, other) for one, other in self.store.under(0, key) if self.unsettled.of(one) == FOREVER]
        if number in self.store and len(settled) > 1:
            edge = self.rule.edge
            latest = max(settled, key=lambda entry: entry[1].first if edge is Edge.START else entry[1].last)
            for one, _ in settled:
                if one != latest[0]:
                    self.store.remove(one)

    def _keep_first(self, left_ends: Iterable[int], after: int) -> None:
        """Drop what all matches to come look at, but for the first to end after each left part that waits."""
        by_start = sorted(self.store.numbered(), key=lambda entry: entry[1].start)
        starts, best, first = [one.start for _, one in by_start], list[int](), None
        for number, one in reversed(by_start):
            first = (one.end, number) if first is None else min(first, (one.end, number))
            best.append(first[1])
        places = {bisect_left(starts, end + after) for end in left_ends}
        kept = {best[len(starts) - 1 - place] for place in places if place < len(starts)}
        for number, _ in by_start:
            if number not in kept and self.unsettled.of(number) == FOREVER:
                self.store.remove(number)


def _edge(instance: Instance, edge: Edge) -> int:
    return instance.start if edge is Edge.START else instance.end
