"""How many events can come: what declared arrivals say about spans of time.

5 per s           at most 5 in any half-open second, so at most 10 in a closed one
every 10 ms       never closer than that, so at most 101 in a closed second
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from cepheid.algebra.programs import Arrival, Program


@dataclass(frozen=True, slots=True)
class Rates:
    """The arrivals of input types, the number of values that their keys have, and the length of a tick."""

    arrivals: Mapping[str, Arrival] = field(default_factory=dict)
    keys: Mapping[str, int] = field(default_factory=dict)
    tick: int = 1

    @classmethod
    def of(cls, program: Program) -> "Rates":
        """Return what a program declares."""
        arrivals = {stream.name: stream.arrival for stream in program.streams if stream.arrival is not None}
        keys = {stream.name: stream.keys for stream in program.streams if stream.keys is not None}
        return cls(arrivals, keys, program.tick)

    def events(self, types: Iterable[str], window: int) -> int | None:
        """Return the most events of some types in any closed span of `window` ticks, None if nobody knows."""
        return _total(self._each(types, lambda arrival: most_events(arrival, window)))

    def instants(self, types: Iterable[str], span: int) -> int:
        """Return the most different instants with such events in any half-open span of `span` ticks."""
        every = _ticks(span, self.tick)
        some = _total(self._each(types, lambda arrival: most_instants(arrival, span, self.tick)))
        return every if some is None else min(every, some)

    def values(self, types: Iterable[str]) -> int | None:
        """Return the most values that a key of some types has, None if nobody knows."""
        return _total([self.keys.get(name) for name in types])

    def _each(self, types: Iterable[str], most: Callable[[Arrival], int]) -> list[int | None]:
        known = [self.arrivals.get(name) for name in types]
        return [None if arrival is None else most(arrival) for arrival in known]


def most_events(arrival: Arrival, window: int) -> int:
    """Return the most events in any closed span of `window` ticks.

    >>> most_events(Arrival(5, 1_000), 1_000), most_events(Arrival(1, 10, spaced=True), 1_000)
    (10, 101)
    """
    if window < 0:
        return 0
    if arrival.spaced:
        return window * arrival.count // arrival.per + 1
    return arrival.count * (window // arrival.per + 1)


def most_instants(arrival: Arrival, span: int, tick: int = 1) -> int:
    """Return the most different instants with an event in any half-open span of `span` ticks.

    >>> most_instants(Arrival(2, 5), 12), most_instants(Arrival(9, 5), 12), most_instants(Arrival(1, 5), 0)
    (6, 12, 0)
    """
    instants = _ticks(span, tick)
    if instants == 0:
        return 0
    if arrival.spaced:
        return min(instants, most_events(arrival, (instants - 1) * tick))
    # Within a period the events can be spread over as many instants as there are events, or as there are instants.
    period = max(arrival.per // tick, 1)
    return instants // period * min(arrival.count, period) + min(arrival.count, instants % period)


def _ticks(span: int, tick: int) -> int:
    return max(-(-span // tick), 0)


def _total(some: Iterable[int | None]) -> int | None:
    known = list(some)
    return None if None in known else sum(one for one in known if one is not None)
