"""Documentation, pages of errors, help and messages use the words of the glossary, and none of the old ones."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.pages_that_run import ROOT

OLD = {
    "set aside": "rejected",
    "sets aside": "rejects",
    "rests on": "is made of",
    "rest on": "are made of",
    "outdone": "dominated",
    "matches are told": "matches are emitted",
    "a match is told": "a match is emitted",
    "occurrence": "partial match",
}
WORDS = re.compile(rf"\b(?:{'|'.join(OLD)})\b", re.IGNORECASE)
NOT_FOR_USERS = ("decisions", "benchmarks", "mutants.md", "performance.md")
PAGES = [
    ROOT / "README.md",
    *sorted((ROOT / "examples").glob("*/README.md")),
    *sorted(page for page in (ROOT / "docs").rglob("*.md") if not set(NOT_FOR_USERS) & set(page.parts)),
    *sorted((ROOT / "src" / "cepheid" / "diagnostics" / "pages").glob("*.md")),
]


def old_words(text: str) -> list[str]:
    found = sorted(set(map(str.lower, WORDS.findall(" ".join(text.split())))))
    return [f"write `{OLD[word]}` for `{word}`" for word in found]


def messages(path: Path) -> Iterator[str]:
    """Yield the texts of a module that users may see: all but those that document the code."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    own = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in own:
            yield node.value


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_has_no_old_words(page: Path) -> None:
    assert old_words(page.read_text(encoding="utf-8")) == []


def test_messages_and_help_have_no_old_words() -> None:
    found = {
        str(path.relative_to(ROOT)): words
        for path in sorted((ROOT / "src" / "cepheid").rglob("*.py"))
        if "kernels" not in path.parts  # which hold code in texts, with comments
        and (words := [word for text in messages(path) for word in old_words(text)])
    }
    assert found == {}


def test_old_words_are_found_over_lines() -> None:
    assert old_words("it is set\naside here, and rests on that") == [
        "write `is made of` for `rests on`",
        "write `rejected` for `set aside`",
    ]
