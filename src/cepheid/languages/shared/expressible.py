"""The error for a query that a language has no words for."""

from cepheid.diagnostics import CepheidError, Diagnostic


def not_expressible(language: str, what: str) -> CepheidError:
    """Return the error for `what`, which cannot be written in a language."""
    message = f"the query cannot be written in the language `{language}`"
    note = f"it has {what}, and the language has no words for that"
    hint = "every query can be written in `cep`: `cepheid convert query.json --to cep`"
    return CepheidError(Diagnostic("not-expressible", message, hints=(hint,), notes=(note,)))
