"""Matches in columns, in the order in which they come out; objects are made of them only for who asks for objects."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, repeat
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.algebra.matches import Match
from cepheid.connectors import bytes_of_texts
from cepheid.engine.kernels.columns.columns import Column, column_of, values_of
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.emitting.match_order import ties_of
from cepheid.events import MAX_TIME, EventId, Value, id_key


@dataclass(frozen=True, slots=True)
class MatchBatch:
    """Matches of some rules, whose numbers are their places among all rules as they are written.

    `which` says whose match each one is, and is None where there is one rule. `known` is the end of all times where
    only the end of the input made a match certain. Matches that nobody asked the `ids` of have none, and those that
    nobody asked the `evidence` of have none either.
    """

    rules: tuple[str, ...]
    numbers: tuple[int, ...]
    which: Data | None
    start: Data
    end: Data
    known: Data
    values: Mapping[str, Column]
    words: Words
    evidence: Ragged | None = None
    ids: Any = None  # texts of Arrow, which has no types

    def __len__(self) -> int:
        return len(self.start)

    def take(self, rows: Rows) -> "MatchBatch":
        """Return some of the matches, in the order of `rows`."""
        return replace(
            self,
            which=None if self.which is None else self.which[rows],
            start=self.start[rows],
            end=self.end[rows],
            known=self.known[rows],
            values={name: column.take(rows) for name, column in self.values.items()},
            evidence=None if self.evidence is None else self.evidence.take(rows),
            ids=None if self.ids is None else self.ids.take(pa.array(rows)),
        )

    def slice(self, first: int, last: int) -> "MatchBatch":
        """Return the matches from `first` on, up to `last`."""
        whole = first == 0 and last >= len(self)
        return self if whole else self.take(np.arange(first, min(last, len(self))))

    def of_rule(self, rule: str) -> "MatchBatch":
        """Return the matches of one rule alone."""
        if rule not in self.rules:
            return self.take(np.zeros(0, np.int64))
        if self.which is None:
            return self
        number = self.rules.index(rule)
        own = self.take(np.flatnonzero(self.which == number))
        return replace(own, rules=(rule,), numbers=(self.numbers[number],), which=None)

    def names(self) -> list[str]:
        """Return the name of each match's rule."""
        return [self.rules[0]] * len(self) if self.which is None else [self.rules[one] for one in self.which.tolist()]

    def listed_values(self) -> dict[str, list[Value]]:
        """Return the values by their names, as Python has them."""
        return {name: values_of(column, self.words) for name, column in self.values.items()}

    def listed_evidence(self) -> list[tuple[EventId, ...]]:
        """Return what each match rests on."""
        return list(self.each_evidence())

    def each_evidence(self) -> Iterator[tuple[EventId, ...]]:
        """Yield what each match rests on."""
        return repeat((), len(self)) if self.evidence is None else self.evidence.each()

    def listed_ids(self) -> list[str]:
        """Return the id of each match; where nobody asked for them, they are empty."""
        return [""] * len(self) if self.ids is None else list(self.ids.to_pylist())

    def matches(self) -> Iterator[Match]:
        """Yield the matches one by one."""
        columns = self.listed_values()
        said = zip(*columns.values(), strict=True) if columns else iter([()] * len(self))
        times = zip(self.start.tolist(), self.end.tolist(), self.known.tolist(), strict=True)
        rows = zip(self.names(), times, said, self.listed_evidence(), self.listed_ids(), strict=True)
        for rule, (start, end, known), told, grounds, name in rows:
            values = dict(zip(columns, told, strict=True))
            yield Match(rule, start, end, values, grounds, name, None if known == MAX_TIME else known)

    @property
    def rule_numbers(self) -> Data:
        """The number of each match's rule."""
        return np.full(len(self), self.numbers[0]) if self.which is None else np.array(self.numbers)[self.which]


@dataclass(frozen=True, slots=True)
class Found:
    """What became certain at once: batches, and the order of all their matches, one batch after the other.

    Without an `order` they are in the order in which they come out.
    """

    batches: Sequence[MatchBatch] = ()
    order: Rows | None = None

    def __len__(self) -> int:
        return sum(map(len, self.batches))

    def digits(self) -> bytes:
        """Return the ids of all matches one after the other, in no order."""
        return b"".join(bytes_of_texts(batch.ids) for batch in self.batches if batch.ids is not None)

    def of_rule(self, rule: str) -> "Found":
        """Return the matches of one rule alone, which are in order again."""
        if self.order is not None:
            ordered = _apart(self.batches, self.order)
            return Found(ordered).of_rule(rule)
        return Found([own for batch in self.batches if len(own := batch.of_rule(rule))])

    def slice(self, first: int, last: int) -> "Found":
        """Return the matches from `first` on, up to `last`, in the order in which they come out."""
        if first == 0 and last >= len(self):
            return self
        rows = np.arange(len(self))[first:last] if self.order is None else self.order[first:last]
        kept, starts = np.sort(rows), np.cumsum([0, *map(len, self.batches)])
        owned = [kept[(kept >= start) & (kept < end)] - start for start, end in pairwise(starts.tolist())]
        batches = [batch.take(own) for batch, own in zip(self.batches, owned, strict=True) if len(own)]
        return Found(batches, None if self.order is None else np.searchsorted(kept, rows))

    def known_within(self, low: int, high: int) -> "Found":
        """Return the matches that are known from `low` on, and before `high`."""
        wanted = [(batch.known >= low) & (batch.known < high) for batch in self.batches]
        if all(one.all() for one in wanted):
            return self
        batches = [batch.take(np.flatnonzero(own)) for batch, own in zip(self.batches, wanted, strict=True)]
        if self.order is None:
            return Found([batch for batch in batches if len(batch)])
        kept = np.concatenate(wanted)
        rows = self.order[kept[self.order]]
        return Found(batches, (np.cumsum(kept) - 1)[rows])

    def matches(self) -> list[Match]:
        """Return the matches one by one."""
        listed = [match for batch in self.batches for match in batch.matches()]
        return listed if self.order is None else [listed[row] for row in self.order.tolist()]


