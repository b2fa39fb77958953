"""eSQL: processors in words, SQL over tuples, and a grammar that texts and palettes extend.

    WHEN @P IS A PROCESSOR: THE COUNT OF @P IS THE PROCESSOR COMBINE (APPLY CONSTANT 1 WITH @P) WITH ADDITION.
    THE COUNT OF @trades.

A query is a pipe and gives values, where the other languages give matches; `cepheid.esql` and `cepheid.compile` run it.
"""

from typing import Final

from cepheid.languages.esql.parsing import describe, parse, show

NAME: Final = "esql"
EXTENSION: Final = ".esql"

__all__ = ["EXTENSION", "NAME", "describe", "parse", "show"]
