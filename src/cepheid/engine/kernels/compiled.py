"""Generated source becomes machine code once: it is kept in the user's cache under a name made of its content.

The same shape, in any query and in any process, is then compiled no more. `CEPHEID_CACHE` names another directory.
"""

import hashlib
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import Any

_ONE_AT_A_TIME = RLock()  # a module that another thread still loads has no function yet
_NOTED: list[set[str]] = []
Kernel = Callable[..., Any]  # machine code, whose arguments its source says

_HEAD = '''"""Made by Cepheid; it is made again where it is missing."""

from numba import types

from cepheid.engine.kernels.machine_code import machine_code

NEVER = -(1 << 62)


def read_only(kind):
    return types.Array(kind, 1, "C", readonly=True)


@machine_code({signature})
'''


@cache
def is_available() -> bool:
    """Say whether there is a compiler."""
    return importlib.util.find_spec("numba") is not None


def compiled(source: str, signature: str = "") -> Kernel:
    """Return the function `run` of a source as machine code.

    It is made when it is called first, or at once for a `signature`. Arrays that come from Arrow cannot be written; a
    signature that says so serves both these and others.
    """
    with _ONE_AT_A_TIME:
        kernel = _function(_HEAD, source, signature)
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
    text = head.replace("{signature}", signature) + source.lstrip()
    kernel: Kernel = _module(text).run
    return kernel


def _module(text: str) -> ModuleType:
    name = f"cepheid_kernel_{hashlib.sha256(text.encode()).hexdigest()[:24]}"
    if name in sys.modules:
        return sys.modules[name]
    path = _written(name, text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _written(name: str, text: str) -> Path:
    return put_into_cache(f"{name}.py", text.encode())


def put_into_cache(name: str, content: bytes) -> Path:
    """Return the file of that name, made where it is missing; where several processes make it, each makes the same."""
    path = cache_folder() / name
    if not path.exists():
        path.parent.mkdir(exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
            file.write(content)
        os.replace(file.name, path)
    return path


def files_in_cache(names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Yield the files of kernels: their sources, and the machine code that there is of them."""
    folder = cache_folder()
    for name in sorted(names):
        for path in (folder / f"{name}.py", *sorted((folder / "__pycache__").glob(f"{name}.run-*"))):
            yield str(path.relative_to(folder)), path.read_bytes()


@cache
def cache_folder() -> Path:
    """Return the directory that kernels are kept in; where it cannot be written, one that ends with the process."""
    home = os.environ.get("CEPHEID_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(home) / "cepheid" / f"kernels-{sys.version_info.major}.{sys.version_info.minor}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        usable = os.access(folder, os.W_OK)
    except OSError:
        usable = False
    return folder if usable else Path(tempfile.mkdtemp(prefix="cepheid-kernels-"))
