"""What a run has told: where the interpreter does all of it again, nobody hears of it twice."""

from array import array
from collections import Counter
from collections.abc import Sequence

from cepheid.connectors import Report


class Told:
    """The matches that were told, each as a number made of its id, if they are `kept`."""

    def __init__(self, *, kept: bool) -> None:
        self.kept = kept
        self._numbers = array("q")
        self._before: Counter[int] | None = None

    def noted(self, matches: list[Report]) -> list[Report]:
        """Return matches that are told now."""
        if self._before is not None:
            return self._new(matches)
        if self.kept:
            self._numbers.extend(hash(match.id) for match in matches)
        return matches

    def begin_again(self) -> None:
        """From now on all that was told is found once more."""
        self._before, self._numbers = Counter(self._numbers), array("q")

    def _new(self, matches: Sequence[Report]) -> list[Report]:
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
