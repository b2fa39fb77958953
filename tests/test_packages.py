"""The versions that are tested together are versions that the project asks for."""

import re
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
EXTRAS: dict[str, list[str]] = PROJECT["project"]["optional-dependencies"]
ASKED: list[str] = [
    *PROJECT["project"]["dependencies"],
    *(one for extra in EXTRAS.values() for one in extra),
    *PROJECT["dependency-groups"]["dev"],
]


def locked() -> dict[str, str]:
    """Return the version of each package in the lock."""
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    return dict(re.findall(r"^([a-z0-9.-]+)==(\S+)", text, re.MULTILINE))


@pytest.mark.parametrize("asked", sorted({Requirement(one).name for one in ASKED}))
def test_the_lock_has_what_is_asked_for(asked: str) -> None:
    for one in map(Requirement, ASKED):
        if one.name == asked:
            assert locked()[one.name] in one.specifier


def test_everything_in_the_lock_has_hashes_and_is_installed_by_them() -> None:
    text = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    entries = re.split(r"^(?=[A-Za-z0-9])", text, flags=re.MULTILINE)[1:]
    assert len(entries) == len(locked())
    assert [one.split()[0] for one in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}\b", one)] == []
    assert "--require-hashes" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_numba_comes_by_itself_where_it_has_wheels_and_nowhere_else() -> None:
    [numba] = [one for one in map(Requirement, PROJECT["project"]["dependencies"]) if one.name == "numba"]
    assert numba.marker is not None
    here = {"platform_python_implementation": "CPython", "python_version": "3.12"}
    has, has_not = [("linux", "aarch64"), ("darwin", "arm64")], [("darwin", "x86_64"), ("linux", "riscv64")]
    for system, machine in [*has, *has_not]:
        asked = numba.marker.evaluate({**here, "sys_platform": system, "platform_machine": machine})
        assert asked == ((system, machine) in has)
    assert not numba.marker.evaluate({**here, "platform_python_implementation": "PyPy"})


def test_the_extra_that_brought_numba_is_still_known() -> None:
    assert EXTRAS["compiled"] == []
