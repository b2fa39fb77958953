"""What is wrong where a text leaves the grammar: the first explanation that fits."""

from collections.abc import Callable
from functools import partial
from typing import Final

from cepheid.diagnostics import CepheidError
from cepheid.languages.parte.bracket_mistakes import empty_entry, unclosed_bracket
from cepheid.languages.parte.clause_mistakes import (
    anything_else,
    incomplete_clause,
    incomplete_pattern,
    incomplete_reaction,
    missing_clause,
    missing_template,
    missing_type,
    not_instead_of_no,
    unknown_statement,
    wrong_length,
)
from cepheid.languages.parte.condition_mistakes import (
    chained_comparison,
    missing_operand,
    missing_operator,
    unknown_sign,
)
from cepheid.languages.parte.stops import Around
from cepheid.languages.shared.brackets import unclosed_quote, unopened_bracket
from cepheid.languages.shared.grammars import Stop

_EXPLANATIONS: Final[tuple[Callable[[Around], CepheidError | None], ...]] = (
    unclosed_quote,
    unknown_sign,
    wrong_length,
    chained_comparison,
    empty_entry,
    missing_operand,
    partial(unopened_bracket, kinds="([{"),
    unclosed_bracket,
    not_instead_of_no,
    missing_template,
    missing_type,
    incomplete_reaction,
    missing_operator,
    unknown_statement,
    incomplete_pattern,
    missing_clause,
    incomplete_clause,
)


def mistake(stop: Stop) -> CepheidError:
    """Return the error that explains why reading stopped."""
    around = Around(stop)
    found = (explanation(around) for explanation in _EXPLANATIONS)
    return next((error for error in found if error is not None), anything_else(around))
