"""Values in place of the question marks of a text, written so that nothing in them is read as anything else."""

import math
from collections.abc import Sequence
from datetime import date, time
from decimal import Decimal

from cepheid.diagnostics import Source
from cepheid.languages.esql.grammars.tokens import tokens_of

__all__ = ["with_parameters"]


def with_parameters(text: str, values: Sequence[object]) -> str:
    """Return a text with values for its question marks, in their order.

    >>> with_parameters("SELECT a FROM t WHERE b = ? AND c > ?", ["it's", 3])
    "SELECT a FROM t WHERE b = 'it''s' AND c > 3"
    """
    marks = [token for token in tokens_of(Source("<query>", text)) if token.text == "?"]
    if len(marks) != len(values):
        raise ValueError(f"the text has {len(marks)} question marks, and there are {len(values)} values")
    for mark, value in zip(reversed(marks), reversed(values), strict=True):
        text = text[: mark.start] + literal(value) + text[mark.end :]
    return text


def literal(value: object) -> str:
    """Return how a value is written; what has no way to be is a `TypeError`."""
    match value:
        case None:
            return "NULL"
        case bool():
            return "TRUE" if value else "FALSE"
        case int():
            return f"({value})" if value < 0 else str(value)
        case float() if math.isfinite(value):
            return f"({value!r})" if value < 0 else repr(value)
        case Decimal() if value.is_finite():
            return literal(float(value))
        case str():
            return "'" + value.replace("'", "''") + "'"
        case date() | time():
            return f"'{value.isoformat()}'"
    raise TypeError(f"a `{type(value).__name__}` cannot be a parameter")
