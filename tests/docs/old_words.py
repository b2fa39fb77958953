"""The old words of the glossary: what not to write, what to write instead, and where an old word is fine."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.docs.pages_that_run import ROOT

GLOSSARY: Final = ROOT / "docs" / "glossary.md"
HEADING: Final = "## Old words"
_PHRASE: Final = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class OldWords:
    """Phrases with what is said instead of each, and longer phrases in which they may stand."""

    said: Mapping[str, str]
    fine: tuple[str, ...]

    def found(self, text: str) -> list[str]:
        """Return what should be written otherwise in a text, whatever its lines and capitals are."""
        flat = " ".join(text.split())
        allowed = [one.span() for phrase in self.fine for one in _looked_for(phrase).finditer(flat)]
        old = (
            one.group().lower()
            for one in _looked_for(*self.said).finditer(flat)
            if not any(low <= one.start() and one.end() <= high for low, high in allowed)
        )
        return [f"write `{self.said[word]}` for `{word}`" for word in sorted(set(old))]


def old_words_of(page: str) -> OldWords:
    """Return the old words that the table of a glossary lists."""
    rows = list(_rows(page.partition(HEADING)[2]))
    said = {phrase: say for old, say, _ in rows for phrase in _PHRASE.findall(old)}
    return OldWords(said, tuple(phrase for _, _, fine in rows for phrase in _PHRASE.findall(fine)))


def read_glossary(path: Path = GLOSSARY) -> tuple[str, OldWords]:
    """Return the glossary without its table of old words, and the old words."""
    page = path.read_text(encoding="utf-8")
    return page.partition(HEADING)[0], old_words_of(page)


def _rows(table: str) -> Iterator[tuple[str, str, str]]:
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and len(cells) == 3 and "`" in cells[0]:
            yield cells[0], cells[1], cells[2]


def _looked_for(*phrases: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)
