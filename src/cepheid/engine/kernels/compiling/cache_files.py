"""Where kernels are kept: a directory that is the user's own, with files that are looked at before they are believed.

Machine code is read with pickle, so whoever can write there can run code here: a directory that others can write to is
not used. What is empty, cut off or changed is as good as missing, and is made again.
"""

import atexit
import hashlib
import os
import pickle
import shutil
import stat
import sys
import tempfile
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

CODE = "__pycache__"
_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_DIGEST = hashlib.sha256().digest_size


@cache
def cache_folder() -> Path:
    """Return the directory that kernels are kept in; where it cannot be used, one that ends with the process."""
    home = os.environ.get("CEPHEID_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    folder = Path(home) / "cepheid" / f"kernels-{sys.version_info.major}.{sys.version_info.minor}"
    try:
        folder.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        folder.mkdir(exist_ok=True, mode=0o700)
        (folder / CODE).mkdir(exist_ok=True, mode=0o700)
        usable = os.access(folder, os.W_OK)
    except OSError:
        usable = False
    return folder if usable and _is_own(folder) else _scratch()


def _is_own(folder: Path) -> bool:
    """Say whether a directory belongs to the user, and only the user can write there; if not, tell the user."""
    for place in (folder, folder / CODE):
        if os.name != "posix" or not place.exists():
            continue
        found = place.stat()
        if found.st_uid != os.geteuid() or found.st_mode & _OTHERS:
            why = "others can write there" if found.st_mode & _OTHERS else "it belongs to somebody else"
            told = f"compiled kernels are not kept in `{folder}`: {why}; type `chmod -R go-w {folder}`, or name another"
            warnings.warn(f"{told} directory in CEPHEID_CACHE", RuntimeWarning, stacklevel=2)
            return False
    return True


def _scratch() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="cepheid-kernels-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def put_into_cache(name: str, content: bytes) -> Path:
    """Return the file of that name with this content, made where it is missing or has another.

    Where several processes make it, each makes the same. It may not be possible: `OSError`.
    """
    path = cache_folder() / name
    if _bytes_of(path) != content:
        _replace(path, content)
    return path


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _replace(path: Path, content: bytes) -> None:
    """Write a file at once or not at all."""
    with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".tmp", delete=False) as file:
        try:
            file.write(content)
            file.close()
            os.replace(file.name, path)
        except BaseException:
            with suppress(OSError):
                os.unlink(file.name)
            raise


class SealedFiles:
    """The machine code of one function, a file for each signature and processor, with a digest of what it holds.

    It has the methods that Numba asks of such files. Names are made of all that the code depends on.
    """

    def __init__(self, folder: Path, name: str, made_of: object, dumps: Callable[[object], bytes]) -> None:
        self.folder, self.name, self.made_of, self.dumps = folder, name, made_of, dumps

    def save(self, key: object, data: Any) -> None:  # what Numba makes of machine code
        """Keep what was compiled; where that is not possible, it is compiled again by the next process."""
        body = self.dumps(data)
        with suppress(OSError):
            _replace(self.path(key), hashlib.sha256(body).digest() + body)

    def load(self, key: object) -> Any:  # what Numba made of machine code
        """Return what was compiled, None if that is missing or damaged."""
        content = _bytes_of(self.path(key)) or b""
        body = content[_DIGEST:]
        return pickle.loads(body) if body and hashlib.sha256(body).digest() == content[:_DIGEST] else None

    def path(self, key: object) -> Path:
        """Return where the code for a signature and a processor is."""
        told = hashlib.sha256(repr((self.made_of, key)).encode()).hexdigest()
        return self.folder / f"{self.name}.{told[:24]}.nbc"
