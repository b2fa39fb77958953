"""How often each code comes in a column, in machine code where that is at hand."""

import sys

import numpy as np

from cepheid.engine.kernels.columns.fixed_kernels import COUNT_TYPES, count_codes
from cepheid.engine.kernels.compiling.compiled import compiled
from cepheid.engine.kernels.compiling.typed_arrays import Data

_FEW, _TURNS, _MOST = 4096, 4, 1 << 12


def code_counts(codes: Data, size: int) -> Data:
    """Return how many of some codes there are of each; all are less than `size`.

    >>> code_counts(np.array([2, 0, 2], np.int32), 4).tolist()
    [1, 0, 2, 0]
    """
    # NumPy makes 64-bit numbers of all codes first; but nobody loads a compiler to count.
    if len(codes) < _FEW or size > _MOST or codes.dtype != np.int32 or "numba" not in sys.modules:
        return np.bincount(codes, minlength=size)
    counts = np.zeros((_TURNS, size), np.int64)
    compiled(count_codes, COUNT_TYPES)(np.ascontiguousarray(codes).view(np.uint32), counts)
    found: Data = counts.sum(axis=0)
    return found
