"""How many values have come out of a processor, as a function of how many have come into what it reads.

    trim 3       max(n - 3, 0)
    every 4th    n / 4, rounded up

Such a function is regular from some place on: with every `period` more values in, `gain` more come out. So two of them
can be compared once and for all, and a queue between them is bounded where they gain alike.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import lcm

from cepheid.algebra.pipes import Resample

MOST_PIECES = 2_048


@dataclass(frozen=True, slots=True)
class Tally:
    """The number of values out for every number of values in; it never falls."""

    at: Callable[[int], int]
    begin: int = 0
    period: int = 1
    gain: int = 1

    def reaches(self, number: int) -> int:
        """Return a place, no earlier than where it is regular, from which at least so many are out, if ever."""
        missing = max(number - self.at(self.begin), 0)
        return self.begin + (self.period * -(-missing // self.gain) if self.gain else 0)


EACH = Tally(lambda count: count)
NONE = Tally(lambda _: 0, gain=0)


def resampled(tally: Tally, pipe: Resample) -> Tally:
    """Return how many values are left, with copies, when some are dropped.

    >>> [resampled(EACH, Resample(skip=1, every=2, copies=3)).at(count) for count in range(5)]
    [0, 0, 3, 3, 6]
    """

    def at(count: int) -> int:
        kept = max(-(-(tally.at(count) - pipe.skip) // pipe.every), 0)
        return pipe.copies * (kept if pipe.limit is None else min(kept, pipe.limit))

    if pipe.limit is not None:
        return Tally(at, tally.reaches(pipe.skip + pipe.every * pipe.limit), 1, 0)
    return Tally(at, tally.reaches(pipe.skip), tally.period * pipe.every, tally.gain * pipe.copies)


def shortened(tally: Tally, by: int) -> Tally:
    """Return what is left when the first, or the last, so many give nothing."""
    return Tally(lambda count: max(tally.at(count) - by, 0), tally.reaches(by), tally.period, tally.gain)


def slowest(tallies: Sequence[Tally]) -> Tally:
    """Return how many fronts there are: as many as the slowest has values."""
    least = tallies[0]
    for tally in tallies[1:]:
        least = _slower(least, tally)
    return least


def _slower(one: Tally, other: Tally) -> Tally:
    begin, period = max(one.begin, other.begin), lcm(one.period, other.period)
    gains = [each.gain * (period // each.period) for each in (one, other)]
    if gains[0] > gains[1]:
        return _slower(other, one)
    if gains[0] < gains[1]:
        # From where the slower one stays below.
        ahead = max(one.at(begin + period) - other.at(begin), 0)
        begin += period * -(-ahead // (gains[1] - gains[0]))
    return Tally(lambda count: min(one.at(count), other.at(count)), begin, period, gains[0])


def most_ahead(one: Tally, other: Tally) -> int | None:
    """Return how many values one can be ahead of another at most; None where it gains without end.

    >>> most_ahead(EACH, shortened(EACH, 3)), most_ahead(EACH, resampled(EACH, Resample(every=2))) is None
    (3, True)
    """
    period = lcm(one.period, other.period)
    if one.gain * (period // one.period) > other.gain * (period // other.period):
        return None
    last = max(one.begin, other.begin) + period
    step = -(-last // MOST_PIECES)
    # Neither of them ever falls, so what they are at the ends of a piece says enough about all of it.
    pieces = range(0, last + 1, step)
    return max(0, *(one.at(first + step - 1) - other.at(first) for first in pieces))
