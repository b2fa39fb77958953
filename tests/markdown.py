"""Pages that run: find the fenced blocks of a Markdown page."""

import re
from dataclasses import dataclass

_FENCED = re.compile(r"^```(?P<language>[\w-]+)\n(?P<content>.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """A fenced block, and the line of the page its content starts on."""

    language: str
    content: str
    line: int


def blocks(page: str) -> list[Block]:
    return [
        Block(found["language"], found["content"], page.count("\n", 0, found.start("content")) + 1)
        for found in _FENCED.finditer(page)
    ]
