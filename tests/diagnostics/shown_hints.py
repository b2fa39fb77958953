"""Hints that pages and case files show, whole: other tests hold that these are what the source really gives.

A template has holes; what is shown has been put into them by the source. So it is compared with the templates, which
say in which module a hint was made, and typed once more as it stands.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.diagnostics.hints_in_source import HOLE, Hint
from tests.docs.pages_that_run import ROOT

MADE_UP: Final = ROOT / "tests" / "cases" / "diagnostics"
"""Drawings of errors that no code raises."""
_SHOWN: Final = re.compile(r"= hint: (.*)")


def shown_hints() -> dict[str, Path]:
    """Return every hint that is shown somewhere, with one of the files that show it."""
    found: dict[str, Path] = {}
    for path in _pages():
        for text in _SHOWN.findall(path.read_text(encoding="utf-8")):
            found.setdefault(text, path)
    return found


def _pages() -> Iterator[Path]:
    yield ROOT / "README.md"
    for folder in ("docs", "examples", "src", "tests"):
        yield from (path for path in sorted((ROOT / folder).rglob("*.md")))
    yield from (path for path in sorted((ROOT / "tests").rglob("*.case")) if MADE_UP not in path.parents)


class Templates:
    """Hints with holes, and which of them a whole hint may be."""

    def __init__(self, hints: Iterable[Hint]) -> None:
        self._hints = [(re.compile(_expression(hint.text), re.DOTALL), hint) for hint in hints]

    def of(self, text: str) -> Sequence[Hint]:
        return [hint for expression, hint in self._hints if expression.fullmatch(text)]


def _expression(template: str) -> str:
    return ".*".join(map(re.escape, template.split(HOLE)))
