"""What was told at one instant, so that matches that are alike in everything are counted and have different ids.

Hardly ever do two matches rest on the same events. So they are found by these, and what they say is compared only then.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from cepheid.events import Value, values

Told = tuple[int, int, Mapping[str, Value], tuple[object, ...]]
"""The start and the end of a match, what it says, and the names of its events."""
_NO_FIELDS = values.key_of({})


class Alike:
    """The matches that were told of an instant; the first of those that rest on some events is found by these.

    Those that are `unseen` are no two alike, and mostly nobody need find them.
    """

    __slots__ = ("_again", "_before", "_told", "unseen")

    def __init__(self, *unseen: Told) -> None:
        self.unseen: list[Told] = [*unseen]
        self._again: tuple[Told, ...] = ()
        self._told: dict[tuple[object, ...], Told] | None = None
        self._before: Counter[object] | None = None

    @classmethod
    def counted(cls, counts: Sequence[tuple[object, int]]) -> "Alike":
        """Return what goes on from how often each was told before a state was taken up."""
        made = cls()
        made._before = Counter(dict(counts))
        return made

    def ordinal(self, told: Told) -> int:
        """Return how many were told before that are alike, and count one more."""
        same = self._by_names().setdefault(told[3], told)
        if same is told and self._before is None:
            return 0
        key = _key(told)
        alike = sum(_key(one) == key for one in self._again)
        if self._before is not None:
            alike += self._before[key]
        if same is not told:
            alike += _key(same) == key
            self._again = (*self._again, told)
        return alike

    def counts(self) -> list[tuple[object, int]]:
        """Return how often each was told that is alike in everything."""
        every = (*self._by_names().values(), *self._again)
        return list(((self._before or Counter()) + Counter(map(_key, every))).items())

    def _by_names(self) -> dict[tuple[object, ...], Told]:
        if self._told is None:
            self._told = {}
        if self.unseen:
            again = [one for one in self.unseen if self._told.setdefault(one[3], one) is not one]
            self._again, self.unseen = (*self._again, *again), []
        return self._told


def _key(told: Told) -> object:
    start, end, fields, names = told
    return (start, end, values.key_of(fields) if fields else _NO_FIELDS, names)
