"""Generated source becomes machine code once: it is kept in the user's cache under a name made of its content.

The same shape, in any query and in any process, is then compiled no more. `CEPHEID_CACHE` names another directory.
"""

import hashlib
import importlib.util
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import RLock
from types import ModuleType
from typing import Any

from cepheid.engine.kernels.compiling.cache_files import CODE, cache_folder, put_into_cache
from cepheid.engine.kernels.compiling.written import ENTRY, Flag, Function, text_of

_ONE_AT_A_TIME = RLock()  # a module that another thread still loads has no function yet
_NOTED: list[set[str]] = []
Kernel = Callable[..., Any]  # machine code, whose arguments its source says

_HEAD = '''"""Made by Cepheid; it is made again where it is missing."""

from __future__ import annotations

from numba import types
from numpy import uint64

from cepheid.engine.kernels.compiling.machine_code import helper, machine_code

NEVER = -(1 << 62)


def read_only(kind):
    return types.Array(kind, 1, "C", readonly=True)


'''


@cache
def is_available() -> bool:
    """Say whether there is a compiler."""
    return importlib.util.find_spec("numba") is not None


def compiled(source: str | Function, signature: str = "", /, **flags: Flag) -> Kernel:
    """Return a function, or the function `run` of a text, as machine code; flags replace constants of its module.

    It is made when it is called first, or at once for a `signature`. Arrays that come from Arrow cannot be written; a
    signature that says so serves both these and others.
    """
    text = source if isinstance(source, str) else text_of(source, flags)
    with _ONE_AT_A_TIME:
        kernel = _function(_HEAD, text, signature)
    for names in _NOTED:
        names.add(kernel.__module__)
    return kernel


@contextmanager
def noting_kernels() -> Iterator[set[str]]:
    """Gather the names of all kernels that are asked for meanwhile."""
    names: set[str] = set()
    _NOTED.append(names)
    try:
        yield names
    finally:
        _NOTED.remove(names)


@cache
def _function(head: str, source: str, signature: str) -> Kernel:
    text = source.lstrip() if ENTRY in source else ENTRY + source.lstrip()
    kernel: Kernel = _module(head + text.replace("{signature}", signature)).run
    return kernel


def _module(text: str) -> ModuleType:
    """Return a module of a text; what is in its file is only for Numba, which tells by it what it has compiled."""
    name = f"cepheid_kernel_{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    if name not in sys.modules:
        module = ModuleType(name)
        module.__file__ = _written(name, text)
        sys.modules[name] = module
        try:
            exec(compile(text, module.__file__, "exec"), module.__dict__)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def _written(name: str, text: str) -> str:
    """Return the file of a kernel; where it cannot be written, something that is no file, and nothing is kept."""
    try:
        return str(put_into_cache(f"{name}.py", text.encode()))
    except OSError:
        return f"<{name}>"


def files_in_cache(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of kernels that were kept: their sources, and the machine code that there is of them."""
    folder = cache_folder()
    for name in sorted(names):
        for path in (folder / f"{name}.py", *sorted((folder / CODE).glob(f"{name}.run-*.nbc"))):
            if path.exists():
                yield str(path.relative_to(folder)), path.read_bytes()
