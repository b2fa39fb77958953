"""What is wrong where a text leaves the grammar: the first explanation that fits."""

from collections.abc import Callable
from typing import Final

from cepheid.diagnostics import CepheidError
from cepheid.languages.algebra.bracket_mistakes import (
    empty_brackets,
    misplaced_condition,
    stray_bracket,
    unclosed_bracket,
)
from cepheid.languages.algebra.operator_mistakes import (
    chained_comparison,
    missing_operand,
    missing_operator,
    unknown_operator,
)
from cepheid.languages.algebra.statement_mistakes import (
    anything_else,
    incomplete_definition,
    incomplete_field,
    incomplete_statement,
    misplaced_emits,
    missing_attribute,
    missing_entry,
    missing_length,
    second_key,
    value_as_event,
)
from cepheid.languages.algebra.stops import Surroundings
from cepheid.languages.shared.brackets import unclosed_quote
from cepheid.languages.shared.grammars import Stop

_EXPLANATIONS: Final[tuple[Callable[[Surroundings], CepheidError | None], ...]] = (
    unclosed_quote,
    missing_length,
    missing_attribute,
    second_key,
    misplaced_emits,
    chained_comparison,
    unknown_operator,
    empty_brackets,
    misplaced_condition,
    missing_operand,
    stray_bracket,
    unclosed_bracket,
    incomplete_field,
    incomplete_definition,
    incomplete_statement,
    missing_entry,
    missing_operator,
    value_as_event,
)


def mistake(stop: Stop) -> CepheidError:
    """Return the error that explains why reading stopped."""
    around = Surroundings(stop)
    found = (explanation(around) for explanation in _EXPLANATIONS)
    return next((error for error in found if error is not None), anything_else(around))
