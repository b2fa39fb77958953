"""Pages for users run: `python` blocks and `console` blocks do what the page says they do.

The `python` blocks of a page share their names, and a `text` block next after one is what it prints. In a `console`
block, a line after `$` is a command, further lines of it come after `>` or a backslash, and the lines below it are what
it says, on both outputs. A page runs in a directory that has a copy of the examples.
"""

import contextlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from click.testing import CliRunner

from cepheid.cli import main

ROOT = Path(__file__).parents[2]
_FENCED = re.compile(r"^```(?P<language>\w+)\n(?P<content>.*?)^```$", re.DOTALL | re.MULTILINE)
_PROMPT = "$ "
_MORE = "> "


def as_it_comes_out(page: str, directory: Path) -> str:
    """The page with what its blocks really say; the examples are copied into the directory."""
    shutil.copytree(ROOT / "examples", directory / "examples")
    names: dict[str, object] = {"__name__": "page"}
    printed = ""

    def run(block: re.Match[str]) -> str:
        nonlocal printed
        content = block["content"]
        match block["language"]:
            case "python":
                printed = _printed(content, names, directory)
            case "text":
                content = printed
            case "console":
                content = "".join(_answered(content, directory))
        return f"```{block['language']}\n{content}```"

    return _FENCED.sub(run, page)


def _printed(program: str, names: dict[str, object], directory: Path) -> str:
    with contextlib.chdir(directory), contextlib.redirect_stdout(io.StringIO()) as output:
        exec(compile(program, "page", "exec"), names)
    return output.getvalue()


def _answered(content: str, directory: Path) -> Iterator[str]:
    """Yield every command of a console, and what it says."""
    for lines in _commands(content):
        bare = [line.removeprefix(_PROMPT if index == 0 else _MORE) for index, line in enumerate(lines)]
        said = _said("".join(bare), directory)
        yield from lines
        yield said + "\n" * (said != "" and not said.endswith("\n"))


def _commands(content: str) -> list[list[str]]:
    """The lines of each command of a console."""
    found: list[list[str]] = []
    goes_on = False
    for line in content.splitlines(keepends=True):
        if line.startswith(_PROMPT):
            found.append([line])
        elif goes_on:
            found[-1].append(line)
        goes_on = line.endswith("\\\n") or _opens_more(line, found, goes_on)
    return found


def _opens_more(line: str, found: list[list[str]], goes_on: bool) -> bool:
    """Say whether the next line still belongs to a text that stands in the command."""
    return "<<END" in line or (goes_on and "<<END" in found[-1][0] and line != f"{_MORE}END\n")


def _said(command: str, directory: Path) -> str:
    """What a command says; ours is called directly where there is nothing for a shell to do."""
    words = shlex.split(command.replace("\\\n", " "))
    if words[0] == "cepheid" and "|" not in words:
        with contextlib.chdir(directory):
            return CliRunner().invoke(main, words[1:], prog_name="cepheid").output
    return _said_by_shell(command, directory)


def _said_by_shell(command: str, directory: Path) -> str:
    path = os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=directory,
        env={**os.environ, "PATH": path, "COLUMNS": "120", "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return ran.stdout
