"""What stands where a processor asks for a function: a term, a Python function, or a constant.

A Python function has one parameter per input. `add`, `minimum` and the others of two arguments know where a cumulation
starts.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from cepheid.algebra.builder.terms import Term
from cepheid.algebra.expressions import Call, Expr, Literal, Variable
from cepheid.algebra.graphs.objects import Thing, operation_named
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.showing_terms import shown_term
from cepheid.algebra.graphs.terms import function as term_function
from cepheid.algebra.graphs.terms import reads

Given: TypeAlias = Thing
"""A term, a function of Python, or any other object as a constant."""


class _Nothing:
    """There is no value; unlike None, which is one."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "NOTHING"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        return "NOTHING"  # there is one, in every process


NOTHING: Final = _Nothing()


@dataclass(frozen=True, slots=True, eq=False)
class TwoPlace:
    """A function of two arguments with a name, and what a cumulation of it starts with."""

    name: str
    function: str
    initial: Thing = NOTHING

    def __call__(self, left: Thing, right: Thing) -> Thing:
        if isinstance(left, Term) or isinstance(right, Term):
            return term_function(self.function)(left, right)
        return operation_named(self.function)(left, right)

    def __repr__(self) -> str:
        return self.name


add = TwoPlace("add", "+", 0)
subtract = TwoPlace("subtract", "-", 0)
multiply = TwoPlace("multiply", "*", 1)
divide = TwoPlace("divide", "/", 1)
minimum = TwoPlace("minimum", "min")
maximum = TwoPlace("maximum", "max")
and_ = TwoPlace("and_", "and", True)
or_ = TwoPlace("or_", "or", False)


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A function of so many inputs: a term that is known, or one of Python that is called."""

    arity: int
    term: Expr | None = None
    call: Callable[..., Thing] | None = None
    names: frozenset[str] = field(default_factory=frozenset)

    def __repr__(self) -> str:
        if self.term is not None:
            return shown_term(self.term)
        return getattr(self.call, "__name__", None) or type(self.call).__name__


def function_of(given: Given) -> Function:
    """Return what stands for a function as one."""
    if isinstance(given, Function):
        return given
    if isinstance(given, TwoPlace):
        return Function(2, Call(given.function, (Variable("$0"), Variable("$1"))))
    if isinstance(given, Term):
        arity, names = reads(given.expression)
        return Function(arity, given.expression, names=names)
    if callable(given):
        return Function(_parameters(given), call=given)
    return Function(0, Literal(given))


def function_of_at_most(what: str, arity: int, given: Given) -> Function:
    """Return a function that reads no more than so many inputs, or refuse it."""
    function = function_of(given)
    if function.arity > arity:
        inputs = "1 input" if arity == 1 else f"{arity} inputs"
        raise refusal(f"`{function!r}` reads {function.arity} inputs, and {what} has {inputs}")
    return function


def _parameters(call: Callable[..., Thing]) -> int:
    """Return how many arguments a function must be called with; 1 where Python does not say."""
    try:
        parameters = inspect.signature(call).parameters.values()
    except (TypeError, ValueError):
        return 1
    needed = [one for one in parameters if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    required = [one for one in needed if one.default is one.empty]
    return len(required) or min(len(needed), 1) or 1
