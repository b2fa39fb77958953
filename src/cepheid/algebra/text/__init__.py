"""The text form of the algebra: every node as text that a person reads easily, and that reads back exactly."""

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
from cepheid.algebra.text.show import show

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
