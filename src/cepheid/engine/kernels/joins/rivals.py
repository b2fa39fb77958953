"""Who competes with whom on either side of a join: what has the same key of its own, beside the key of both sides."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from cepheid.engine.kernels.columns.state_bytes import Entry, named, under
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.pairs.pair_log import PairLog
from cepheid.engine.kernels.plans.pattern_stages import PairShape
from cepheid.engine.kernels.stages.stage_keys import StageKeys
from cepheid.engine.kernels.stages.stages import Context
from cepheid.engine.kernels.tables.occurrences import Occurrences, View

Keyed = tuple[Occurrences, int | Data, int | Data]
"""Occurrences that have keys, the number of what each has in common with partners, and of its rivals."""


class Rivals:
    """The numbers of rivals of each side; where a side has no key of its own, they are those of its `keys`."""

    def __init__(self, shape: PairShape, keys: StageKeys, context: Context) -> None:
        self.keys = keys
        self.sides = sum(bool(own) << side for side, own in enumerate(shape.own))
        per = shape.per
        self.told = [(*both[:per], *own, *both[per:]) for both, own in zip(shape.keys, shape.own, strict=True)]
        self.groups = [
            StageKeys(len(told), per + len(own), context) if own else keys
            for told, own in zip(self.told, shape.own, strict=True)
        ]

    def __len__(self) -> int:
        return max(map(len, self.groups))

    def of(self, side: int, found: Occurrences, numbers: int | Data, view: View) -> Keyed:
        """Return what has all keys, given the numbers of what it has in common with its partners."""
        if not (self.sides >> side) & 1 or not len(found):
            return found, numbers, numbers
        groups = self.groups[side].or_none(found, self.told[side], view)
        there = groups >= 0
        return found.only(there), np.broadcast_to(np.asarray(numbers, np.int32), len(found))[there], groups[there]

    def forget(self, log: PairLog) -> None:
        """Forget groups of which there are no rows any more, where they are many, and which no row was taken with."""
        taken, sides = log.taken, log.member[: log.top] - 1
        for side in range(2 if self.sides else 0):
            rows = np.flatnonzero(sides == side)
            if not (self.sides >> side) & 1:
                log.rival[side, rows] = log.key[rows]
                continue
            marks = np.flatnonzero(sides[taken.row[: taken.top]] == 1 - side)
            numbers = np.concatenate([log.rival[side, rows], taken.group[marks]])
            numbers = self.groups[side].forgotten(numbers)
            log.rival[side, rows], taken.group[marks] = numbers[: len(rows)], numbers[len(rows) :]

    def written(self) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for side, groups in enumerate(self.groups):
            found |= {} if groups is self.keys else named(f"rivals {side}", groups.written())
        return found

    def take_up(self, entries: Mapping[str, Any]) -> None:
        for side, groups in enumerate(self.groups):
            if groups is not self.keys:
                groups.take_up(under(f"rivals {side}", entries))
