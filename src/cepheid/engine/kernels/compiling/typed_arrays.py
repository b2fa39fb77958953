"""Names for the arrays that kernels and columns are made of."""

from typing import Any

import numpy as np
import numpy.typing as npt

Mask = npt.NDArray[np.bool_]
Rows = npt.NDArray[np.integer[Any]]  # NumPy's own word for integers of any width
Data = npt.NDArray[Any]  # the kind of the column says which
