"""How ties among level candidates are broken where events say so: each row has a number, and the greatest is taken.

Values of every kind have one order, that of `values.sort_key`. Rows with equal values have one number; a new value gets
one between those of its neighbours, and where there is none left, all are numbered anew.
"""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from cepheid.algebra.expressions import Expr
from cepheid.algebra.relations import Edge, Endpoint
from cepheid.engine.kernels.columns.column_evaluation import column_for
from cepheid.engine.kernels.columns.columns import Column, Kind, values_of
from cepheid.engine.kernels.columns.state_bytes import Entry
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.tables.occurrences import Occurrences, View
from cepheid.events import values

CANDIDATE = "$candidate"
_STEP = 1 << 40
_MANY = 1024
Key = tuple[tuple[object, ...], ...]


class TieWeights:
    """The numbers of what candidates say."""

    def __init__(self, tie: tuple[Expr, ...]) -> None:
        self.tie = tie
        self.keys: list[Key] = []  # in order
        self.numbers: list[int] = []  # that of each key

    def of(self, found: Occurrences, view: View, weights: Data) -> Data:
        """Return the numbers of candidates; `weights` are those of all rows, which may become others."""
        keys = self._keys(found, view)
        self.learn(keys, weights)
        return self.numbers_of(keys)

    def numbers_of(self, keys: Sequence[Key]) -> Data:
        """Return the numbers of keys that are known."""
        return np.array([self.numbers[bisect_left(self.keys, key)] for key in keys], np.int64)

    def forget(self, weights: Data) -> None:
        """Forget what no row says any more, where that is much."""
        used = set(weights.reshape(-1).tolist())
        if len(self.keys) > 2 * len(used) + _MANY:
            kept = [(key, number) for key, number in zip(self.keys, self.numbers, strict=True) if number in used]
            self.keys, self.numbers = [key for key, _ in kept], [number for _, number in kept]

    def written(self) -> dict[str, Entry]:
        return {"tie keys": list(self.keys), "tie numbers": np.array(self.numbers, np.int64)}

    def take_up(self, entries: Mapping[str, Any]) -> None:
        self.keys, self.numbers = list(entries["tie keys"]), entries["tie numbers"].tolist()

    def _keys(self, found: Occurrences, view: View) -> list[Key]:
        frame = view.frame(found)

        def moment(endpoint: Endpoint) -> Column | None:
            if endpoint.part != CANDIDATE:
                return frame.moments(endpoint)
            return Column(Kind.INT, found.start if endpoint.edge is Edge.START else found.end)

        told = replace(frame, moments=moment)
        columns = [values_of(column_for(one, told), view.tables.words) for one in self.tie]
        return [tuple(map(values.sort_key, row)) for row in zip(*columns, strict=True)]

    def learn(self, keys: Iterable[Key], weights: Data) -> None:
        """Number keys that are new; `weights` are the numbers of all rows, which may become others."""
        for key in keys:
            place = bisect_left(self.keys, key)
            if place < len(self.keys) and self.keys[place] == key:
                continue
            below = self.numbers[place - 1] if place else (self.numbers[0] - 2 * _STEP if self.numbers else -2 * _STEP)
            above = self.numbers[place] if place < len(self.numbers) else below + 4 * _STEP
            self.keys.insert(place, key)
            self.numbers.insert(place, (below + above) // 2)
            if self.numbers[place] == below:
                self._number_anew(place, weights)

    def _number_anew(self, new: int, weights: Data) -> None:
        """Give all keys numbers far from each other; the new one is in no row yet."""
        old = [number for place, number in enumerate(self.numbers) if place != new]
        self.numbers = [place * _STEP for place in range(len(self.keys))]
        fresh = [number for place, number in enumerate(self.numbers) if place != new]
        weights[:] = np.array(fresh or [0])[np.searchsorted(old, weights).clip(0, max(len(fresh) - 1, 0))]
