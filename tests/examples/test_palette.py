"""The palette in `examples/palette` installs as it stands, and is found by its name."""

import subprocess
import sys
from pathlib import Path

PALETTE = Path(__file__).parents[2] / "examples" / "palette"

PROGRAM = """
import cepheid
from cepheid import palettes
session = cepheid.esql.Session(palettes=["tuples", "repeating"])
print(session.compile("REPEAT (@x) 2 TIMES").run(x=[1, 2]))
print(session.compile("SELECT price ROUNDED TO 5 AS p FROM @t").run(t=[{"price": 12}]))
print(palettes.repeating.repeater(3).run([7]))
"""


def test_it_installs_and_is_found_by_its_name(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--target", str(tmp_path), str(PALETTE)], check=True, capture_output=True)
    given = {"PYTHONPATH": str(tmp_path), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=given, capture_output=True, text=True, check=True)
    assert done.stdout == "[1, 1, 2, 2]\n[{'p': 10}]\n[7, 7, 7]\n"
