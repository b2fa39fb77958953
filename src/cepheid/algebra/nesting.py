"""What is nested too deeply is refused: what looks at a query goes down as deep as it is, and Python has a limit."""

from collections.abc import Iterator
from contextlib import contextmanager

from cepheid.diagnostics import CepheidError, Diagnostic

_HINT = "let an inner part emit events, and let another rule read them"


@contextmanager
def limited_depth() -> Iterator[None]:
    """Say that a query is nested too deeply where looking at it comes to the limit."""
    try:
        yield
    except RecursionError:
        raise CepheidError(Diagnostic("too-deep", "the query is nested too deeply", hints=(_HINT,))) from None
