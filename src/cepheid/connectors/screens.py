"""Text on its way to where somebody reads it: a terminal is not given what it would obey instead of show."""

import io
from typing import Final, TextIO, cast

from cepheid.diagnostics import visible

UNSAYABLE: Final = "backslashreplace"
"""How characters are written that an encoding has not: as JSON escapes them."""


class Screen(io.TextIOBase):
    """A terminal, to which control characters are written as escapes."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str, /) -> int:
        return self._stream.write(visible(text, lines=True))

    def flush(self) -> None:
        self._stream.flush()


def shown_on(stream: TextIO) -> TextIO:
    """Return a stream that writes all characters in one way or another, to a terminal as ones that can be seen."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=UNSAYABLE)
    return cast(TextIO, Screen(stream)) if stream.isatty() else stream
