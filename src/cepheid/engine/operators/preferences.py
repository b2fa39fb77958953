"""In which order a choice looks at partners: the first that satisfies the conditions is the one it takes.

    latest-start    the one that started last
    recent          the one that ended last
    chronological   the one that started first
    next            the right one that ended first, and of left ones all that wait

So what an instance costs does not grow with those that wait: the search begins at the best of those that are near
enough. Among partners of one grade the definition itself decides.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.choices import Moment
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Join
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Edge
from cepheid.analysis.plans.plan import Operator
from cepheid.analysis.plans.retention import keys_are_one_sided, side_of
from cepheid.engine.state.deadlines import Deadline
from cepheid.engine.state.ranking import Ranking
from cepheid.engine.state.store import Store

CONSUMED = {Choice.NEXT: (0,), Choice.CHRONOLOGICAL: (0, 1)}
ORDERS = {
    Choice.LATEST_START: (Edge.START, True),
    Choice.RECENT: (Edge.END, True),
    Choice.CHRONOLOGICAL: (Edge.START, False),
    Choice.NEXT: (Edge.END, False),
}
"""By which end partners are graded, and whether the later ones are better."""


Limits = tuple[tuple[int, int], ...]
"""Distances from the start of an instance (0) or from its end (1)."""


@dataclass(frozen=True, slots=True)
class Preference:
    """How the partners of an instance are graded, and how far before and after each side these grades can lie."""

    choice: Choice
    edge: Edge
    latest: bool
    by_arrival: bool
    before: tuple[Limits, Limits]
    after: tuple[Limits, Limits]

    def least(self, side: int, span: tuple[int, int]) -> Moment | None:
        """Return the least grade that a partner of an instance of a side can have, None for any."""
        times = [span[edge] - by for edge, by in self.before[side]]
        return self._grade(max(times)) if times else None

    def beyond(self, side: int, span: tuple[int, int]) -> Moment | None:
        """Return a grade that no partner of an instance of a side can have, nor any greater one."""
        times = [span[edge] + by + 1 for edge, by in self.after[side]]
        return self._grade(min(times)) if times else None

    def most(self, side: int, together: int) -> int | None:
        """Return how many candidates decide for an instance, if so many are decided about together; None: all.

        Each of the others can use up one that is better.
        """
        if self.choice is Choice.NEXT:
            return 1 if side == 0 else None
        return together if self.choice is Choice.CHRONOLOGICAL else 1

    def grade(self, instance: Instance) -> Moment:
        """Return what a partner is compared by."""
        if self.edge is Edge.START:
            return instance.first if self.by_arrival else instance.start
        return instance.last if self.by_arrival else instance.end

    def _grade(self, time: int) -> Moment:
        # An arrival begins with its time, so that this comes before all of that time.
        return (time,) if self.by_arrival else time


def preference_of(operator: Operator) -> Preference | None:
    """Return the order in which partners are looked at; None where keys do not say who competes with whom."""
    join = operator.pattern
    assert isinstance(join, Join)
    consumed = CONSUMED.get(join.policy.choice, ())
    if not keys_are_one_sided(join) or not all(is_taken_once(join, side) for side in consumed):
        return None
    if any(side_of(one, join) == side_of(other, join) for one, other in join.equal):
        return None
    edge, latest = ORDERS[join.policy.choice]
    before, after = (_limits(operator, edge, is_before) for is_before in (True, False))
    return Preference(join.policy.choice, edge, latest, join.policy.by_arrival, before, after)


def _limits(operator: Operator, graded: Edge, is_before: bool) -> tuple[Limits, Limits]:
    """Return how far before, or after, the start and the end of each side the grade of a partner can lie."""

    def of(side: int) -> Limits:
        found = []
        for number, edge in enumerate((Edge.START, Edge.END)):
            own, other = (side, edge), (1 - side, graded)
            far = operator.distances.get((*own, *other) if is_before else (*other, *own))
            found += [] if far is None else [(number, far)]
        return tuple(found)

    return of(0), of(1)


def is_taken_once(join: Join, side: int) -> bool:
    """Can an instance of this side be taken under one key only, the one it has itself?"""
    own_keys = all(side_of(one, join) == side for one in join.policy.per)
    return own_keys and keys_are_one_sided(join)


class Rankings:
    """The rankings of what waits on one side: by what it has in common with its partners, and by whom it competes with.

    `fits` is asked of what is found, which comes in groups of one grade.
    """

    __slots__ = ("_by_key", "_preference", "_side")

    def __init__(self, preference: Preference, side: int) -> None:
        self._preference, self._side = preference, side
        self._by_key: dict[Hashable, dict[Hashable, Ranking]] = {}

    def add(self, common: Hashable, rivals: Hashable, grade: Moment, number: int) -> None:
        self._by_key.setdefault(common, {}).setdefault(rivals, Ranking()).add(grade, number)

    def discard(self, common: Hashable, rivals: Hashable, grade: Moment, number: int) -> None:
        """Drop a number, and its ranking where it was the last."""
        competing = self._by_key[common]
        ranking = competing[rivals]
        ranking.discard(grade, number)
        if not ranking:
            del competing[rivals]
            if not competing:
                del self._by_key[common]

    def candidates(
        self, common: Hashable, span: tuple[int, int], together: int, fits: Callable[[int], bool]
    ) -> Iterator[list[int]]:
        """Yield, for each group of rivals, those among whom a partner that lies there makes its choice."""
        competing: Mapping[Hashable, Ranking] = self._by_key.get(common, {})
        preference, side = self._preference, 1 - self._side
        least, beyond = preference.least(side, span), preference.beyond(side, span)
        most = preference.most(side, together)
        for ranking in competing.values():
            found: list[int] = []
            for some in ranking.best(least, beyond, latest=preference.latest):
                found += _fitting(some, fits)
                if most is not None and len(found) >= most:
                    break
            if found:
                yield found


class PreferredStore(Store):
    """A store of one side, whose instances are found as a choice prefers them.

    The last two keys of an instance say what it has in common with its partners, and with whom it competes for them.
    """

    __slots__ = ("_graded", "_preference", "rankings")

    def __init__(self, preference: Preference, side: int) -> None:
        super().__init__()
        self._preference, self.rankings = preference, Rankings(preference, side)
        self._graded: dict[int, tuple[Hashable, Hashable, Moment]] = {}

    def add(self, instance: Instance, limit: Deadline, keys: Sequence[Hashable] = ()) -> int:
        number = super().add(instance, limit)
        common, rivals = keys
        graded = (common, rivals, self._preference.grade(instance))
        self._graded[number] = graded
        self.rankings.add(*graded, number)
        return number

    def remove(self, number: int) -> None:
        super().remove(number)
        self.rankings.discard(*self._graded.pop(number), number)


def _fitting(some: Sequence[int], fits: Callable[[int], bool]) -> list[int]:
    return [number for number in some if fits(number)]
