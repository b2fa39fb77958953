"""When keys must take a turn although nothing new came for them: when some stream has come past the time they gave.

Of several streams, one may have come past a time long before the others. It wakes the key once, and then only those
that have not come so far can wake it again.
"""

from collections.abc import Hashable, Mapping

from cepheid.engine.state.keyed_times import KeyedTimes
from cepheid.events import MAX_TIME


class Wakes:
    """Times by key, for each stream that has not yet come past them.

    >>> wakes = Wakes()
    >>> wakes.set("ann", 5, {"A": 3, "B": 7})
    >>> wakes.pop_before({"A": 4, "B": 9}), wakes.pop_before({"A": 6, "B": 9}), wakes.pop_before({"A": 8, "B": 9})
    ([], ['ann'], [])
    """

    def __init__(self) -> None:
        self._by_stream: dict[str, KeyedTimes[Hashable]] = {}

    def set(self, key: Hashable, time: int, come: Mapping[str, int]) -> None:
        """Wake a key when a stream comes past `time`; `come` says how far streams have come.

        Where all of them have, the key is woken whenever there is a turn.
        """
        if len(come) == 1 and self._by_stream.keys() == come.keys():
            (times,) = self._by_stream.values()
            times.set(key, time)
            return
        ahead = [name for name, frontier in come.items() if frontier <= time] or list(come)
        for name in {*self._by_stream, *ahead}:
            times = self._by_stream.setdefault(name, KeyedTimes())
            if name in ahead:
                times.set(key, time)
            else:
                times.discard(key)

    def first(self) -> int:
        """Return the earliest time that a key gave."""
        return min([times.first() for times in self._by_stream.values()], default=MAX_TIME)

    def any_before(self, come: Mapping[str, int]) -> bool:
        """Say whether a key must be woken."""
        least = _least(come)
        return any(times.first() < come.get(name, least) for name, times in self._by_stream.items())

    def pop_before(self, come: Mapping[str, int]) -> list[Hashable]:
        """Return the keys that must be woken, and forget that they must."""
        least = _least(come)
        if all(times.is_empty_before(come.get(name, least)) for name, times in self._by_stream.items()):
            return []
        due = [key for name, times in self._by_stream.items() for key in times.pop_before(come.get(name, least))]
        return list(dict.fromkeys(due))


def _least(come: Mapping[str, int]) -> int:
    return min(come.values())
