"""The steps of a pattern: how many of them are taken, and which are missing.

Every event is a step, every item that a repetition needs, and the certainty that something is absent. Of alternatives
the one counts of which something was found, else the one with the fewest steps.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from cepheid.algebra.patterns import (
    Collect,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Sieve,
    Unless,
)
from cepheid.algebra.policies import Choice
from cepheid.algebra.validation import visible
from cepheid.analysis.bounds.wording import called
from cepheid.analysis.closures.tree import Path, below


@dataclass(frozen=True, slots=True)
class Found:
    """The names of the parts that are there, and how many items the runs have that are under way."""

    names: frozenset[str]
    items: Mapping[str, int] = field(default_factory=dict)

    def has_some_of(self, pattern: Pattern) -> bool:
        return bool(visible(pattern) & (self.names | self.items.keys()))


@dataclass(frozen=True, slots=True)
class Steps:
    """How many steps there are, how many are taken, and what the others are."""

    total: int
    done: int
    missing: tuple[str, ...] = ()

    @property
    def share(self) -> float:
        return self.done / self.total


def steps_of(pattern: Pattern, found: Found) -> Steps:
    """Return the steps of a pattern of which something was found."""
    match pattern:
        case Join(parts):
            return _together(steps_of(part, found) for part in parts)
        case Sieve(inner):
            return steps_of(inner, found)
        case Unless(inner, absent):
            return _together([steps_of(inner, found), Steps(1, 0, (f"no {called(absent)}",))])
        case Collect(anchor=anchor, item=item):
            return _together([steps_of(anchor, found), Steps(1, 0, (f"the last {called(item)}",))])
        case Either(branches):
            return _alternative([(branch, steps_of(branch, found)) for branch in branches], found)
        case Repeat():
            return _repetition(pattern, found)
        case _:
            there = bool(visible(pattern) & found.names)
            what = "a point of time" if isinstance(pattern, Instant) else called(pattern)
            return Steps(1, int(there), () if there else (what,))


def is_of_the_match(root: Pattern, path: Path) -> bool:
    """Say whether what is found at a place is part of a match itself: nothing absent, nothing that is repeated."""
    node = root
    for number in path:
        if isinstance(node, Repeat) or (isinstance(node, Unless | Collect) and number == 1):
            return False
        node = below(node)[number]
    return True


def _together(some: Iterable[Steps]) -> Steps:
    every = list(some)
    missing = tuple(what for one in every for what in one.missing)
    return Steps(sum(one.total for one in every), sum(one.done for one in every), missing)


def _alternative(branches: list[tuple[Pattern, Steps]], found: Found) -> Steps:
    taken = [steps for branch, steps in branches if found.has_some_of(branch)]
    if taken:
        return taken[0]
    least = min((steps for _, steps in branches), key=lambda steps: steps.total)
    return Steps(least.total, 0, (" or ".join(" and ".join(steps.missing) for _, steps in branches),))


def _repetition(repeat: Repeat, found: Found) -> Steps:
    """Return the items that a repetition needs, and its end where it is not known how many there will be."""
    ends = int(repeat.choice is not Choice.ALL and repeat.most != repeat.least)
    total = repeat.least + ends
    if repeat.name in found.names:
        return Steps(total, total)
    count = min(found.items.get(repeat.name, 0), repeat.least)
    left = repeat.least - count
    missing = [called(repeat.item) + (f" {left} times" if left > 1 else "")] if left else []
    return Steps(total, count, (*missing, *([f"the end of the run of {called(repeat.item)}"] if ends else [])))
