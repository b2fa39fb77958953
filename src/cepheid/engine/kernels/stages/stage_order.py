"""The total order of what ends together: by numbers where these tell, otherwise by the keys of events.

The key of a derived event takes long to make. It is made only for events that end together, and of which one that
chooses must know which comes first.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.column_evaluation import RUN
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.pairs.pair_candidates import count_unclear
from cepheid.engine.kernels.pairs.pair_log import RIGHT, PairLog
from cepheid.engine.kernels.tables.event_tables import GIVEN, SHIFT, Tables, merged
from cepheid.engine.kernels.tables.occurrences import Occurrences

Key = tuple[Any, ...]  # keys of events, which Python can compare


def put_in_order(log: PairLog, last: int, tables: Tables, names: Sequence[Sequence[str]]) -> None:
    """Put the rows that wait, up to one, in the total order; `names` are those of the parts of each side."""
    # Where all are given events their numbers tell; what was made of events may stand between any two.
    simple = len(log.refs) == 1 and tables.has_only_events
    ordered = not tables.given.unordered
    if compiled(count_unclear)(log.done, last, log.end, log.refs[0], log.member, simple, ordered):
        order = _by_serials(log, last, names) if ordered else None
        if order is None:
            keys = _keys(log, last, tables, names)
            order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
        log.arrange(log.done, order)


def in_order(found: Occurrences, tables: Tables, names: Sequence[str]) -> Occurrences:
    """Return occurrences, which come in the order of their ends, in the total order."""
    level = found.end[1:] == found.end[:-1]
    if not level.any():
        return found
    refs = found.refs[0]
    if len(found.refs) == 1 and not tables.given.unordered:
        clear = (refs[1:] > refs[:-1]) & (refs[1:] >> SHIFT == GIVEN)
        if clear[level].all():
            return found
    rows = zip(found.end.tolist(), _level(found.end).tolist(), found.refs.T.tolist(), strict=True)
    keys: list[Key] = [(end, *(rank(tables, names, some) if is_level else ())) for end, is_level, some in rows]
    return found.take(np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64))


def _by_serials(log: PairLog, last: int, names: Sequence[Sequence[str]]) -> Rows | None:
    """Return the total order where rows are of given events alone, whose serial numbers tell; None where they are not.

    Rows of fewer events than others have nothing in place of the rest, which is less than any event.
    """
    refs, is_right = log.refs[:, log.done : last], log.member[log.done : last] == RIGHT
    widths = np.where(is_right, len(names[1]), len(names[0]))
    latest_first = -np.sort(-refs, axis=0)
    is_missing = (refs < 0).sum(axis=0) != len(refs) - widths
    is_twice = ((latest_first[1:] == latest_first[:-1]) & (latest_first[1:] >= 0)).any(axis=0)
    if (refs >> SHIFT > GIVEN).any() or is_missing.any() or is_twice.any():
        return None
    return np.lexsort((*refs[::-1], is_right, *latest_first[::-1], log.end[log.done : last]))


def _keys(log: PairLog, last: int, tables: Tables, names: Sequence[Sequence[str]]) -> list[Key]:
    """Return for every row what sorts it; what ends alone needs no more than its end."""
    ends = log.end[log.done : last]
    found: list[Key] = []
    for row, (end, is_level) in enumerate(zip(ends.tolist(), _level(ends).tolist(), strict=True), log.done):
        found.append((end, *(_rank(log, row, tables, names) if is_level else ())))
    return found


def _level(ends: Data) -> Mask:
    """Say what does not end alone."""
    level = np.zeros(len(ends), np.bool_)
    same = ends[1:] == ends[:-1]
    level[1:] |= same
    level[:-1] |= same
    return level


def _rank(log: PairLog, row: int, tables: Tables, names: Sequence[Sequence[str]]) -> Key:
    """Return the place of an occurrence: by its events from the latest on, then the left side, then by its parts."""
    side = 1 if log.member[row] == 2 else 0
    own, *rest = rank(tables, names[side], log.refs[:, row].tolist())
    return own, side, *rest


def rank(tables: Tables, names: Sequence[str], refs: Sequence[int]) -> Key:
    """Return the place of an occurrence in the total order: by its events from the latest on, then by its parts.

    Which alternative was taken is told by which parts there are.
    """
    parts = [(number, ref) for number, ref in enumerate(refs[: len(names)]) if ref >= 0]
    own = merged(tables.order(ref) for _, ref in parts if not tables.is_beside(ref))
    told = [(number, ref) for number, ref in parts if names[number] != RUN]
    level = tuple(tables.place(ref) for number, ref in parts if names[number] == RUN)
    return own, tuple(tables.order(ref) or own for _, ref in told), tuple(number for number, _ in told), level
