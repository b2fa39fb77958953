"""Text of generated code: lines that are indented as they are nested."""

from collections.abc import Iterator
from contextlib import contextmanager

INDENT = "    "


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
