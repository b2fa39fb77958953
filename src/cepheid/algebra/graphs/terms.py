"""What users write about the inputs of a processor: `x`, `y` and `z`, with Python's own operators.

    x * 2        field("price") > context("limit")        if_(x["open"], y, 0)

Such a term may hold any object as a constant, a set or a date say.
"""

from collections.abc import Callable
from typing import Final

from cepheid.algebra.builder.terms import Term
from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Variable
from cepheid.algebra.functions import function_named
from cepheid.algebra.graphs.native_calls import Native, NativeCall
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.showing_terms import shown_term
from cepheid.events.casts import cast_float, cast_int


class PipeTerm(Term):
    """A value that is computed for every front of a processor."""

    __slots__ = ()
    __iter__ = None

    def __getitem__(self, key: Thing) -> "PipeTerm":
        """The field of a record, the item of a sequence, or what an object has under this key."""
        match self.expression:
            case Variable(name) if isinstance(key, str):
                return PipeTerm(Field(name, key))
            case _:
                return self._call("get", key)

    def __repr__(self) -> str:
        return shown_term(self.expression)

    __str__ = __repr__

    def _call(self, function: str, *others: Thing) -> "PipeTerm":
        return PipeTerm(Call(function, (self.expression, *map(expression, others))))

    def _called(self, function: str, other: Thing) -> "PipeTerm":
        return PipeTerm(Call(function, (expression(other), self.expression)))

    def __rpow__(self, other: Thing) -> "PipeTerm":
        return self._called("pow", other)


class NativeTerm(PipeTerm):
    """A function of a palette: of the first input as it stands, of another term when it is called with one."""

    __slots__ = ()

    def __call__(self, *operands: Thing) -> "PipeTerm":
        call = self.expression
        if not isinstance(call, NativeCall):
            raise refusal(f"`{self}` is no function", "call the function itself, as in `p.number(p.y)`")
        made = NativeCall(call.name, call.function, tuple(map(expression, operands)), call.in_context)
        return PipeTerm(made)


def expression(operand: Thing) -> Expr:
    """Return what an operand stands for: itself where it is a term, else a constant."""
    return operand.expression if isinstance(operand, Term) else Literal(operand)


def arg(place: int) -> PipeTerm:
    """The input at a position, counted from 0."""
    if place < 0:
        raise refusal(f"there is no input {place}", "inputs are counted from 0")
    return PipeTerm(Variable(f"${place}"))


x, y, z = arg(0), arg(1), arg(2)


def field(name: str) -> PipeTerm:
    """The field of the first input: `x[name]`."""
    return x[name]


def context(name: str) -> PipeTerm:
    """What the context of the processor has under this name; None where it has nothing."""
    return PipeTerm(Variable(name))


def if_(condition: Thing, yes: Thing, no: Thing) -> PipeTerm:
    """`yes` where the condition is True, else `no`."""
    return function("if")(condition, yes, no)


def list_of(*items: Thing) -> PipeTerm:
    """A tuple of these values."""
    return function("list")(*items)


def record_of(**named: Thing) -> PipeTerm:
    """A record of these values."""
    return function("record")(*(part for pair in named.items() for part in pair))


def function(name: str) -> Callable[..., PipeTerm]:
    """A function of the algebra, or a registered one, by its name."""
    if function_named(name) is None:
        raise refusal(
            f"there is no function `{name}`", "register it with `c.terms.register`, or apply a Python function"
        )

    def call(*operands: Thing) -> PipeTerm:
        return PipeTerm(Call(name, tuple(map(expression, operands))))

    return call


def native(name: str, function: Native, *, in_context: bool = False) -> NativeTerm:
    """A function of a palette, that terms can be made of.

    >>> double = native("double", lambda value: value * 2)
    >>> double, double(y) + 1
    (double, double(y) + 1)
    """
    return NativeTerm(NativeCall(name, function, (Variable("$0"),), in_context))


def _number(value: Thing) -> int | float | None:
    if not isinstance(value, str):
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None
    whole = cast_int(value)
    return cast_float(value) if whole is None else whole


number = native("number", _number)
"""A text as a number, whole where it can be; None where it is none."""


DEEPEST: Final = 300
"""How deep a term may be nested."""


def reads(node: Expr) -> tuple[int, frozenset[str]]:
    """Return how many inputs an expression reads, and which names of the context."""
    places, names, ahead = 0, set(), [(node, 1)]
    while ahead:
        inner, depth = ahead.pop()
        if depth > DEEPEST:
            raise refusal(f"a term is nested too deep, more than {DEEPEST} levels", "apply one part after the other")
        match inner:
            case Variable(name) | Field(name, _) | IsBound(name):
                if name.startswith("$"):
                    places = max(places, int(name[1:]) + 1)
                else:
                    names.add(name)
            case Call(_, arguments) | NativeCall(arguments=arguments):
                ahead += [(argument, depth + 1) for argument in arguments]
    return places, frozenset(names)
