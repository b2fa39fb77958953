"""Functions as machine code: compiled by Numba, or read from where it keeps what it compiled before.

Before it reads anything Numba takes in all that it knows of Python and NumPy, which takes ten times as long as to read
a kernel. Code that is compiled already needs none of that, only where Numba's runtime lies in memory.
"""

from collections.abc import Callable
from contextlib import suppress
from functools import cache, wraps
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import binding
from numba import njit
from numba.core.caching import CompileResultCacheImpl, FunctionCache, InTreeCacheLocator
from numba.core.runtime import _nrt_python
from numba.core.serialize import dumps

from cepheid.engine.kernels.compiling.cache_files import SealedFiles

Function = Callable[..., Any]
# Kernels make no arrays, so that none has to be counted: what they are given is there until they return.
_OPTIONS = {"nogil": True, "error_model": "numpy", "_nrt": False}


def machine_code(signature: object = None) -> Callable[[Function], Function]:
    """Return a decorator: a function is compiled at once for a signature, or when it is called first.

    With `NUMBA_DISABLE_JIT=1` it stays what it is, so that a debugger stops in it.
    """

    def compiled(function: Function) -> Function:
        if numba.config.DISABLE_JIT:
            return _uncompiled(function)
        kernel: Any = njit(**_OPTIONS)(function)
        with suppress(RuntimeError, OSError):  # where there is no room for a cache, there is none
            kernel._cache = QuickCache(function)
        if signature is not None:
            kernel.compile(signature)
            kernel.disable_compile()
        found: Function = kernel
        return found

    return compiled


def _uncompiled(function: Function) -> Function:
    """Return a function that goes on where numbers are beyond their range, as machine code does."""

    @wraps(function)
    def run(*arguments: object) -> object:
        with np.errstate(all="ignore"):
            return function(*arguments)

    return run


def helper(function: Function) -> Function:
    """Let a function be called by machine code; it becomes a part of what calls it, and is kept with that."""
    found: Function = njit(forceinline=True, **_OPTIONS)(function)
    return found


class _BesideSource(CompileResultCacheImpl):  # type: ignore[misc]  # Numba has no types
    """What is compiled is kept beside its source, which is in a directory of the user's own, and nowhere else."""

    _locator_classes = (InTreeCacheLocator,)


class QuickCache(FunctionCache):  # type: ignore[misc]  # Numba has no types
    """Numba's cache of a function, from which code comes without a look at what only a compilation needs."""

    _impl_class = _BesideSource

    def __init__(self, function: Function) -> None:
        super().__init__(function)
        made_of = (numba.__version__, self._impl.locator.get_source_stamp())
        self._cache_file = SealedFiles(Path(self._cache_path), self._impl.filename_base, made_of, dumps)

    def load_overload(self, sig: object, target_context: object) -> object:
        """Return what was compiled for a signature, None if nothing was; then Numba compiles, and starts for that."""
        _tell_runtime()
        return self._load_overload(sig, target_context)

    def save_overload(self, sig: object, data: object) -> None:
        """Keep what was compiled for a signature, if there is room."""
        with suppress(OSError):
            self._save_overload(sig, data)


@cache
def _tell_runtime() -> None:
    """Say where the functions of Numba's runtime are that machine code calls."""
    for name, address in _nrt_python.c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
