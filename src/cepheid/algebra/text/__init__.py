"""The text form of the algebra: every node as text that a person reads easily, and that reads back exactly."""

from typing import TYPE_CHECKING

from cepheid.algebra.text.show import show
from cepheid.on_demand import names_on_demand

if TYPE_CHECKING:
    from cepheid.algebra.text.reading import (
        read_difference,
        read_expression,
        read_formula,
        read_pattern,
        read_pipe,
        read_policy,
        read_program,
        read_rule,
        read_stream,
        read_table,
    )

__all__ = [
    "read_difference",
    "read_expression",
    "read_formula",
    "read_pattern",
    "read_pipe",
    "read_policy",
    "read_program",
    "read_rule",
    "read_stream",
    "read_table",
    "show",
]

# Whoever shows something needs no grammar.
__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "cepheid.algebra.text.reading": (
            "read_difference",
            "read_expression",
            "read_formula",
            "read_pattern",
            "read_pipe",
            "read_policy",
            "read_program",
            "read_rule",
            "read_stream",
            "read_table",
        )
    },
)
