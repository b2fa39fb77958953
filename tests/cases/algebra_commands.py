"""`text <kind>`: read a text of the algebra and show it again, in the form that `show` prefers."""

from collections.abc import Callable, Mapping

from cepheid.algebra.text import show
from cepheid.algebra.text.show import Node
from cepheid.languages.cep import (
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

_READERS: Mapping[str, Callable[[str], Node]] = {
    "difference": read_difference,
    "expression": read_expression,
    "formula": read_formula,
    "pattern": read_pattern,
    "pipe": read_pipe,
    "policy": read_policy,
    "program": read_program,
    "rule": read_rule,
    "stream": read_stream,
    "table": read_table,
}


def shown_again(arguments: str, text: str) -> str:
    return show(_READERS[arguments](text))
