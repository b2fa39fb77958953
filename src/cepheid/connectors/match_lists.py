"""Matches on their way out: in lists for what writes text, in tables of Arrow for what writes columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from cepheid.events import EventId, Time, Value

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class MatchLists:
    """Matches that have values of the same names, in lists of one length; times are in the form of the input."""

    names: Sequence[str]
    start: Sequence[Time]
    end: Sequence[Time]
    known: Sequence[Time | None]
    values: Mapping[str, Sequence[Value]]
    evidence: Sequence[tuple[EventId, ...]]
    ids: Sequence[str]

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, slots=True)
class Listed:
    """Groups of matches, and the order of all of them, one group after the other; without one, they are in order."""

    groups: Sequence[MatchLists]
    order: Sequence[int] | None = None

    def in_order(self, made: Iterable[Iterable[T]]) -> list[T]:
        """Return what was made of the matches of each group, in the order of all matches.

        >>> Listed((), (1, 0, 2)).in_order([["b"], ["a", "c"]])
        ['a', 'b', 'c']
        """
        rows = [one for some in made for one in some]
        return rows if self.order is None else [rows[place] for place in self.order]


class Matches(Protocol):
    """Some matches, which somebody writes."""

    def __len__(self) -> int:
        """Return how many there are."""

    def listed(self) -> Listed:
        """Return them in lists."""

    def table(self) -> Any:  # pyarrow has no types
        """Return them as a table of Arrow, in which texts of JSON are marked as `wider_columns` says."""
