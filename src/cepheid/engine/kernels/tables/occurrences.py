"""Occurrences of a pattern as columns: where they lie, when they were certain, and the events they are made of."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Expr
from cepheid.algebra.programs import HULL, Table
from cepheid.algebra.relations import Axis, Difference, Edge, Endpoint
from cepheid.engine.kernels.columns.column_evaluation import Frame, where_true
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.facts.time_bounds import FAR
from cepheid.engine.kernels.tables.event_tables import Tables, present_in
from cepheid.events import MAX_TIME

COLUMNS = ("start", "end", "known", "refs")
"""What is written down of occurrences, in the order in which they are made of it."""


@dataclass(frozen=True, slots=True)
class Occurrences:
    """Columns of occurrences in the order of their ends; `refs` has a row for each event that they are made of.

    `said` are the variables of runs of a chain, where they have just been worked out.
    """

    start: Data
    end: Data
    known: Data
    refs: Data
    said: Mapping[str, Column] | None = None

    def __len__(self) -> int:
        return len(self.end)

    def take(self, rows: Rows) -> "Occurrences":
        return Occurrences(self.start[rows], self.end[rows], self.known[rows], self.refs.take(rows, axis=1))

    def written(self) -> dict[str, Entry]:
        """Return the columns by name."""
        return {name: getattr(self, name) for name in COLUMNS}

    @classmethod
    def of(cls, entries: Mapping[str, Any]) -> "Occurrences":
        """Return occurrences that were written."""
        return cls(*(entries[name] for name in COLUMNS))

    def only(self, true: Mask | None) -> "Occurrences":
        """Return those for which something is true."""
        return self if true is None or true.all() else self.take(np.flatnonzero(true))


def complete_at(times: Data, lag: int | None) -> Data:
    """Return when nothing more can end at some times, where what comes may be known so long after its end.

    Where only the end of the input says so, that is at the end of all times; None: always.

    >>> complete_at(np.array([5, FAR]), 2).tolist() == [8, MAX_TIME]
    True
    """
    if lag is None:
        return np.full(len(times), MAX_TIME)
    return np.where(times >= FAR, MAX_TIME, times + (1 + lag))


@cache
def none_of(names: int) -> Occurrences:
    """Return no occurrences, of so many names."""
    empty = np.zeros(0, np.int64)
    return Occurrences(empty, empty, empty, np.zeros((names, 0), np.int64))


def together(some: Sequence[Occurrences]) -> Occurrences:
    """Return several in the order of their ends; of level ones those that come first here."""
    filled = [one for one in some if len(one)] or list(some[:1])
    if len(filled) == 1:
        return filled[0]
    whole = Occurrences(
        np.concatenate([one.start for one in filled]),
        np.concatenate([one.end for one in filled]),
        np.concatenate([one.known for one in filled]),
        np.concatenate([one.refs for one in filled], axis=1),
    )
    return whole.take(np.argsort(whole.end, kind="stable"))


@dataclass(frozen=True, slots=True)
class View:
    """What expressions over occurrences can read: events by the names of the parts, where they stand, and tables."""

    tables: Tables
    lookups: Mapping[str, Table]
    names: tuple[str, ...]
    places_of: Callable[[Data], Data]

    def frame(self, found: Occurrences) -> Frame:
        """Return what expressions can read of some occurrences."""
        return self.frame_of(len(found), lambda place: found.refs[place], found)

    def frame_of(self, count: int, refs: Callable[[int], Data], whole: Occurrences | None = None) -> Frame:
        """Return what expressions can read of events, given by the place of each name; `whole`: also of their hull."""
        columns: dict[tuple[str, str], Column] = {}

        def read(part: str, name: str) -> Column | None:
            if part not in self.names:
                return None
            if (part, name) not in columns:
                columns[part, name] = self.tables.read(self._refs_of(part, refs), name)
            return columns[part, name]

        def moment(endpoint: Endpoint) -> Column | None:
            if endpoint.part in self.names:
                return self._named(self._refs_of(endpoint.part, refs), endpoint)
            return None if whole is None else self.moment(whole, endpoint)

        return Frame(count, self.tables.words, read, moment, frozenset(self.names), self.lookups)

    def _refs_of(self, part: str, refs: Callable[[int], Data]) -> Data:
        """Return the events of a name; where several alternatives have it, those of the one that there is."""
        places = [number for number, name in enumerate(self.names) if name == part]
        return reduce(np.maximum, map(refs, places))

    def moment(self, found: Occurrences, endpoint: Endpoint) -> Column | None:
        """Return when an end of a part is, or at which position; events arrive in the order of their positions."""
        if endpoint.part in self.names:
            return self._named(self._refs_of(endpoint.part, lambda place: found.refs[place]), endpoint)
        if endpoint.part != HULL:
            return None
        if endpoint.axis is not Axis.TIME:
            return self._place(found.refs, endpoint.edge)
        return Column(Kind.INT, found.start if endpoint.edge is Edge.START else found.end)

    def _named(self, refs: Data, endpoint: Endpoint) -> Column:
        if endpoint.axis is not Axis.TIME:
            return self._place(refs[None, :], endpoint.edge)
        return self.tables.starts(refs) if endpoint.edge is Edge.START else self.tables.ends(refs)

    def _place(self, refs: Data, edge: Edge) -> Column:
        low, high = self.places_of(refs)[:2]
        return Column(Kind.INT, low if edge is Edge.START else high, high >= 0)

    def satisfying(self, found: Occurrences, conditions: Iterable[Expr]) -> Occurrences:
        """Return the occurrences for which conditions are true."""
        for condition in conditions:
            if len(found):
                found = found.only(where_true(condition, self.frame(found)))
        return found

    def standing(self, found: Occurrences, relation: Iterable[Difference]) -> Occurrences:
        """Return the occurrences that stand in a relation."""
        for one in relation:
            if len(found):
                found = found.only(self._stands(found, one))
        return found

    def _stands(self, found: Occurrences, difference: Difference) -> Mask:
        later, earlier = self.moment(found, difference.later), self.moment(found, difference.earlier)
        stands = np.ones(len(found), np.bool_)
        if later is None or earlier is None:
            return ~stands
        (late, there), (early, here) = present_in(later), present_in(earlier)
        for present in (there, here):
            stands = stands if present is None else stands & present
        distance = late - early
        if difference.low is not None:
            stands &= distance >= difference.low
        return stands if difference.high is None else stands & (distance <= difference.high)
