"""What the dissertation on PARTE reports of its experiment: medians of the share of frauds that were found."""

from typing import Final

FOUND: Final = 1.0
"""Its own engine, with every history limited to its minimum viable size, in every run."""

EVICTING: Final[dict[tuple[int, int], tuple[float, ...]]] = {
    (10, 0): (1.0,),
    (10, 100): (1.0,),
    (10, 1000): (1.0,),
    (10, 10000): (0.17, 0.5, 0.83, 1.0),
    (100, 0): (0.7, 1.0),
    (100, 100): (0.68, 1.0),
    (100, 1000): (0.56, 1.0),
    (100, 10000): (0.2, 0.42, 0.6, 0.81, 1.0),
    (1000, 0): (0.07, 0.14, 0.21, 0.28, 0.35, 0.43, 0.50, 0.57, 0.64, 0.71, 0.78, 0.85, 0.92, 1.0),
    (1000, 100): (0.07, 0.14, 0.21, 0.28, 0.35, 0.42, 0.50, 0.57, 0.64, 0.71, 0.78, 0.85, 0.92, 0.99, 1.0),
    (1000, 1000): (0.07, 0.14, 0.21, 0.28, 0.35, 0.42, 0.49, 0.56, 0.62, 0.69, 0.76, 0.83, 0.90, 0.97, 1.0),
    (1000, 10000): (
        *(0.06, 0.11, 0.17, 0.23, 0.28, 0.34, 0.40, 0.45, 0.51),
        *(0.57, 0.62, 0.68, 0.74, 0.79, 0.85, 0.91, 0.96, 1.0),
    ),
}
"""A program on a stream processor that cuts its histories to k times that size, for k from 1; after the last, all."""

RELIABLE: Final = {(100, 10000): 6, (1000, 0): 15}
"""How many times the size every run needs to find all, where that is more than what the median needs."""


def published(groups: int, unrelated: int, times: int) -> float:
    """Return the median where histories hold `times` the minimum viable size.

    >>> published(1000, 0, 2), published(10, 0, 9)
    (0.14, 1.0)
    """
    medians = EVICTING[groups, unrelated]
    return medians[times - 1] if times <= len(medians) else 1.0


def enough(groups: int, unrelated: int) -> int:
    """Return how many times the minimum viable size it takes to find everything.

    >>> enough(1000, 10000), enough(100, 10000)
    (18, 6)
    """
    return RELIABLE.get((groups, unrelated), len(EVICTING[groups, unrelated]))
