"""The palette in `examples/palette` installs as it stands, and is found by its name."""

import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

PALETTE = Path(__file__).parents[2] / "examples" / "palette"
PIP = ("-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index")

PROGRAM = """
import cepheid
from cepheid import palettes
session = cepheid.esql.Session(palettes=["tuples", "repeating"])
print(session.compile("REPEAT (@x) 2 TIMES").run(x=[1, 2]))
print(session.compile("SELECT price ROUNDED TO 5 AS p FROM @t").run(t=[{"price": 12}]))
print(palettes.repeating.repeater(3).run([7]))
"""


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh virtual environment, with Cepheid and what it needs but without the palette.

    Packages that are installed here stand for those that `pip install cepheid` would fetch.
    """
    folder = tmp_path_factory.mktemp("fresh")
    venv.create(folder, with_pip=False, symlinks=True)
    python = folder / "bin" / "python"
    asked = [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]
    found = subprocess.run(asked, capture_output=True, text=True, check=True)
    here = sysconfig.get_path("purelib")
    Path(found.stdout.strip(), "packages.pth").write_text(f"import site; site.addsitedir({here!r})\n")
    return python


def output(python: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """What a program writes that knows this environment alone."""
    environment = {"PATH": str(python.parent)}
    return subprocess.run([str(python), *arguments], env=environment, capture_output=True, text=True, check=False)


def test_it_is_not_there_before_it_is_installed(fresh: Path) -> None:
    assert "unknown-palette" in output(fresh, "-c", PROGRAM).stderr


def test_it_installs_into_a_fresh_environment_and_is_found_by_its_name(fresh: Path) -> None:
    installed = output(fresh, *PIP, str(PALETTE))
    assert installed.returncode == 0, installed.stderr
    done = output(fresh, "-I", "-c", PROGRAM)
    assert done.stdout == "[1, 1, 2, 2]\n[{'p': 10}]\n[7, 7, 7]\n", done.stderr
    told = output(fresh, "-c", "import repeating; print(repeating.__file__)").stdout
    assert told.startswith(str(fresh.parents[1])), told
