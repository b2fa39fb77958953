"""A package that loads its names on demand has the names that it shows to type checkers, each where they say it is."""

import ast
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOMS = ["cepheid.algebra", "cepheid.algebra.builder", "cepheid.languages.cep", "cepheid.api", "cepheid.names"]


def shown_to_type_checkers(package: str) -> dict[str, str]:
    """Return the modules of the names that are imported while types are checked."""
    tree = ast.parse(Path(str(import_module(package).__file__)).read_text(encoding="utf-8"))
    blocks = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    imports = [one for block in blocks for one in block.body if isinstance(one, ast.ImportFrom)]
    return {name.asname or name.name: str(one.module) for one in imports for name in one.names}


@pytest.mark.parametrize("package", ROOMS)
def test_names_are_what_type_checkers_see(package: str) -> None:
    room = import_module(package)
    for name, module in shown_to_type_checkers(package).items():
        assert getattr(room, name) is getattr(import_module(module), name)
        assert name in dir(room)
    assert set(room.__all__) >= set(shown_to_type_checkers(package))
    assert all(hasattr(room, name) for name in room.__all__)


@pytest.mark.parametrize("package", [room for room in ROOMS if hasattr(import_module(room), "__path__")])
def test_no_module_has_the_name_of_what_it_holds(package: str) -> None:
    # Loading it would put the module where the name should be.
    assert [name for name in shown_to_type_checkers(package) if find_spec(f"{package}.{name}") is not None] == []


def test_a_name_that_is_none_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match=r"module `cepheid.api` has no attribute `complie`"):
        _ = import_module("cepheid.api").complie


def test_a_room_loads_nothing_before_it_is_asked() -> None:
    program = "import sys, cepheid.api; print(*(name for name in sys.modules if name.startswith('cepheid.')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == {"cepheid.api", "cepheid.names", "cepheid.on_demand"}
