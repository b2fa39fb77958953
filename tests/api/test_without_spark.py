"""Without PySpark, what needs it says how it is installed."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import cepheid
from cepheid.api import check_pipeline, checkpoint_states
from cepheid.diagnostics import CepheidError
from tests.cli.console import cepheid as command

MISSING = "error[missing-package]: the package `pyspark` is not installed\n  = hint: pip install 'cepheid[spark]'"


@pytest.fixture(autouse=True)
def no_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make PySpark, and what was loaded with it, as if it were not there."""
    for name in [name for name in sys.modules if name.split(".")[0] in ("pyspark", "py4j")]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.startswith("cepheid.spark")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delattr(cepheid, "spark", raising=False)  # it would stay the one that is loaded meanwhile
    monkeypatch.setitem(sys.modules, "pyspark", None)


def import_detect() -> object:
    from cepheid.spark import detect

    return detect


@pytest.mark.parametrize(
    "attempt", [import_detect, lambda: check_pipeline("pipeline.toml"), lambda: checkpoint_states("checkpoint")]
)
def test_what_needs_spark_says_how_it_is_installed(attempt: Callable[[], object]) -> None:
    with pytest.raises(CepheidError) as caught:
        attempt()
    assert str(caught.value) == MISSING


@pytest.mark.parametrize(
    "arguments",
    [
        ("run", "A", "--language", "algebra", "--on", "spark", "--input", "events.jsonl"),
        ("pipeline", "check", "pipeline.toml"),
        ("pipeline", "run", "pipeline.toml", "--once"),
        ("state", "show", "checkpoint"),
    ],
)
def test_the_command_line_says_how_spark_is_installed(arguments: tuple[str, ...], tmp_path: Path) -> None:
    answer = command(*arguments)
    assert (answer.status, answer.said, answer.output) == (2, f"{MISSING}\n", "")
