"""What was compiled may be empty, cut off or changed, and there may be no room for it: kernels run all the same."""

import errno
import json
import os
import pickle
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cepheid.engine.kernels.compiling import cache_files, compiled
from cepheid.engine.kernels.compiling.cache_files import SealedFiles, cache_folder, put_into_cache

SCRIPT = """
import json, sys
from cepheid.engine.kernels.compiling import cache_files
from cepheid.engine.kernels.compiling.compiled import compiled

told = compiled("def run(x):\\n    return x + 1\\n", "(types.int64,)")(41)
was_compiled = "numba.np.arraymath" in sys.modules
if was_compiled:
    def full(path, content):
        raise OSError(28, "no space left on device")
    cache_files._replace = full
    assert compiled("def run(x):\\n    return x * 2\\n", "(types.int64,)")(4) == 8
print(json.dumps([told, was_compiled]))
"""


def ran(folder: Path) -> object:
    """Run a kernel; return what it says, and whether it was compiled for that."""
    environment = {**os.environ, "CEPHEID_CACHE": str(folder)}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, check=True, text=True)
    return json.loads(done.stdout)


def emptied(_: bytes) -> bytes:
    return b""


def cut_off(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    return content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_a_damaged_cache_is_made_again_and_a_full_disk_costs_time_only(tmp_path: Path) -> None:
    assert ran(tmp_path) == [42, True]
    source, code = sorted(files_of(tmp_path), key=lambda path: path.suffix, reverse=True)
    assert (source.suffix, code.suffix) == (".py", ".nbc")
    before = source.read_bytes()
    source.write_bytes(b"")
    code.write_bytes(flipped(code.read_bytes()))
    assert ran(tmp_path) == [42, True]
    assert ran(tmp_path) == [42, False]
    assert source.read_bytes() == before


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache of kernels."""
    monkeypatch.setenv("CEPHEID_CACHE", str(tmp_path))
    monkeypatch.setattr(cache_files, "cache_folder", cache_folder.__wrapped__)
    return tmp_path


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that takes nothing any more."""

    def refused(_: Path, content: bytes) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    monkeypatch.setattr(cache_files, "_replace", refused)


@pytest.mark.parametrize("damage", [emptied, cut_off, flipped])
def test_machine_code_is_believed_only_as_it_was_written(tmp_path: Path, damage: Callable[[bytes], bytes]) -> None:
    files, data = SealedFiles(tmp_path, "kernel", "source", pickle.dumps), ["machine code" * 9]
    files.save("key", data)
    assert files.load("key") == data
    assert files.load("another") is None
    assert SealedFiles(tmp_path, "kernel", "another source", pickle.dumps).load("key") is None
    files.path("key").write_bytes(damage(files.path("key").read_bytes()))
    assert files.load("key") is None
    files.save("key", data)
    assert files.load("key") == data


@pytest.mark.parametrize("damage", [emptied, cut_off, flipped])
def test_a_source_is_what_its_name_says(own_cache: Path, damage: Callable[[bytes], bytes]) -> None:
    path = put_into_cache("kernel.py", b"def run():\n    return 1\n")
    path.write_bytes(damage(path.read_bytes()))
    assert put_into_cache("kernel.py", b"def run():\n    return 1\n").read_bytes() == b"def run():\n    return 1\n"
    assert files_of(own_cache) == [path]


def test_no_room_is_no_reason_to_stop(own_cache: Path, full_disk: None) -> None:
    module = compiled._module("def run():\n    return 'without a file'\n")
    assert module.run() == "without a file"
    SealedFiles(own_cache, "kernel", "source", pickle.dumps).save("key", "code")
    assert files_of(own_cache) == []


@pytest.mark.skipif(os.name != "posix", reason="permissions are told otherwise")
@pytest.mark.parametrize("inner", [".", "__pycache__"])
def test_a_directory_that_others_can_write_to_is_not_used(own_cache: Path, inner: str) -> None:
    folder = cache_files.cache_folder()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (folder / inner).chmod(0o777)
    with pytest.warns(RuntimeWarning, match="others can write there") as told:
        other = cache_files.cache_folder()
    assert not other.is_relative_to(own_cache)
    assert f"type `chmod -R go-w {folder}`" in str(told[0].message)
    (folder / inner).chmod(0o755)
    assert cache_files.cache_folder() == folder
