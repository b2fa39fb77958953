"""Matches told in columns, each with its id: what they say is the same as if they were told one by one."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.engine.kernels.columns import Column, Kind, values_of
from cepheid.engine.kernels.match_id_columns import MadeOf, match_id_halves, match_id_texts
from cepheid.engine.kernels.matches_found import MatchColumns
from cepheid.engine.kernels.ragged import Ragged, rectangle
from cepheid.engine.kernels.shapes import Shape
from cepheid.engine.kernels.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.words import Words, texts_as_arrow
from cepheid.events import Value

Array = Any  # pyarrow has no types
_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_WHOLE = pa.int64()


@dataclass(frozen=True, slots=True)
class ToldMatches:
    """Matches with the names of their rules, in columns of Arrow; values of several kinds are a list of them.

    Without evidence, what a match rests on is an empty list.
    """

    names: Array
    start: Array
    end: Array
    known: Data
    ids: Array
    values: dict[str, Array | list[Value]]
    evidence: Array

    def __len__(self) -> int:
        return len(self.ids)


def told_matches(found: MatchColumns, ids: Array, words: Words, *, evidence: bool) -> ToldMatches:
    """Return matches that were found, under their ids."""
    which = np.zeros(len(found), np.int32) if found.which is None else found.which
    values = {name: _values(column, words) for name, column in found.values.items()}
    rests_on = grounds_of(found) if evidence else Ragged(np.zeros(0, np.int64), np.zeros(len(found) + 1, np.int32))
    names = pa.array(found.rules).take(pa.array(which))
    return ToldMatches(names, pa.array(found.start), pa.array(found.end), found.known, ids, values, lists_of(rests_on))


def ids_of(found: MatchColumns, words: Words) -> Array:
    """Return the ids of matches as texts; of those that are alike, the id of the first."""
    if found.which is None:
        return match_id_texts(match_id_halves(_made_of(found, found.family.members[0]), words))
    halves = np.empty((2, len(found)), np.uint64)
    for number in np.unique(found.which).tolist():
        rows = np.flatnonzero(found.which == number)
        halves[:, rows] = match_id_halves(_made_of(found.take(rows), found.family.members[number]), words)
    return match_id_texts(halves)


def may_be_alike(found: MatchColumns) -> bool:
    """Say whether two matches may be of one rule, lie alike and be made of events of the same ids.

    What differs in one number of 64 bits differs; few of those that agree in it do not.
    """
    if found.items is not None:
        return True
    assert found.ids is not None
    which = np.zeros(len(found), np.int64) if found.which is None else found.which
    columns = [which, found.start, found.end, *found.ids.T]
    if found.ids.dtype != np.int64:
        return len(set(zip(*(column.tolist() for column in columns), strict=True))) < len(found)
    mixed = np.zeros(len(found), np.uint64)
    for column in columns:
        mixed = (mixed ^ column.astype(np.int64).view(np.uint64)) * _ODD
        mixed ^= mixed >> _SHIFT
    mixed.sort()  # NumPy's search for distinct numbers takes ten times as long
    return bool((mixed[1:] == mixed[:-1]).any())


def last_instant(found: MatchColumns) -> tuple[Rows, Rows]:
    """Return the matches before the last ones that all end at one time, and these."""
    others: Mask = found.end != found.end[-1]
    first = int(np.flatnonzero(others)[-1]) + 1 if others.any() else 0
    return np.arange(first), np.arange(first, len(found))


def lists_of(lists: Ragged) -> Array:
    """Return lists of ids as Arrow has them."""
    return pa.ListArray.from_arrays(pa.array(lists.offsets.astype(np.int32, copy=False)), ids_as_arrow(lists.flat))


def ids_as_arrow(ids: Data) -> Array:
    """Return ids as Arrow has them: as numbers, or all as text."""
    return whole_numbers(ids) if ids.dtype == np.int64 else texts_as_arrow([str(one) for one in ids])


def whole_numbers(data: Data) -> Array:
    """Return whole numbers as Arrow has them, in the memory that they are in."""
    return pa.Array.from_buffers(_WHOLE, len(data), [None, pa.py_buffer(np.ascontiguousarray(data))])


def grounds_of(found: MatchColumns) -> Ragged:
    """Return the ids of the events that each match rests on."""
    if found.items is not None:
        return found.items.rests_on
    assert found.ids is not None
    return rectangle(found.ids)


def _made_of(found: MatchColumns, member: Shape) -> MadeOf:
    """Return what matches of a member of a family are made of; several collections of one match have the same items."""
    assert found.ids is not None
    events, collect = [found.ids[:, place] for place in member.identity], found.family.shape.collect
    items = None if found.items is None or collect is None else found.items.items.times(len(collect.names))
    return MadeOf(member.plan.version, found.start, found.end, found.values, events, items)


def _values(column: Column, words: Words) -> Array | list[Value]:
    match column.kind:
        case Kind.BOOL | Kind.INT | Kind.FLOAT:
            absent = None if column.valid is None else ~column.valid
            return pa.array(np.ascontiguousarray(column.data), mask=absent)
        case Kind.TEXT:
            return pa.array(values_of(column, words), pa.string())
        case _:
            return values_of(column, words)
