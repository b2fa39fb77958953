"""Terms in conditions and values: constants, functions, tables to look things up in, variables of chains.

>>> import cepheid as c
>>> trade = c.event("Trade")
>>> dear = trade.price > c.terms.coalesce(c.terms.lookup("limits", trade.symbol), 100)
"""

from cepheid.algebra.builder.calls import (
    TermFunction,
    bound,
    coalesce,
    function,
    greatest,
    if_,
    least,
    lookup,
    variable,
)
from cepheid.algebra.builder.declarations import table
from cepheid.algebra.builder.records import Extent, Record, hull
from cepheid.algebra.builder.terms import Operand, Term, constant
from cepheid.algebra.functions import NEVER, register

__all__ = [
    "NEVER",
    "Extent",
    "Operand",
    "Record",
    "Term",
    "TermFunction",
    "bound",
    "coalesce",
    "constant",
    "function",
    "greatest",
    "hull",
    "if_",
    "least",
    "lookup",
    "register",
    "table",
    "variable",
]
