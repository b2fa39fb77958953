"""Ways out in the options of the command line, where whoever uses Python is told the arguments of a call."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from cepheid.diagnostics import CepheidError, Diagnostic

_HINTS: Final[Mapping[str, tuple[str, ...]]] = {
    "no-order": (
        "name a column that counts them: `--order-by offset`",
        "let none of them follow another: `--ties simultaneous`",
    ),
}


@contextmanager
def in_options() -> Iterator[None]:
    """Say what is refused with hints that can be typed on the command line."""
    try:
        yield
    except CepheidError as error:
        raise CepheidError(*map(_in_options, error.diagnostics)) from None


def _in_options(finding: Diagnostic) -> Diagnostic:
    return replace(finding, hints=_HINTS.get(finding.code, finding.hints))
