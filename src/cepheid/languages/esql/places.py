"""Errors about a form: they point at where it stands, and at every use of a definition that brought it there."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from cepheid.diagnostics import CepheidError, Diagnostic, Label
from cepheid.languages.esql.grammars.syntax import Form, Part
from cepheid.languages.shared.findings import head

__all__ = ["called", "placed", "refused"]


def refused(part: Part, code: str, message: str, label: str, hint: str) -> CepheidError:
    """Return the error for a form."""
    return CepheidError(Diagnostic(code, message, _labels(part, label), hints=(hint,)))


@contextmanager
def placed(part: Part) -> Iterator[None]:
    """Give errors from inside a place, where they have none of their own: that of this form."""
    try:
        yield
    except CepheidError as error:
        if any(one.labels or one.place for one in error.diagnostics):
            raise
        labels = _labels(part, "here")
        raise CepheidError(*(replace(one, labels=labels) for one in error.diagnostics)) from None


def called(part: Part, maker: Callable[..., object], given: Sequence[object]) -> object:
    """Return what a maker of a palette makes; whatever it raises is an error about the form."""
    try:
        return maker(*given)
    except CepheidError:
        raise
    except Exception as error:  # a maker is somebody else's
        told = f"what makes this failed: {type(error).__name__}: {error}"
        raise refused(part, "bad-pipe", told, "made here", "look at the maker of its palette") from error


def _labels(part: Part, text: str) -> tuple[Label, ...]:
    if not isinstance(part, Form) or part.span is None:
        return ()
    uses = tuple(Label(head(use), "used here") for use in reversed(part.uses))
    return (Label(head(part.span), text), *uses)