def in_order(batches: Sequence[MatchBatch]) -> Found:
    """Return batches with the order in which their matches come out.

    That is by when they are known, their end, their start, their rule and their evidence.
    """
    filled = [batch for batch in batches if len(batch)]
    if not filled:
        return Found()
    keys = _keys_of_one(filled[0]) if len(filled) == 1 else _keys_of_all(filled)
    if _ascend(keys, lambda rows: _by_evidence(filled, rows)):
        return Found(filled)
    order: Rows = np.lexsort(keys[::-1])
    order = _with_ties_by_evidence(order, [key[order] for key in keys], filled)
    return Found([filled[0].take(order)]) if len(filled) == 1 else Found(filled, order)


def _apart(batches: Sequence[MatchBatch], order: Rows) -> list[MatchBatch]:
    """Return each batch with its own matches in the order in which they come out among all."""
    firsts = np.cumsum([0, *map(len, batches)])
    places = np.searchsorted(firsts, order, side="right") - 1
    return [batch.take(order[places == number] - firsts[number]) for number, batch in enumerate(batches)]


def _keys(batch: MatchBatch) -> tuple[Data, ...]:
    return (batch.known, batch.end, batch.start, batch.rule_numbers)


def _keys_of_all(batches: Sequence[MatchBatch]) -> list[Data]:
    return [np.concatenate(some) for some in zip(*map(_keys, batches), strict=True)]


def _keys_of_one(batch: MatchBatch) -> list[Data]:
    """Return what orders the matches of a batch, with their evidence where it is a table of numbers."""
    keys = [batch.known, batch.end, batch.start]
    keys += [] if batch.which is None else [batch.rule_numbers]
    grounds = batch.evidence
    if grounds is not None and grounds.width is not None and grounds.flat.dtype == np.int64:
        keys += list(grounds.flat.reshape(len(batch), grounds.width).T)
    return keys


def _ascend(keys: Sequence[Data], tell_apart: Any) -> bool:
    """Say whether rows are in the order of their keys; rows that are alike in all of these are told apart."""
    tied = ties_of(keys)
    if tied is None or not tied.any():
        return tied is not None
    first = np.flatnonzero(tied)
    told = tell_apart(np.unique(np.concatenate((first, first + 1))))
    return all(told[int(row)] <= told[int(row) + 1] for row in first)


def _with_ties_by_evidence(order: Rows, keys: Sequence[Data], batches: Sequence[MatchBatch]) -> Rows:
    """Return rows in order, those that are alike in all keys by what they rest on."""
    alike: Mask = np.ones(len(order) - 1, np.bool_)
    for key in keys:
        alike &= key[1:] == key[:-1]
    if not alike.any():
        return order
    first = np.flatnonzero(alike)
    told = _by_evidence(batches, order[np.unique(np.concatenate((first, first + 1)))])
    group = np.concatenate(([0], np.cumsum(~alike))).tolist()
    rows = sorted(range(len(order)), key=lambda place: (group[place], *_or_nothing(told.get(int(order[place])), place)))
    return order[rows]


def _or_nothing(told: tuple[object, ...] | None, place: int) -> tuple[object, ...]:
    return (told, place) if told is not None else ((), place)


def _by_evidence(batches: Sequence[MatchBatch], rows: Rows) -> dict[int, tuple[object, ...]]:
    """Return what tells apart some rows that are known, end and start alike: their evidence, and then their ids."""
    told: dict[int, tuple[object, ...]] = {}
    first = 0
    for batch in batches:
        own = rows[(rows >= first) & (rows < first + len(batch))] - first
        evidence = [()] * len(own) if batch.evidence is None else batch.evidence.take(own).tuples()
        for row, grounds in zip(own.tolist(), evidence, strict=True):
            name = "" if batch.ids is None else batch.ids[row].as_py()
            told[first + row] = (tuple(map(id_key, grounds)), name)
        first += len(batch)
    return told


def batch_of_matches(found: Sequence[Match], number: int, words: Words) -> MatchBatch:
    """Return matches of one rule in columns."""
    names = list(found[0].values)
    grounds = [match.evidence for match in found]
    flat = [one for some in grounds for one in some]
    return MatchBatch(
        (found[0].name,),
        (number,),
        None,
        np.array([match.start for match in found], np.int64),
        np.array([match.end for match in found], np.int64),
        np.array([MAX_TIME if match.known is None else match.known for match in found], np.int64),
        {name: column_of([match.values[name] for match in found], words) for name in names},
        words,
        Ragged(_ids(flat), np.cumsum([0, *map(len, grounds)])),
        pa.array([match.id for match in found], pa.string()),
    )


def found_of_matches(found: Sequence[Match], numbers: Mapping[str, int], words: Words) -> Found:
    """Return matches of some rules, whose numbers are given by name, in columns and in the order that they have."""
    rows: dict[str, list[int]] = {}
    for row, match in enumerate(found):
        rows.setdefault(match.name, []).append(row)
    batches = [batch_of_matches([found[row] for row in own], numbers[name], words) for name, own in rows.items()]
    order = np.argsort(np.array([row for own in rows.values() for row in own], np.int64))
    return Found(batches, order if len(batches) > 1 else None)


def _ids(found: Sequence[EventId]) -> Data:
    if all(type(one) is int and abs(one) < 2**63 for one in found):
        return np.array(found, np.int64)
    ids = np.empty(len(found), object)
    ids[:] = found
    return ids
