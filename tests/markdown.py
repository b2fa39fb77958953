"""Pages that run: find the fenced blocks of a Markdown page."""

import re
from dataclasses import dataclass

_FENCED = re.compile(r"^```(?P<language>[\w-]+)(?P<arguments>[ \w-]*)\n(?P<content>.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block, and the line of the page its content starts on; arguments stand after the language."""

    language: str
    content: str
    line: int
    arguments: str = ""


def blocks(page: str) -> list[Block]:
    return [
        Block(
            found["language"],
            found["content"],
            page.count("\n", 0, found.start("content")) + 1,
            found["arguments"].strip(),
        )
        for found in _FENCED.finditer(page)
    ]
