"""The shape of the tree: small files and functions, names that say something, no path of one machine."""

import ast
import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_LINES_OF_A_FILE = 400
MOST_LINES_OF_A_FUNCTION = 45
MOST_FILES_OF_A_FOLDER = 26
ROOMS_IN_FOLDERS = ("analysis", "engine")
NAMES_THAT_SAY_NOTHING = {"utils", "util", "helpers", "helper", "misc", "common"}
# In two pieces each, so that this file does not hold them.
PATHS_OF_ONE_MACHINE = ("/" + "work/", "/" + "root/", ".." + "/shared")
BUILT = {"__pycache__", "build", "dist", "spark-warehouse", "metastore_db"}


def files(suffix: str = "") -> Iterator[Path]:
    """The files of the project, without what is built from them."""
    for directory, subdirectories, names in os.walk(ROOT):
        subdirectories[:] = [name for name in subdirectories if name not in BUILT and _is_ours(name)]
        yield from (Path(directory, name) for name in sorted(names) if name.endswith(suffix))


def _is_ours(directory: str) -> bool:
    return not directory.startswith(".") or directory == ".ci"


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def test_no_file_is_long() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in files(".py")}
    assert [str(path) for path, length in lengths.items() if length > MOST_LINES_OF_A_FILE] == []


def test_no_function_is_long() -> None:
    assert [
        f"{path}:{function.lineno} {function.name}"
        for path in files(".py")
        for function in functions(path)
        if (function.end_lineno or 0) - function.lineno + 1 > MOST_LINES_OF_A_FUNCTION
    ] == []


@pytest.mark.parametrize("room", ROOMS_IN_FOLDERS)
def test_no_folder_of_the_engine_room_is_long(room: str) -> None:
    counts = Counter(path.parent for path in (ROOT / "src/cepheid" / room).rglob("*.py"))
    assert [str(folder) for folder, count in counts.items() if count > MOST_FILES_OF_A_FOLDER] == []


def test_every_file_has_a_name_that_says_something() -> None:
    assert [str(path) for path in files() if path.stem in NAMES_THAT_SAY_NOTHING] == []


@pytest.mark.parametrize("machine_path", PATHS_OF_ONE_MACHINE)
def test_no_file_names_a_path_of_one_machine(machine_path: str) -> None:
    assert [str(path) for path in files() if machine_path.encode() in path.read_bytes()] == []


def test_what_is_written_has_its_name_when_it_is_whole() -> None:
    in_place = [
        f"{path}:{number}"
        for path in files(".py")
        if (ROOT / "src") in path.parents
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if ".write_text(" in line or ".write_bytes(" in line
        if not line.strip().startswith("new.write_text(")  # and then it gets the name of the target
    ]
    assert in_place == []
