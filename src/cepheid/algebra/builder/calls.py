"""Functions of terms: choices between values, functions by name, tables, and whether something was bound."""

from typing import Protocol

from cepheid.algebra.builder.records import Readable
from cepheid.algebra.builder.terms import Operand, Term, expression_of
from cepheid.algebra.expressions import Call, IsBound, Lookup, Variable
from cepheid.diagnostics import CepheidError, Diagnostic


class TermFunction(Protocol):
    """A function that makes a term of terms and constants."""

    def __call__(self, *operands: Operand) -> Term: ...


def if_(condition: Term, yes: Operand, no: Operand) -> Term:
    """`yes` where the condition is true, `no` where it is false or null."""
    return function("if")(condition, yes, no)


def coalesce(*operands: Operand) -> Term:
    """The first operand that is not null."""
    return _alike("coalesce", operands)


def least(*operands: Operand) -> Term:
    """The smallest of some values of one match; over the items of a repetition it is `minimum`."""
    return _alike("min", operands)


def greatest(*operands: Operand) -> Term:
    """The largest of some values of one match; over the items of a repetition it is `maximum`."""
    return _alike("max", operands)


def function(name: str) -> TermFunction:
    """A function by its name, built in or registered.

    >>> function("sqrt")(2)
    Term(sqrt(2))
    """

    def call(*operands: Operand) -> Term:
        return Term(Call(name, tuple(expression_of(operand) for operand in operands)))

    return call


def lookup(table: str, *keys: Operand, column: str | None = None) -> Term:
    """The `column` of the row of `table` with these keys; without a column: is there such a row?"""
    return Term(Lookup(table, tuple(expression_of(key) for key in keys), column))


def variable(name: str) -> Term:
    """A variable of a chain."""
    return Term(Variable(name))


def bound(what: Readable | Term | str) -> Term:
    """Was this part (of an alternative), or this variable (of a chain), bound?"""
    match what:
        case str():
            return Term(IsBound(what))
        case Term(Variable(name)):
            return Term(IsBound(name))
        case Readable():
            return Term(IsBound(what._name))
        case _:
            raise _never_bound(what)


def _alike(name: str, operands: tuple[Operand, ...]) -> Term:
    """Call a function whose arguments are of one kind: beside a time, a string is a duration."""
    times = next((operand for operand in operands if isinstance(operand, Term)), None)
    return Term(Call(name, tuple(expression_of(operand, times) for operand in operands)))


def _never_bound(what: Term) -> CepheidError:
    message = f"`{what}` is neither a part nor a variable"
    hint = 'ask about a part, as in `bound(a)`, or about a variable, as in `bound(variable("x"))`'
    return CepheidError(Diagnostic("not-a-part", message, hints=(hint,)))
