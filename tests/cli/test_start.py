"""The command starts with what it needs: who asks for help waits for nothing else."""

import subprocess
import sys

import click
import pytest

from cepheid.cli import main
from cepheid.cli.commands import COMMANDS

HEAVY = ("numpy", "pyarrow", "numba", "lark", "rich", "pyspark", "cepheid.api", "cepheid.engine", "cepheid.languages")


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
    assert {name for name in HEAVY if name in loaded} == set()
    assert "click" in loaded


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
