"""Matches on their way out: in lists for what writes text, in tables of Arrow for what writes columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from cepheid.events import EventId, Time, Value

T = TypeVar("T")
Column = Any  # pyarrow has no types: an Array; or a list


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


@dataclass(frozen=True, slots=True)
class MatchColumns:
    """Matches that have values of the same names, in columns of one length; times are in the form of the input.

    Whole numbers, lists of these and ids are arrays of Arrow; all else is lists of Python's values.
    """

    names: Sequence[str]
    start: Column
    end: Column
    known: Column
    values: Mapping[str, Column]
    evidence: Column
    ids: Column


class Matches(Protocol):
    """Some matches, which somebody writes."""

    def __len__(self) -> int:
        """Return how many there are."""

    def listed(self) -> Listed:
        """Return them in lists."""

    def columns(self) -> tuple[Sequence[MatchColumns], Any] | None:  # an array of NumPy
        """Return groups of them in columns, with the order as `Listed` has it; None where they are objects."""

    def table(self) -> Any:  # pyarrow has no types
        """Return them as a table of Arrow, in which texts of JSON are marked as `wider_columns` says."""
