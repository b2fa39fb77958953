"""Functions as machine code: compiled by Numba, or read from where it keeps what it compiled before.

Before it reads anything Numba takes in all that it knows of Python and NumPy, which takes ten times as long as to read
a kernel. Code that is compiled already needs none of that, only where Numba's runtime lies in memory.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from llvmlite import binding
from numba import njit
from numba.core.caching import FunctionCache
from numba.core.runtime import _nrt_python

Function = Callable[..., Any]


def machine_code(signature: object = None) -> Callable[[Function], Function]:
    """Return a decorator: a function is compiled at once for a signature, or when it is called first."""

    def compiled(function: Function) -> Function:
        kernel: Any = njit(nogil=True, error_model="numpy")(function)
        kernel._cache = QuickCache(function)
        if signature is not None:
            kernel.compile(signature)
            kernel.disable_compile()
        found: Function = kernel
        return found

    return compiled


class QuickCache(FunctionCache):  # type: ignore[misc]  # Numba has no types
    """Numba's cache of a function, from which code comes without a look at what only a compilation needs."""

    def load_overload(self, sig: object, target_context: object) -> object:
        """Return what was compiled for a signature, None if nothing was; then Numba compiles, and starts for that."""
        _tell_runtime()
        with self._guard_against_spurious_io_errors():
            return self._load_overload(sig, target_context)


@cache
def _tell_runtime() -> None:
    """Say where the functions of Numba's runtime are that machine code calls."""
    for name, address in _nrt_python.c_helpers.items():
        binding.add_symbol(name if name.startswith("_") else f"NRT_{name}", address)
