"""Matches of rules that run as stages: columns, what they rest on, and the ids that they have as events."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.algebra.expressions import Variable
from cepheid.algebra.match_ids import match_id
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Rule
from cepheid.engine.kernels.columns.column_evaluation import column_for, variable_field
from cepheid.engine.kernels.columns.columns import Column, Kind, values_of
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.emitting.match_id_columns import FEW, MadeOf, match_id_halves, match_id_texts
from cepheid.engine.kernels.facts.shapes import is_whole
from cepheid.engine.kernels.plans.pattern_stages import StagedShape
from cepheid.engine.kernels.sequences.matches_found import told_times
from cepheid.engine.kernels.tables.event_tables import SERIAL, SHIFT, Tables
from cepheid.engine.kernels.tables.id_lists import id_lists
from cepheid.engine.kernels.tables.made_tables import DerivedTable
from cepheid.engine.kernels.tables.occurrences import Occurrences, View
from cepheid.events import MAX_TIME, EventId, Value, values


@dataclass(frozen=True, slots=True)
class ChainMatches:
    """Matches of one rule; `refs` are the events that each is made of, `first` is what it is called as an event.

    `grounds` are the serial numbers of the given events that each rests on, in order.
    """

    shape: StagedShape
    tables: Tables
    start: Data
    end: Data
    known: Data
    refs: Data
    values: dict[str, Column]
    grounds: Ragged | None
    ordinals: Data | None
    first: int | None = None

    def __len__(self) -> int:
        return len(self.start)

    @property
    def rules(self) -> list[str]:
        """The name of the rule whose matches these are."""
        return [self.shape.plan.rule.name]

    def evidence(self) -> Ragged:
        """Return the ids of the events that each match rests on."""
        assert self.grounds is not None
        given, grounds = self.tables.given, self.grounds
        flat = grounds.flat
        if given.unordered or (given.log.ids.kind is not Kind.INT and not given.log.numbered):
            parts = grounds.tuples()
            flat = np.array([one for part in parts for one in sorted(part, key=self.tables.order_key)], np.int64)
        return Ragged(given.log.ids.data[flat - given.base], grounds.offsets)

    def matches(self, *, evidence: bool) -> Iterator[Match]:
        """Yield the matches one by one, each with its id."""
        rule = self.shape.plan.rule
        said = list(self._said())
        rests_on = self.evidence().tuples() if evidence else [()] * len(self)
        names = self.ids(said)
        times = zip(self.start.tolist(), self.end.tolist(), self.known.tolist(), strict=True)
        for row, ((start, end, known), name) in enumerate(zip(times, names, strict=True)):
            yield Match(rule.name, start, end, said[row], rests_on[row], name, None if known == MAX_TIME else known)

    def ids(self, said: Sequence[dict[str, Value]] | None = None) -> list[str]:
        """Return the ids of the matches; `said` is what each of them says, if that is known."""
        if len(self) >= FEW:
            names: list[str] = self.id_column().to_pylist()
            return names
        return list(map(self._name, range(len(self)), self._said() if said is None else said))

    def id_column(self) -> Any:  # a pyarrow.Array
        """Return the ids of the matches; where they are events, these are called so from now on."""
        if len(self) < FEW:
            return pa.array(self.ids(), pa.string())
        lists, version = id_lists(self.tables, self.refs), self.shape.plan.version
        table = lists.table()
        events, items = ((), lists) if table is None else (tuple(table.T), None)
        made_of = MadeOf(version, self.start, self.end, self.values, events, items, self.ordinals)
        names = match_id_texts(match_id_halves(made_of, self.tables.words))
        if self.first is not None:
            emitted, serial = self.tables[self.first >> SHIFT], self.first & SERIAL
            assert isinstance(emitted, DerivedTable)
            emitted.names.update(enumerate(names.to_pylist(), serial))
        return names

    def _name(self, row: int, said: dict[str, Value]) -> str:
        if self.first is not None:
            return str(self.tables.id(self.first + row))
        ordinal = 0 if self.ordinals is None else int(self.ordinals[row])
        start, end = int(self.start[row]), int(self.end[row])
        return match_id(self.shape.plan.version, start, end, said, self._identity(row), ordinal)

    def _identity(self, row: int) -> tuple[EventId, ...]:
        return tuple(self.tables.ids(self.refs[:, row].tolist()))

    def _said(self) -> Iterator[dict[str, Value]]:
        columns = [values_of(column, self.tables.words) for column in self.values.values()]
        for row in range(len(self)):
            yield {name: column[row] for name, column in zip(self.values, columns, strict=True)}

    def alike(self) -> Data:
        """Return for each match how many before it are alike in everything."""
        seen: Counter[object] = Counter()
        ordinals = np.zeros(len(self), np.int32)
        _, which, counts = np.unique(np.stack([self.start, self.end]), axis=1, return_inverse=True, return_counts=True)
        level = np.flatnonzero(counts[which.reshape(-1)] > 1)
        if not len(level):
            return ordinals
        told = list(self._said())
        for row in level.tolist():
            said = told[row]
            same = (int(self.start[row]), int(self.end[row]), values.key_of(said), self._identity(row))
            ordinals[row] = seen[same]
            seen[same] += 1
        return ordinals


def chain_matches(shape: StagedShape, found: Occurrences, view: View, *, evidence: bool) -> ChainMatches:
    """Return the matches that some occurrences of a rule are."""
    rule, start, end = shape.plan.rule, found.start, found.end
    if not is_whole(rule):
        start, end, are_there = told_times(rule, view.frame(found))
        kept = np.flatnonzero(are_there)
        kept = kept[np.argsort(end[kept], kind="stable")]
        start, end, found = start[kept], end[kept], found.take(kept)
    said = _told_of_runs(rule, found)
    if len(said) < len(rule.fields):
        frame = view.frame(found)
        said = {name: said[name] if name in said else column_for(value, frame) for name, value in rule.fields.items()}
    grounds = view.tables.rest_on(found.refs) if evidence else None
    return ChainMatches(shape, view.tables, start, end, found.known, found.refs, said, grounds, None)


def _told_of_runs(rule: Rule, found: Occurrences) -> dict[str, Column]:
    """Return those of the fields of a rule that are variables of runs which were worked out just before."""
    said = found.said
    if said is None:
        return {}
    read = [(name, variable_field(value.name)) for name, value in rule.fields.items() if isinstance(value, Variable)]
    return {name: said[field] for name, field in read if field in said}


def emit(found: ChainMatches, table: DerivedTable) -> tuple[int, int]:
    """Put matches into the table of their rule, and return their serial numbers there."""
    times = (found.start, found.end, found.known)
    places = found.tables.places(found.refs) if table.placed else None
    first, last = table.append(times, found.refs, found.values, found.grounds, places, found.tables.words)
    if found.ordinals is not None:
        table.ordinal[first - table.base : last - table.base] = found.ordinals
    return first, last
