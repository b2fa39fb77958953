"""The ids of the events that occurrences are made of, as lists: those of groups are the ids of all their items."""

import numpy as np

from cepheid.engine.kernels.columns.columns import Kind
from cepheid.engine.kernels.columns.ragged import Ragged
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.tables.event_tables import ECHO, GIVEN, SERIAL, SHIFT, Tables
from cepheid.engine.kernels.tables.made_tables import GroupTable


def id_lists(tables: Tables, refs: Data) -> Ragged:
    """Return for each occurrence what `Tables.ids` says of it; numbers where all of them are given and numbers."""
    width, count = refs.shape
    lists = _events(Ragged(refs.T.reshape(-1), np.arange(0, count * width + 1, max(width, 1))))
    while groups := _groups(tables, lists.flat):
        for number, table in groups.items():
            lists = _opened(lists, number, table)
        lists = _events(lists)
    return Ragged(_ids(tables, lists.flat), lists.offsets)


def _events(lists: Ragged) -> Ragged:
    """Return lists without what is no event of an occurrence."""
    kept = (lists.flat >= 0) & (lists.flat >> SHIFT < ECHO)
    if kept.all():
        return lists
    return Ragged(lists.flat[kept], np.concatenate(([0], np.cumsum(kept)))[lists.offsets])


def _groups(tables: Tables, refs: Data) -> dict[int, GroupTable]:
    found = {number: tables[number] for number in np.unique(refs >> SHIFT).tolist()}
    return {number: table for number, table in found.items() if isinstance(table, GroupTable)}


def _opened(lists: Ragged, number: int, table: GroupTable) -> Ragged:
    """Return lists with the items of the groups of a table in the place of these."""
    own = np.flatnonzero(lists.flat >> SHIFT == number)
    rows, items = (lists.flat[own] & SERIAL) - table.base, table.items
    counts = np.ones(len(lists.flat), np.int64)
    counts[own] = items.starts[rows + 1] - items.starts[rows]
    ends = np.concatenate(([0], np.cumsum(counts)))
    flat = np.repeat(lists.flat, counts)
    of_groups = Ragged(items.flat, items.starts).take(rows)
    flat[np.repeat(ends[own] - of_groups.offsets[:-1], counts[own]) + np.arange(len(of_groups.flat))] = of_groups.flat
    return Ragged(flat, ends[lists.offsets])


def _ids(tables: Tables, refs: Data) -> Data:
    given = tables.given
    if given.log.ids.kind is Kind.INT and not (refs >> SHIFT != GIVEN).any():
        numbers: Data = given.log.ids.data[(refs & SERIAL) - given.base]
        return numbers
    distinct, which = np.unique(refs, return_inverse=True)
    ids = np.empty(len(distinct), object)
    ids[:] = [tables.id(ref) for ref in distinct.tolist()]
    found: Data = ids[which]
    return found
