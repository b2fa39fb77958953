"""A command starts with what it needs: who asks for help, or checks a query, waits for nothing else."""

import subprocess
import sys
from pathlib import Path

import click
import pytest

from cepheid.api import STAGES
from cepheid.cli import main
from cepheid.cli.commands import COMMANDS

EXAMPLES = Path(__file__).parents[2] / "examples"

LIBRARIES = {"numpy", "pyarrow", "numba", "pandas", "polars", "pyspark", "rich"}
ROOMS = {"cepheid.engine", "cepheid.connectors", "cepheid.spark", "cepheid.testing"}
HEAVY = {*LIBRARIES, *ROOMS, "lark", "cepheid.api", "cepheid.languages"}

LANGUAGES = {
    "cep": "a: Button then b: Button within 2 s on user",
    "algebra": "Alarm = (Button ; Button) within 2 s",
    "etalis": "rise(S) <- (stock(S, P1) SEQ stock(S, P2)).20 s WHERE (P2 > 1.2 * P1).",
    "hbl": "watchpoint slow { window 5 s; main = ask letting n = number -> answer[number == n]; }",
    "parte": "template Beat {}\ntemplate Two {}\n"
    "rule Twice where a : Beat b : Beat when b in a [0 us, 5 us] then emit Two at b.timestamp with {}",
}


def loaded_by(*arguments: str) -> set[str]:
    """Return the modules that are loaded when a command has run."""
    program = (
        "import atexit, sys; atexit.register(lambda: print('\\n'.join(sys.modules), file=sys.stderr));"
        f"sys.argv = ['cepheid', *{arguments!r}]; from cepheid.cli import main; main()"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


def test_help_loads_nothing_that_it_does_not_say() -> None:
    loaded = loaded_by("--help")
    assert loaded & HEAVY == set()
    assert "click" in loaded


def languages_in(loaded: set[str]) -> set[str]:
    """Return the languages of which something is loaded."""
    parts = [name.split(".") for name in loaded if name.startswith("cepheid.languages.")]
    return {part[2] for part in parts} - {"shared"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_check_loads_its_language_alone_and_nothing_that_runs(language: str) -> None:
    loaded = loaded_by("check", LANGUAGES[language], "--language", language, "--allow-unbounded")
    assert loaded & (LIBRARIES | ROOMS) == set()
    assert languages_in(loaded) == {language}


@pytest.mark.parametrize("stage", sorted(set(STAGES) - {"plan"}))
def test_an_explanation_loads_what_runs_only_to_say_what_runs(stage: str) -> None:
    assert (
        loaded_by("explain", LANGUAGES["algebra"], "--language", "algebra", "--stage", stage) & (LIBRARIES | ROOMS)
        == set()
    )


def test_a_picture_and_a_page_load_nothing_that_runs() -> None:
    drawn = loaded_by("draw", LANGUAGES["parte"], "--language", "parte", "--rate", "Beat=5/s")
    assert (drawn | loaded_by("explain", "unbounded-state")) & (LIBRARIES | ROOMS) == set()


def test_a_run_over_lines_of_json_loads_no_other_format_and_no_frames() -> None:
    loaded = loaded_by("run", str(EXAMPLES / "alarm/alarm.alg"), "--input", str(EXAMPLES / "alarm/events.jsonl"))
    others = {"pyarrow.parquet", "pyarrow.dataset", "pandas", "polars", "pyspark", "numba", "rich", "cepheid.spark"}
    assert loaded & others == set()
    assert languages_in(loaded) == {"algebra"}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_says_what_the_list_says_of_it(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert command.get_short_help_str(1000) == COMMANDS[name]


def test_a_command_that_is_none_is_refused() -> None:
    done = subprocess.run([sys.executable, "-m", "cepheid", "rum"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "No such command 'rum'" in done.stderr
