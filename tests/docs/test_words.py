"""Documentation, pages of errors, help and messages use the words of the glossary, and none of the old ones."""

import ast
import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import click
import pytest

from cepheid.cli.commands import main
from tests.docs.old_words import GLOSSARY, old_words_of, read_glossary
from tests.docs.pages_that_run import ROOT

MEANINGS, OLD = read_glossary()
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "examples").glob("*/README.md")),
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if page != GLOSSARY),
    *sorted((ROOT / "src" / "cepheid" / "diagnostics" / "pages").glob("*.md")),
    *sorted((ROOT / "tests" / "spec").rglob("*.md")),
    ROOT / "tests" / "README.md",
]
NAMESPACES = ("names", "agg", "allen", "dbapi", "esql", "ltl", "parts", "pipes", "terms", "testing")


def messages(path: Path) -> Iterator[str]:
    """Yield the texts of a module that users may see: all but those that document the code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = set(map(id, (*_docstrings(tree), *_types(tree))))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str) or id(node) in own:
            continue
        if " " in node.value.strip():  # a lone word is a name of the code, or an option
            yield node.value


def _docstrings(tree: ast.AST) -> Iterator[ast.expr]:
    return (node.value for node in ast.walk(tree) if isinstance(node, ast.Expr))


def _types(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield all there is in annotations of variables, parameters and results."""
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            yield from ast.walk(found) if isinstance(found := getattr(node, name, None), ast.AST) else ()


def helps(command: click.Command, called: str = "cepheid") -> Iterator[tuple[str, str]]:
    """Yield the help of a command and of all commands in it, as they are printed."""
    context = click.Context(command, info_name=called)
    yield called, command.get_help(context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from helps(inner, f"{called} {name}")


def documented() -> Iterator[tuple[str, str]]:
    """Yield what `help` says of the public names, of their methods, and of the modules that hold them."""
    for space in ("cepheid", *(f"cepheid.{name}" for name in NAMESPACES)):
        module = import_module(space)
        yield space, inspect.getdoc(module) or ""
        for name in module.__all__:
            value = getattr(module, name)
            if not (getattr(value, "__module__", None) or "").startswith("cepheid"):
                continue
            yield f"{space}.{name}", inspect.getdoc(value) or ""
            for inner, method in vars(value).items() if isinstance(value, type) else ():
                if not inner.startswith("_") and (callable(method) or isinstance(method, property | classmethod)):
                    yield f"{space}.{name}.{inner}", inspect.getdoc(method) or ""


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_no_old_words(page: Path) -> None:
    assert OLD.found(page.read_text(encoding="utf-8")) == []


def test_the_glossary_explains_its_words_without_the_old_ones() -> None:
    assert OLD.found(MEANINGS) == []


def test_messages_have_no_old_words() -> None:
    found = {
        str(path.relative_to(ROOT)): words
        for path in sorted((ROOT / "src" / "cepheid").rglob("*.py"))
        if "kernels" not in path.parts  # which hold code in texts, with comments
        and (words := [word for text in messages(path) for word in OLD.found(text)])
    }
    assert found == {}


def test_help_of_commands_has_no_old_words() -> None:
    printed = dict(helps(main))
    assert len(printed) > 10
    assert {name: words for name, text in printed.items() if (words := OLD.found(text))} == {}


def test_help_of_public_names_has_no_old_words() -> None:
    said = dict(documented())
    assert len(said) > 200
    assert {name: words for name, text in said.items() if (words := OLD.found(text))} == {}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("it is set\naside here", ["set aside"]),
        ("Rests on that, and the match is told", ["rests on", "told"]),
        ("every turn of it has no room", ["every turn", "no room"]),
        ("in turn, a shapely level of lanes", ["lanes"]),
        ("`from cepheid.spark.lanes import lanes_of`", []),
        ("the retold tale of an installed room", []),
    ],
)
def test_old_words_are_found(text: str, expected: list[str]) -> None:
    assert OLD.found(text) == [f"write `{OLD.said[word]}` for `{word}`" for word in expected]


def test_every_row_of_the_glossary_is_looked_for() -> None:
    rows = [line for line in GLOSSARY.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    assert len(rows) > 20
    assert all(OLD.found(old) for row in rows if (old := row.split("|")[1]))


def test_a_word_that_joins_the_table_is_looked_for() -> None:
    grown = old_words_of(f"{GLOSSARY.read_text(encoding='utf-8')}| `gobble` | read | `gobble gobble` |\n")
    assert grown.found("they gobble, and gobble gobble") == ["write `read` for `gobble`"]
    assert grown.found("gobble gobble") == []
