"""What is known about an expression of a step: which function of the time and the position of its record it is."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Final

from cepheid.algebra.expressions import Call, Expr, Literal, Moment, Variable
from cepheid.algebra.functions import function_named
from cepheid.algebra.relations import Axis, Edge
from cepheid.analysis.plans.linear_forms import POSITION, TIME, Known, Linear, Real, computed, rounded

_ZERO: Final = Fraction(0)


def linear(expression: Expr, known: Known, lead: str) -> Linear | None:
    """Return the value of an expression of a step, None where nothing is known about it."""
    match expression:
        case Literal(constant):
            return _literal(constant) if isinstance(constant, int | float) else None
        case Variable(name):
            return known.get(name)
        case Moment(endpoint) if endpoint.part == lead:
            if endpoint.axis is Axis.POSITION:
                return POSITION
            return TIME if endpoint.axis is Axis.TIME and endpoint.edge is Edge.END else None
        case Call("avg", (first, *rest)):
            total = reduce(lambda one, another: Call("+", (one, another)), rest, first)
            return linear(Call("/", (total, Literal(len(rest) + 1))), known, lead)
        case Call("if", (_, *chosen)):  # whichever of the two it is
            return _called("if", chosen, known, lead)
        case Call("coalesce", (first, *_)) if (value := linear(first, known, lead)) is not None and value.is_sure:
            return value
        case Call(function, arguments):
            return _called(function, arguments, known, lead)
        case _:
            return None


@lru_cache(1024, typed=True)
def _literal(constant: float) -> Linear | None:
    return Linear.of(constant)


def _called(function: str, arguments: Sequence[Expr], known: Known, lead: str) -> Linear | None:
    operation = _OF_MANY.get(function) or _OPERATIONS.get((function, len(arguments)))
    if operation is None:
        return None
    values = list[Linear]()
    for argument in arguments:
        value = linear(argument, known, lead)
        if value is None:
            return None
        values.append(value)
    numbers = [number for value in values if (number := value.number) is not None]
    if len(numbers) == len(values) and function != "if":
        return _folded(function, numbers)
    return operation(*values)


def _folded(function: str, numbers: list[float]) -> Linear | None:
    """Return what a function makes of constants."""
    named = function_named(function)
    assert named is not None
    return Linear.of(named.apply(*numbers))


def _sum(one: Linear, other: Linear) -> Linear | None:
    if one.whole and other.whole:
        return computed(one.plus(other), one.least + other.least, one.most + other.most, (one, other), whole=True)
    return rounded(one.plus(other), one.size + other.size, (one, other))


def _difference(one: Linear, other: Linear) -> Linear | None:
    if one.whole and other.whole:
        return computed(one.minus(other), one.least - other.most, one.most - other.least, (one, other), whole=True)
    return rounded(one.minus(other), one.size + other.size, (one, other))


def _negative(one: Linear) -> Linear | None:
    return computed(one.times(-1), -one.most, -one.least, (one,), whole=one.whole)


def _product(one: Linear, other: Linear) -> Linear | None:
    factor = other.number if one.number is None else one.number
    value = one if one.number is None else other
    if factor is None:
        return None
    exact: Real = factor if isinstance(factor, int) else Fraction(factor)
    ends = (value.least * exact, value.most * exact)
    if one.whole and other.whole:
        return computed(value.times(exact), min(ends), max(ends), (one, other), whole=True)
    return rounded(value.times(exact), value.size * abs(Fraction(factor)), (one, other))


def _quotient(one: Linear, other: Linear) -> Linear | None:
    if not other.number:
        return None
    factor = 1 / Fraction(other.number)
    return rounded(one.times(factor), one.size * abs(factor), (one, other))


def _floored_quotient(one: Linear, other: Linear) -> Linear | None:
    if not (one.whole and other.whole and other.number):
        return None
    factor, size = 1 / Fraction(other.number), one.size
    return _approximate(computed(one.times(factor).wider(1, 0), -size, size, (one, other), whole=True))


def _remainder(one: Linear, other: Linear) -> Linear | None:
    """Return what is left over: less than what is divided by, and of its sign."""
    if not other.number:
        return None
    exact, both = Fraction(other.number), (one, other)
    if one.whole and other.whole:
        low, high = min(exact + 1, _ZERO), max(exact - 1, _ZERO)
        return _approximate(computed(Linear(low, high), low, high, both, whole=True))
    return rounded(Linear(min(exact, _ZERO), max(exact, _ZERO)), abs(exact), both)


def _whole(one: Linear) -> Linear | None:
    """Return a number that was made whole in whatever way."""
    if one.whole:
        return one
    return _approximate(computed(one.wider(1, 1), one.least - 1, one.most + 1, (one,), whole=True))


def _approximate(form: Linear | None) -> Linear | None:
    return None if form is None else replace(form, rounded=True)


def _float(one: Linear) -> Linear | None:
    return rounded(one, one.size, (one,)) if one.whole else one


def _absolute(one: Linear) -> Linear | None:
    if one.least >= 0:
        return one
    return _negative(one) if one.most <= 0 else None


def _hull(*values: Linear) -> Linear | None:
    """Return what is one of several values."""
    found: Linear | None = values[0]
    for value in values[1:]:
        found = None if found is None else found.hull(value)
    return found


def _extreme(choose: Callable[[Iterable[Real]], Real]) -> Callable[..., Linear | None]:
    def extreme(*values: Linear) -> Linear | None:
        found = _hull(*values)
        if found is None:
            return None
        return replace(found, low=choose(one.low for one in values), high=choose(one.high for one in values))

    return extreme


_OPERATIONS: Final[Mapping[tuple[str, int], Callable[..., Linear | None]]] = {
    ("+", 2): _sum,
    ("-", 2): _difference,
    ("*", 2): _product,
    ("/", 2): _quotient,
    ("//", 2): _floored_quotient,
    ("%", 2): _remainder,
    ("neg", 1): _negative,
    ("abs", 1): _absolute,
    ("float", 1): _float,
    **{(name, 1): _whole for name in ("floor", "ceil", "round", "int")},
}
_OF_MANY: Final[Mapping[str, Callable[..., Linear | None]]] = {
    "if": _hull,
    "coalesce": _hull,
    "min": _extreme(min),
    "max": _extreme(max),
}
