"""Operators between traces: `p + q` adds the values at the same positions, in one map, however long the formula gets.

(p["a"] + p["b"]) / q        reads `p` and `q` once each:   (p, q) | map ($0.a + $0.b) / $1
"""

from dataclasses import dataclass, replace
from typing import Self, TypeAlias, Union

from cepheid.algebra.builder.terms import Operand, expression_of
from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable
from cepheid.algebra.pipe_checks import sound
from cepheid.algebra.pipes import Map, Pipe
from cepheid.algebra.traversal import transform

Lifted: TypeAlias = Union["Pointwise", Operand]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Pointwise:
    """Something with a value at each position; an operator works at every position."""

    pipe: Pipe
    __iter__ = None

    def __getitem__(self, name: str | int) -> Self:
        """The field of each record, or the item of each tuple at a position counted from 0."""
        inputs: list[Pipe] = []
        whole = _placed(self, inputs)
        if isinstance(whole, Variable) and isinstance(name, str):
            return self._mapped(inputs, Field(whole.name, name))
        return self._mapped(inputs, Call("get", (whole, Literal(name))))

    def __add__(self, other: Lifted) -> Self:
        return self._lifted("+", self, other)

    def __radd__(self, other: Lifted) -> Self:
        return self._lifted("+", other, self)

    def __sub__(self, other: Lifted) -> Self:
        return self._lifted("-", self, other)

    def __rsub__(self, other: Lifted) -> Self:
        return self._lifted("-", other, self)

    def __mul__(self, other: Lifted) -> Self:
        return self._lifted("*", self, other)

    def __rmul__(self, other: Lifted) -> Self:
        return self._lifted("*", other, self)

    def __truediv__(self, other: Lifted) -> Self:
        return self._lifted("/", self, other)

    def __rtruediv__(self, other: Lifted) -> Self:
        return self._lifted("/", other, self)

    def __floordiv__(self, other: Lifted) -> Self:
        return self._lifted("//", self, other)

    def __mod__(self, other: Lifted) -> Self:
        return self._lifted("%", self, other)

    def __neg__(self) -> Self:
        return self._lifted("neg", self)

    def __abs__(self) -> Self:
        return self._lifted("abs", self)

    def __eq__(self, other: Lifted) -> Self:  # type: ignore[override]  # a trace of answers, not an answer
        return self._lifted("==", self, other)

    def __ne__(self, other: Lifted) -> Self:  # type: ignore[override]  # a trace of answers, not an answer
        return self._lifted("!=", self, other)

    def __lt__(self, other: Lifted) -> Self:
        return self._lifted("<", self, other)

    def __le__(self, other: Lifted) -> Self:
        return self._lifted("<=", self, other)

    def __gt__(self, other: Lifted) -> Self:
        return self._lifted(">", self, other)

    def __ge__(self, other: Lifted) -> Self:
        return self._lifted(">=", self, other)

    def __and__(self, other: Lifted) -> Self:
        return self._lifted("and", self, other)

    def __or__(self, other: Lifted) -> Self:
        return self._lifted("or", self, other)

    def __invert__(self) -> Self:
        return self._lifted("not", self)

    def _lifted(self, function: str, *operands: Lifted) -> Self:
        inputs: list[Pipe] = []
        arguments = tuple(_placed(operand, inputs) for operand in operands)
        return self._mapped(inputs, Call(function, arguments))

    def _mapped(self, inputs: list[Pipe], function: Expr) -> Self:
        return replace(self, pipe=sound(Map(tuple(inputs), function)))


def _placed(operand: Lifted, inputs: list[Pipe]) -> Expr:
    """Return what an operand is over `inputs`, to which those that it reads are added; a map is read through."""
    if not isinstance(operand, Pointwise):
        return expression_of(operand)
    pipe = operand.pipe
    own, function = (pipe.inputs, pipe.function) if isinstance(pipe, Map) else ((pipe,), Variable("$0"))
    places = {f"${index}": f"${_place(source, inputs)}" for index, source in enumerate(own)}
    return _renumbered(function, places)


def _place(source: Pipe, inputs: list[Pipe]) -> int:
    if source not in inputs:
        inputs.append(source)
    return inputs.index(source)


def _renumbered(function: Expr, places: dict[str, str]) -> Expr:
    def renumbered(node: object) -> object:
        match node:
            case Variable(name):
                return Variable(places.get(name, name))
            case Field(part, name):
                return Field(places.get(part, part), name)
            case _:
                return node

    return transform(function, renumbered)
