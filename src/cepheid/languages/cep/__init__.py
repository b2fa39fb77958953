"""The native language: everything the algebra can say, as text that is pleasant to write.

    f: Failed then ok: Accepted within 10 min on f.ip == ok.ip

It is the default language. `docs/languages/cep.md` shows it, and the pages under `tests/spec` teach it, construct by
construct. `parse` reads a query as a user gives it: events of one time come one after the other, and a length without a
unit is in the unit of the query. The other readers read a single construct, where a lone number counts ticks.
"""

from typing import TYPE_CHECKING, Final

from cepheid.languages.cep.printing import show
from cepheid.on_demand import names_on_demand

if TYPE_CHECKING:
    from cepheid.languages.cep.parsing import describe, parse
    from cepheid.languages.cep.reading import (
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

NAME: Final = "cep"
EXTENSION: Final = ".cep"

__all__ = [
    "EXTENSION",
    "NAME",
    "describe",
    "parse",
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
        "cepheid.languages.cep.parsing": ("describe", "parse"),
        "cepheid.languages.cep.reading": (
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
        ),
    },
)
