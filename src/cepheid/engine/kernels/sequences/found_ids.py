"""What matches that kernels found are made of, and the ids that this gives them."""

from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.engine.kernels.columns.ragged import Ragged, rectangle
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Mask, Rows
from cepheid.engine.kernels.emitting.match_id_columns import (
    MadeOf,
    ids_of_tables,
    match_id_halves,
    match_id_texts,
    rule_sums,
)
from cepheid.engine.kernels.facts.shapes import Shape
from cepheid.engine.kernels.sequences.matches_found import MatchColumns

Array = Any  # pyarrow has no types
_ODD = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
_WHOLE = pa.int64()


def ids_of(found: MatchColumns, words: Words) -> Array:
    """Return the ids of matches as texts; of those that are alike, the id of the first."""
    if found.items is None and found.ids is not None and found.ids.dtype == np.int64 and _are_read_alike(found):
        return _at_once(found, words)
    if found.which is None:
        return match_id_texts(match_id_halves(_made_of(found, found.family.members[0]), words))
    halves = np.empty((2, len(found)), np.uint64)
    for number in np.unique(found.which).tolist():
        rows = np.flatnonzero(found.which == number)
        halves[:, rows] = match_id_halves(_made_of(found.take(rows), found.family.members[number]), words)
    return match_id_texts(halves)


def _are_read_alike(found: MatchColumns) -> bool:
    """Say whether all rules of a family have their events in the same order of parts."""
    return len({tuple(member.identity) for member in found.family.members}) == 1


def _at_once(found: MatchColumns, words: Words) -> Array:
    members = found.family.members
    made_of, places = _made_of(found, members[0]), members[0].identity
    versions = [member.plan.version for member in members]
    assert found.ids is not None
    sums = rule_sums(versions, tuple(found.values), len(places), found.which, len(found))
    return ids_of_tables(made_of, found.ids, places, sums, words)


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
