"""Read entries of an array by rows: in machine code for numbers, whose bytes are moved as they are."""

import numpy as np
import pyarrow as pa

from cepheid.engine.kernels.columns.fixed_kernels import GATHER_TYPES, gather_rows
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data, Rows

_FEW = 64
_NUMBERS = (np.int64, np.float64)


def gathered(source: Data, rows: Rows) -> Data:
    """Return the entries of some rows."""
    if len(rows) < _FEW or source.dtype not in _NUMBERS or not _is_plain(source, rows):
        found: Data = source[rows]
        return found
    target = room_for(len(rows), source.dtype.type)
    gather(source, rows, target)
    return target


def gather_ascending(source: Data, rows: Rows, target: Data, first: int) -> None:
    """Do so from `first` on for rows that ascend: as many of them as there are entries are all of these."""
    if len(rows) == len(source):
        target[first : first + len(rows)] = source
    else:
        gather(source, rows, target, first)


def _is_plain(source: Data, rows: Rows) -> bool:
    return rows.dtype == np.int32 and rows.strides == (4,) and source.strides == (8,)


def gather(source: Data, rows: Rows, target: Data, first: int = 0, step: int = 1) -> None:
    """Write the entries of some rows to every `step`-th place of a target; all are numbers of 64 bits."""
    compiled(gather_rows, GATHER_TYPES)(source.view(np.int64), rows, target.view(np.int64), first, step)


def room_for(count: int, kind: type) -> Data:
    """Return an array of numbers to be written, in memory that Arrow lends and uses again."""
    return np.frombuffer(pa.allocate_buffer(np.dtype(kind).itemsize * count), kind)
