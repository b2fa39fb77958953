"""One turn of the engine: what is new, and how far everything is settled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.instances import Ground, Instance, of_event
from cepheid.algebra.programs import Table
from cepheid.events import MAX_TIME, MIN_TIME, Event


@dataclass(slots=True)
class Record:
    """An event on its way into a rule, with what it rests on and the frontier at which it is certain."""

    event: Event
    known: int | None
    rests_on: frozenset[Ground] | None = None
    position: int | None = None

    def instance(self) -> Instance:
        return of_event(self.event, self.position, self.rests_on, self.known)


@dataclass(frozen=True, slots=True)
class Round:
    """One of the rounds in which rules that feed each other take their turn.

    All that comes from `outside` the cycle ends there or later. Instants before `ripe` are as complete as they can be,
    although something that ends there may still come out of the cycle itself.
    """

    outside: int
    ripe: int = MIN_TIME


@dataclass(slots=True)  # one is made for every event
class Turn:
    """The records that are new to a rule, and the frontiers of its streams. Nobody changes it.

    `least` is the least of all. `settled` holds the frontier of each type that is declared or derived; all others have
    the one that is `given`. Every record to come has a position of at least `place`; `seen` is how many have come.
    `horizon` is the greatest end seen so far. `keyed`: there is nothing before the first record. Instants before `ripe`
    need not wait for the frontier. All that has arrived before `arrived` is in its final order, although more may come.
    At most `most` instances of the whole pattern may be found.
    """

    records: Sequence[Record]
    least: int
    settled: Mapping[str, int]
    given: int
    place: int
    seen: int
    horizon: int | None
    tables: Mapping[str, Table]
    keyed: bool = False
    ripe: int = MIN_TIME
    arrived: int = MIN_TIME
    most: int | None = None

    def room(self, count: int) -> int | None:
        """Return how many more instances are worth finding after so many: one more than may be told is enough."""
        return None if self.most is None else max(0, self.most + 1 - count)

    def frontier(self, types: frozenset[str]) -> int:
        """Return the frontier of the events of some types; of all types if none is named."""
        if not types:
            return self.least
        return min([self.settled.get(name, self.given) for name in types]) if self.settled else self.given

    def passed(self, position: int) -> int | None:
        """Return when it was certain that a record is at `position`, long ago if it is none of the new ones."""
        number = position - (self.seen - len(self.records))
        return self.records[number].known if number >= 0 else MIN_TIME

    @property
    def closed(self) -> bool:
        return self.least == MAX_TIME
