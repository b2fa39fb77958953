"""Kernels as plain Python: the same source, run without being compiled, so that many shapes can be tried."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cepheid.engine.kernels import compiled

_HEAD = "NEVER = -(1 << 62)\n\n\n"


@contextmanager
def plain_kernels() -> Iterator[None]:
    """Run kernels as they are written; an index beyond the end of an array is then an error."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "_HEAD", _HEAD)
        yield
