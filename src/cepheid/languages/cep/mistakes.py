"""Mistakes in a text, as errors that point at them."""

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Span


def mistake(message: str, span: Span, label: str, *hints: str, code: str = "syntax") -> CepheidError:
    return CepheidError(Diagnostic(code, message, (Label(span, label),), hints=hints))
