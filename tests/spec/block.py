"""A block of a page that runs: a query, the events it is given, and what must come of it.

    query:   a then b
    trace:   1 a, 2 c, 3 b
    matches: 1-3 a b

A field goes on in the indented lines after it. Matches stand one in a line or with commas between them, in any order;
`none` says that there are none. With `disorder` the events of the trace arrive as they stand there, and `late` and
`duplicates` name those that are set aside.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from textwrap import dedent, indent

from cepheid.testing import Runner, show_matches, trace
from cepheid.testing.matches import event_names
from tests.markdown import Block, blocks
from tests.queries import read_query

FIELDS = ("query", "trace", "disorder", "matches", "late", "duplicates")
NONE = "none"

_FIELD = re.compile(r"^(?P<name>[a-z]+):(?P<text>.*(?:\n[ \t].*|\n(?=\n*[ \t]))*)", re.MULTILINE)
_BETWEEN = re.compile(r"[,\n](?![^{]*\})")
_LONGEST_LINE = 90


@dataclass(frozen=True, slots=True)
class SpecBlock:
    """A block and the page it stands on."""

    page: Path
    block: Block

    @property
    def place(self) -> str:
        return f"{self.page.stem}:{self.block.line}"


def spec_blocks(page: Path) -> list[SpecBlock]:
    """Return the blocks of a page that run."""
    found = blocks(page.read_text(encoding="utf-8"))
    return [SpecBlock(page, block) for block in found if block.language == "cep"]


def fields(content: str) -> dict[str, str]:
    """Return what a block says, by the names of its fields; a field that does not exist is refused."""
    said = {found["name"]: dedent_field(found["text"]) for found in _FIELD.finditer(content)}
    unknown = [name for name in said if name not in FIELDS]
    missing = [name for name in ("query", "trace", "matches") if name not in said]
    if unknown or missing:
        raise ValueError(f"a block has no field {unknown}, and it needs {missing}")
    return said


def dedent_field(text: str) -> str:
    """Return the text of a field without the margin that its lines have in common."""
    first, _, rest = text.partition("\n")
    return f"{first.strip()}\n{dedent(rest)}".strip()


def listed(text: str) -> list[str]:
    """Return the entries of a list, in the order of their text."""
    entries = [re.sub(r"\s+", " ", entry).strip() for entry in _BETWEEN.split(text)]
    return sorted(entry for entry in entries if entry not in ("", NONE))


def outcome(said: Mapping[str, str], language: str, place: str, runner: Runner) -> dict[str, list[str]]:
    """Return what comes of a block on a runner: its matches, and what was set aside."""
    program, arrivals = read_query(said["query"], language or "cep", place), trace(said["trace"], name=place)
    disorder = int(said["disorder"]) if "disorder" in said else None
    given = arrivals if disorder is not None else sorted(arrivals, key=lambda event: event.end)
    result = runner.run(program, given, disorder=disorder or 0)
    names = event_names(arrivals)
    return {
        "matches": show_matches(result.matches, arrivals, named=len(program.rules) > 1),
        "late": [names[event_id] for event_id in result.late],
        "duplicates": [names[event_id] for event_id in result.duplicates],
    }


def rewritten(content: str, found: Mapping[str, Sequence[str]]) -> str:
    """Return the content of a block with what came of it."""
    for name in ("matches", "late", "duplicates"):
        content = _with_field(content, name, _laid_out(found[name]))
    return content


def _with_field(content: str, name: str, text: str) -> str:
    """Return the content with another text in one field, if it has that field."""
    aligned = re.search(r"^query: *(?=\S)", content, re.MULTILINE)
    column = len(aligned[0]) if aligned else len("matches: ")
    entry = f"{name}:\n{indent(text, '  ')}" if "\n" in text else f"{f'{name}: ':{column}}{text}"
    return re.sub(rf"^{name}:.*(?:\n[ \t].*)*", lambda _: entry, content, flags=re.MULTILINE)


def rewrite(spec: SpecBlock, found: Mapping[str, Sequence[str]]) -> None:
    """Write what came of a block into its page."""
    text = spec.page.read_text(encoding="utf-8")
    changed = replace(spec.block, content=rewritten(spec.block.content, found))
    spec.page.write_text(text.replace(spec.block.content, changed.content, 1), encoding="utf-8")


def _laid_out(entries: Sequence[str]) -> str:
    """Return a list on one line where it fits and no values stand in it, else one entry in a line."""
    line = ", ".join(entries) or NONE
    return line if len(line) <= _LONGEST_LINE and "{" not in line else "\n".join(entries)
