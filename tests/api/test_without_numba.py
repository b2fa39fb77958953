"""Without Numba everything runs; a run that would have used kernels says once, in one line, what to install."""

import json
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import cepheid as c
from cepheid.api import finite, running, whole_input
from cepheid.engine.detectors import tiers
from cepheid.languages.cep import read_program

SAID = (
    "warning[not-compiled]: Numba is not installed, so this runs without machine code, "
    "many times slower: `pip install numba`\n"
)
HIDDEN = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None; from cepheid.cli import main; main()"
QUERY = "Pair = (A ; B) within 2 s"
EVENTS: list[dict[str, object]] = [{"type": "AB"[number % 2], "time": number} for number in range(50)]


def said_without_numba(tmp_path: Path, count: int) -> str:
    """Return what a run over so many events says beside its matches in a process that has no Numba."""
    path = tmp_path / "events.jsonl"
    path.write_text("".join(json.dumps({"type": "AB"[number % 2], "time": number}) + "\n" for number in range(count)))
    command = [
        sys.executable,
        "-c",
        HIDDEN,
        "run",
        QUERY,
        "--language",
        "algebra",
        "--input",
        str(path),
        "-o",
        str(tmp_path / "out"),
    ]
    return subprocess.run(command, capture_output=True, text=True, check=True).stderr


def test_a_long_run_says_once_what_to_install(tmp_path: Path) -> None:
    assert said_without_numba(tmp_path, finite.MANY) == f"{SAID}20000 events, 10000 matches\n"


def test_a_short_run_says_nothing(tmp_path: Path) -> None:
    assert said_without_numba(tmp_path, 20) == "20 events, 10 matches\n"


@pytest.fixture
def without_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tiers, "is_available", lambda: False)
    for place, name in ((finite, "MANY"), (running, "WORTH"), (whole_input, "MANY")):
        monkeypatch.setattr(place, name, 10)


def codes_of(run: c.Run) -> list[str]:
    list(run)
    return [warning.code for warning in run.warnings]


@pytest.mark.usefixtures("without_numba")
def test_only_those_that_kernels_would_have_run_say_so() -> None:
    pairs, stream = c.compile(QUERY, language="algebra"), c.compile(QUERY, disorder="1 s", language="algebra")
    assert codes_of(pairs.run(EVENTS)) == codes_of(stream.run(EVENTS)) == ["not-compiled"]
    assert codes_of(pairs.run(EVENTS[:5])) == codes_of(stream.run(EVENTS[:5])) == []
    assert codes_of(pairs.run(EVENTS, engine="interpreter")) == []


@pytest.mark.usefixtures("without_numba")
def test_a_rule_that_has_no_kernel_says_nothing() -> None:
    per = "is_null(a.value) and is_null(b.value)"
    by_key = read_program(f"rule match: a: A then b: B within 2 s choose latest-start per {per} emits Match")
    assert codes_of(c.compile(by_key).run(EVENTS)) == []


@pytest.mark.usefixtures("without_numba")
def test_a_built_query_warns_as_python_does() -> None:
    built = c.query((c.event("A") >> c.event("B")).within("2 s"))
    with pytest.warns(RuntimeWarning, match="not-compiled: Numba is not installed") as told:
        assert len(built.run(EVENTS)) == 25
    assert len(told) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(built.run(EVENTS[:5])) == 2
