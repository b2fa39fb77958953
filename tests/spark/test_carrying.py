"""A worker that lacks something says so in one line."""

import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from pyspark import cloudpickle

from cepheid.spark import carrying
from cepheid.spark.carrying import carried, note_missing_numba

_RUN = "import pickle, sys; print(list(pickle.loads(sys.stdin.buffer.read())([1, 2])))"


def _doubled(numbers: Iterator[Any]) -> Iterator[Any]:
    return (2 * number for number in numbers)


def _on_a_worker(before: str = "") -> "subprocess.CompletedProcess[bytes]":
    """Run what was carried in a process of its own, after something else."""
    packed = cloudpickle.dumps(carried(_doubled))  # type: ignore[no-untyped-call]  # it has no types
    return subprocess.run([sys.executable, "-c", before + _RUN], input=packed, capture_output=True, check=False)


def test_work_arrives_as_it_was() -> None:
    assert list(carried(_doubled)(iter([1, 2]))) == [2, 4]
    ran = _on_a_worker()
    assert ran.stdout.split() == [b"[2,", b"4]"], ran.stderr


def test_a_worker_without_the_package_says_so_in_one_line() -> None:
    ran = _on_a_worker("import sys; sys.modules['cepheid'] = None; ")
    *_, last = ran.stderr.decode().splitlines()
    assert last.startswith("RuntimeError: the worker on `")
    way_out = "pip install 'cepheid[spark]' there, or send an environment along (spark.archives)"
    assert last.endswith(f"` lacks the package `cepheid`: {way_out}")


def test_a_worker_without_numba_says_so_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(carrying, "find_spec", {}.get)
    note_missing_numba.cache_clear()
    note_missing_numba()
    note_missing_numba()
    told = capsys.readouterr().err.splitlines()
    note_missing_numba.cache_clear()
    assert len(told) == 1
    assert told[0].endswith("` lacks Numba, so queries run slower there: pip install numba")
