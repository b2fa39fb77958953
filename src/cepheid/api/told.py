"""What was told, so that where the interpreter does all of it again, nobody hears of it twice."""

from array import array
from collections import Counter

from cepheid.algebra.matches import Match
from cepheid.engine import Found


class Told:
    """The matches that were told, each as a number made of its id, if they are `kept`."""

    def __init__(self, *, kept: bool) -> None:
        self.kept = kept
        self._numbers = array("q")
        self._before: Counter[int] | None = None

    def noted(self, found: list[Match] | Found) -> list[Match] | Found:
        """Return matches that are told now."""
        if self._before is not None:
            return self._new(found.matches() if isinstance(found, Found) else found)
        if self.kept:
            ids = found.ids() if isinstance(found, Found) else [match.id for match in found]
            self._numbers.extend(map(hash, ids))
        return found

    def begin_again(self) -> None:
        """From now on all that was told is found once more."""
        self._before, self._numbers = Counter(self._numbers), array("q")

    def _new(self, matches: list[Match]) -> list[Match]:
        """Return the matches that were not told before; each of those is found once."""
        assert self._before is not None
        new = []
        for match in matches:
            number = hash(match.id)
            if self._before[number] > 0:
                self._before[number] -= 1
            else:
                new.append(match)
        return new
