"""Where the records of a chain stand: in the whole stream, or where it is detected by a key among those of its key.

Places that only a window compares may begin anew with a key that no run is waiting for; places that are read may not.
"""

from dataclasses import dataclass

import numpy as np

from cepheid.algebra.relations import Axis, Endpoint
from cepheid.algebra.traversal import walk
from cepheid.engine.kernels.columns.fixed_kernels import count_by_key
from cepheid.engine.kernels.columns.row_store import ByKey, KeyStore
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.plans.pattern_stages import AutomatonShape


@dataclass(frozen=True, slots=True)
class Looked:
    """Records that runs look at: in which rows they are, of which kind, with which keys, and where they stand."""

    rows: Rows | slice
    kinds: Data
    keys: Data
    places: Data

    def serials(self, base: int) -> Data:
        """Return the serial numbers of the records, where the first row has one."""
        if isinstance(self.rows, slice):
            return np.arange(self.rows.start + base, self.rows.stop + base)
        return self.rows.astype(np.int64) + base

    def some(self, which: Data) -> Rows:
        """Return the rows of some of the records."""
        return which + np.int32(self.rows.start) if isinstance(self.rows, slice) else self.rows[which]


class Places(KeyStore):
    """How many records each key has had, where a chain asks for places of its key."""

    counted: Data

    def __init__(self, shape: AutomatonShape) -> None:
        self.keyed = bool(shape.per) and _asks_for_places(shape.chain)
        self.read = self.keyed and _asks_for_places(shape.chain.steps)
        super().__init__(counted=ByKey(np.int64, blank=0, written=True))

    def of(self, keys: Data, present: Mask | None) -> Data:
        """Count records in, and return the place of each; what has no key has none."""
        self.make_room_for_keys(int(keys.max(initial=0)) + 1)
        places = np.full(len(keys), -1, np.int64)
        there = np.ones(len(keys), np.bool_) if present is None else present
        compiled(count_by_key)(keys, there, self.counted, places)
        return places

    def before(self, keys: Data, places: Data) -> Data:
        """Return where the next record of each key stands, while some with these keys and places are still to come."""
        found = self.counted.copy()
        found[keys[::-1]] = places[::-1]
        return found


def _asks_for_places(node: object) -> bool:
    return any(isinstance(one, Endpoint) and one.axis is Axis.POSITION for one in walk(node))
