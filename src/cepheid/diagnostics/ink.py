"""The colours of a drawing, as ANSI sequences; without colour every ink is invisible."""

from collections.abc import Callable
from enum import Enum

from cepheid.diagnostics.diagnostic import Severity


class Ink(Enum):
    """What a piece of a drawing is, with the ANSI codes it is shown in."""

    ERROR = "1;31"
    WARNING = "1;33"
    NOTE = "1;36"
    FRAME = "1;34"
    MESSAGE = "1"


Paint = Callable[[str, Ink], str]


def plain(text: str, ink: Ink) -> str:
    """`text` as it is, whatever the ink."""
    del ink
    return text


def ansi(text: str, ink: Ink) -> str:
    return f"\x1b[{ink.value}m{text}\x1b[0m"


def ink_of(severity: Severity) -> Ink:
    return Ink[severity.name]
