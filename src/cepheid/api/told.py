"""What was told, so that where the interpreter does all of it again, nobody hears of it twice."""

from array import array
from collections import Counter
from collections.abc import Sequence

import numpy as np

from cepheid.algebra.matches import Match
from cepheid.engine import Found

_DIGITS = 32  # of an id
_FACTORS = np.array([0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB, 0xD1B54A32D192ED03], np.uint64)


class Told:
    """The matches that were told, each as a number made of its id, if they are `kept`."""

    def __init__(self, *, kept: bool) -> None:
        self.kept = kept
        self._numbers = array("Q")
        self._before: Counter[int] | None = None

    def noted(self, found: list[Match] | Found) -> list[Match] | Found:
        """Return matches that are told now."""
        if self._before is not None:
            return self._new(found.matches() if isinstance(found, Found) else found)
        if self.kept:
            self._numbers.extend(_numbers(found.digits() if isinstance(found, Found) else _digits(found)))
        return found

    def begin_again(self) -> None:
        """From now on all that was told is found once more."""
        self._before, self._numbers = Counter(self._numbers), array("Q")

    def _new(self, matches: list[Match]) -> list[Match]:
        """Return the matches that were not told before; each of those is found once."""
        assert self._before is not None
        new = []
        for match, number in zip(matches, _numbers(_digits(matches)), strict=True):
            if self._before[number] > 0:
                self._before[number] -= 1
            else:
                new.append(match)
        return new


def _digits(matches: Sequence[Match]) -> bytes:
    return "".join([match.id for match in matches]).encode()


def _numbers(digits: bytes) -> "array[int]":
    """Return a number of 64 bits for each of the ids that stand one after the other; few have one in common."""
    words = np.frombuffer(digits, np.uint64).reshape(-1, _DIGITS // 8)
    return array("Q", (words * _FACTORS).sum(axis=1).tobytes())
