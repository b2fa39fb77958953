"""What waits under one key of a choosing join, from the worst to the best, so that the best partner is found by search.

Of two that wait, the better one is kept, and the worse one too as long as it can be taken by partners that cannot take
the better one yet: it has ended earlier. So whoever is better also ended later, and both orders are one.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.choices import Moment
from cepheid.algebra.instances import Instance
from cepheid.engine.state.deadlines import Deadline
from cepheid.engine.state.store import Store
from cepheid.events import MIN_TIME


@dataclass(frozen=True, slots=True)
class Rung:
    """An instance that waits under a number: what it is preferred by, what decides among equals, and when it ended."""

    grade: Moment
    merit: object
    end: Moment
    number: int
    instance: Instance

    def is_better(self, other: "Rung") -> bool:
        return bool(self.merit > other.merit) if self.grade == other.grade else bool(self.grade > other.grade)  # type: ignore[operator]  # two of one kind


@dataclass(slots=True)
class Ladder:
    """Rungs from the worst to the best; each grade stands there once."""

    rungs: list[Rung] = field(default_factory=list)

    def add(self, rung: Rung, threshold: int) -> list[int]:
        """Put a rung in its place, and return the numbers of those that nobody will take any more.

        What ended before the threshold can be taken by all partners to come.
        """
        place = bisect_left(self.rungs, rung.grade, key=_grade)
        equal = place < len(self.rungs) and self.rungs[place].grade == rung.grade
        if equal and not self.rungs[place].is_better(rung):
            place += 1
        if place < len(self.rungs) and _is_taken_by_more(self.rungs[place], rung, threshold):
            return [rung.number]
        first = place
        while first and _is_taken_by_more(rung, self.rungs[first - 1], threshold):
            first -= 1
        gone = [one.number for one in self.rungs[first:place]]
        self.rungs[first:place] = [rung]
        return gone

    def lapse(self, threshold: int) -> list[int]:
        """Drop all but the best of those that ended before the threshold, and return their numbers."""
        ended = bisect_left(self.rungs, threshold, key=_time)
        gone = [one.number for one in self.rungs[: max(ended - 1, 0)]]
        del self.rungs[: len(gone)]
        return gone

    def last_match(self) -> int:
        """Return when the last one ended that lasts, as events that come one after the other do where a rule made them.

        Whatever completes a pair with one of these to come starts there or later.
        """
        waiting = (rung.instance for rung in reversed(self.rungs))
        return next((one.end for one in waiting if one.start < one.end), MIN_TIME)

    def discard(self, rung: Rung) -> None:
        place = bisect_left(self.rungs, rung.grade, key=_grade)
        if place < len(self.rungs) and self.rungs[place].number == rung.number:
            del self.rungs[place]

    def best_until(self, time: int) -> Iterator[Rung]:
        """Yield those that have ended by a time, the best first."""
        for place in range(bisect_right(self.rungs, time, key=_time) - 1, -1, -1):
            yield self.rungs[place]


class RankedStore(Store):
    """A store whose last index has a ladder for each key; an instance is on it once its standing was looked at.

    `successive`: what is to come for them starts no earlier than any of them ended that lasts.
    """

    __slots__ = ("_rungs", "ladders", "successive")

    def __init__(self, indexes: int, *, successive: bool = False) -> None:
        super().__init__(indexes)
        self.successive = successive
        self.ladders: dict[Hashable, Ladder] = {}
        self._rungs: dict[int, Rung] = {}

    def add(self, instance: Instance, limit: Deadline, keys: Sequence[Hashable] = ()) -> int:
        self.ladders.setdefault(keys[-1], Ladder())
        return super().add(instance, limit, keys)

    def rank(self, key: Hashable, rungs: Sequence[Rung], threshold: int) -> None:
        """Put instances on the ladder of a key, and drop what nobody will take any more."""
        ladder, gone = self.ladders[key], []
        for rung in rungs:
            self._rungs[rung.number] = rung
            gone += ladder.add(rung, threshold)
        since = max(threshold, ladder.last_match()) if self.successive else threshold
        for number in (*gone, *ladder.lapse(since)):
            self.remove(number)

    def remove(self, number: int) -> None:
        key = self._keys[number][-1]
        rung = self._rungs.pop(number, None)
        if rung is not None:
            self.ladders[key].discard(rung)
        super().remove(number)
        if key not in self._by_key[-1]:
            del self.ladders[key]


def _grade(rung: Rung) -> Moment:
    return rung.grade


def _time(rung: Rung) -> int:
    return rung.instance.end


def _is_taken_by_more(better: Rung, worse: Rung, threshold: int) -> bool:
    """Say whether every partner to come that can take the worse one can take the better one too."""
    if better.instance.end < threshold:
        return True
    return worse.instance.end >= threshold and bool(better.end <= worse.end)
