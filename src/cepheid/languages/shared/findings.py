"""Findings about a text: what is wrong at one place, and what can be typed instead."""

from collections.abc import Iterable

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Severity, Span


def finding(code: str, message: str, span: Span, label: str, *hints: str, others: Iterable[Label] = ()) -> Diagnostic:
    """Return a finding at one place; `others` are places it has to do with."""
    return Diagnostic(code, message, (Label(span, label), *others), hints=hints)


def refusal(code: str, message: str, span: Span, label: str, *hints: str, others: Iterable[Label] = ()) -> CepheidError:
    """Return the error for a finding at one place."""
    return CepheidError(finding(code, message, span, label, *hints, others=others))


def warning(code: str, message: str, span: Span, label: str, *hints: str, others: Iterable[Label] = ()) -> Diagnostic:
    """Return a finding that does not stop the work."""
    return Diagnostic(code, message, (Label(span, label), *others), hints=hints, severity=Severity.WARNING)


def head(span: Span) -> Span:
    """Return the first line of a place."""
    return Span(span.source, span.start, span.start + len(span.text.split("\n")[0].rstrip()))


def listed(names: Iterable[str]) -> str:
    """Return names in backticks with commas between them."""
    return ", ".join(f"`{name}`" for name in names)


def counted(number: int, thing: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "argument"), counted(2, "argument")
    ('1 argument', '2 arguments')
    """
    return f"{number} {thing}" + "s" * (number != 1)
