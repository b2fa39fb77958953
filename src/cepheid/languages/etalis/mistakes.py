"""What is wrong where a text leaves the grammar: the first explanation that fits."""

from collections.abc import Callable
from functools import partial
from typing import Final

from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis.bracket_mistakes import empty_entry, unclosed_bracket, unclosed_quote
from cepheid.languages.etalis.operator_mistakes import (
    chained_comparison,
    missing_operand,
    missing_operator,
    unknown_operator,
    unknown_unit,
)
from cepheid.languages.etalis.statement_mistakes import (
    anything_else,
    incomplete_absence,
    incomplete_statement,
    missing_body,
    missing_condition,
    missing_dot,
)
from cepheid.languages.etalis.stops import Around
from cepheid.languages.shared.brackets import unopened_bracket
from cepheid.languages.shared.grammars import Stop

_EXPLANATIONS: Final[tuple[Callable[[Around], CepheidError | None], ...]] = (
    unclosed_quote,
    chained_comparison,
    empty_entry,
    missing_condition,
    missing_operand,
    partial(unopened_bracket, kinds="(["),
    unclosed_bracket,
    missing_dot,
    unknown_unit,
    unknown_operator,
    missing_body,
    incomplete_statement,
    incomplete_absence,
    missing_operator,
)


def mistake(stop: Stop) -> CepheidError:
    """Return the error that explains why reading stopped."""
    around = Around(stop)
    found = (explanation(around) for explanation in _EXPLANATIONS)
    return next((error for error in found if error is not None), anything_else(around))
