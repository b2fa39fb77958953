"""Decisions: every random case is made of choices among a few options, each a number below some bound.

One maker of cases thus serves two masters: `random.Random` with a seed, for long runs, and Hypothesis, which shrinks.
The first option is the simplest one everywhere, since Hypothesis shrinks towards zero.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Draw:
    """Decisions out of `below`, which returns a number from 0 up to, and without, its argument.

    >>> draw = seeded(7)
    >>> draw.integer(3, 3), draw.pick(["only"]), draw.chance(0), draw.chance(100)
    (3, 'only', False, True)
    """

    below: Callable[[int], int]

    def integer(self, low: int, high: int) -> int:
        """Return a number from `low` to `high`, both included."""
        return low + self.below(high - low + 1)

    def chance(self, percent: int) -> bool:
        """Return true in so many cases of a hundred."""
        return self.below(100) >= 100 - percent

    def pick(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def weighted(self, options: Mapping[T, int]) -> T:
        """Return one of the options, each as often as its weight says."""
        place = self.below(sum(options.values()))
        for option, weight in options.items():
            if place < weight:
                return option
            place -= weight
        raise AssertionError("the weights sum up to more than the place")

    def some(self, options: Sequence[T], least: int, most: int) -> list[T]:
        """Return `least` to `most` different ones of the options, in their order."""
        left = list(range(len(options)))
        kept = [left.pop(self.below(len(left))) for _ in range(min(len(left), self.integer(least, most)))]
        return [options[index] for index in sorted(kept)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in some order."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(len(items))]


def seeded(seed: int) -> Draw:
    """Return decisions that are the same for the same seed, in every run and on every machine."""
    return Draw(random.Random(seed).randrange)
