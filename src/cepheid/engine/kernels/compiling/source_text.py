"""Text of generated code: lines that are indented as they are nested."""

from collections.abc import Iterator
from contextlib import contextmanager

INDENT = "    "
INTO_LIST = """
behind = -1
n = HEAD
while n >= 0 and BY[n] > BY[r]:
    behind = n
    n = LINK[n]
LINK[r] = n
if behind < 0:
    HEAD = r
else:
    LINK[behind] = r
"""


class SourceText:
    r"""Lines of Python, written from the first to the last.

    >>> text = SourceText()
    >>> with text.block("if x:"):
    ...     text.line("y = 1")
    >>> str(text)
    'if x:\n    y = 1\n'
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0

    def line(self, *lines: str) -> None:
        self._lines += [INDENT * self._depth + line for line in lines]

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """Nest what is written inside under a line."""
        self.line(head)
        self._depth += 1
        yield
        self._depth -= 1

    def __str__(self) -> str:
        return "\n".join(self._lines) + "\n"


def into_list(depth: int, *, head: str, link: str, by: str) -> str:
    """Return the lines that put the row `r` into a list from the greatest to the least, which begins at its head."""
    # A link of several sides has one more index.
    text = INTO_LIST.strip().replace("HEAD", head).replace("BY", by)
    for row in ("n", "r", "behind"):
        text = text.replace(f"LINK[{row}]", link.replace("ROW", row))
    return indented(text, depth)


def indented(text: str, depth: int) -> str:
    r"""Return lines that begin so many spaces later.

    >>> indented("if x:\n    y = 1", 2)
    '  if x:\n      y = 1\n'
    """
    return "".join(f"{' ' * depth}{line}\n" for line in text.splitlines())
