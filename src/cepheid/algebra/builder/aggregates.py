"""Aggregates over the items of a repetition or a collection; they stand in its `values` and nowhere else."""

from cepheid.algebra.builder.terms import Operand, Term, expression_of
from cepheid.algebra.expressions import Aggregate


def count(of: Operand = None) -> Term:
    """The number of items; with a term, of the items for which it is not null."""
    return Term(Aggregate("count")) if of is None else _aggregate("count", of)


def sum(of: Operand) -> Term:  # noqa: A001  # users write `c.agg.sum`
    """The sum of all values."""
    return _aggregate("sum", of)


def avg(of: Operand) -> Term:
    """The mean of all values."""
    return _aggregate("avg", of)


def minimum(of: Operand) -> Term:
    """The smallest of all values."""
    return _aggregate("min", of)


def maximum(of: Operand) -> Term:
    """The largest of all values."""
    return _aggregate("max", of)


def first(of: Operand) -> Term:
    """The value of the first item that has one."""
    return _aggregate("first", of)


def last(of: Operand) -> Term:
    """The value of the last item that has one."""
    return _aggregate("last", of)


def list_of(of: Operand) -> Term:
    """All values, in the order of the items."""
    return _aggregate("list", of)


def _aggregate(function: str, of: Operand) -> Term:
    return Term(Aggregate(function, expression_of(of)))
