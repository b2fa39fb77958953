"""Arithmetic that always has an answer, null where there is no other.

    add(2**63 - 1, 1) is None      divide(1, 0) is None      add("a", "b") == "ab"

Null comes of an operand that is null or of the wrong kind, of an integer result that 64 bits do not hold,
of a division by zero and of a result that is not real. Floats are IEEE doubles, so infinity and NaN are
results like any other. The kind of a result follows from the kinds of the operands alone: two integers give
an integer (a float under `divide`), an integer and a float give a float.
"""

import operator
from collections.abc import Callable

from cepheid.events.values import Value, integer, is_number

_LONGEST_EXPONENT = 63  # from here on, every base but -1, 0 and 1 leaves 64 bits


def add(left: Value, right: Value) -> int | float | str | None:
    """The sum of two numbers, or two strings end to end."""
    if isinstance(left, str) and isinstance(right, str):
        return left + right
    return _calculate(operator.add, left, right)


def subtract(left: Value, right: Value) -> int | float | None:
    """The difference of two numbers."""
    return _calculate(operator.sub, left, right)


def multiply(left: Value, right: Value) -> int | float | None:
    """The product of two numbers."""
    return _calculate(operator.mul, left, right)


def divide(left: Value, right: Value) -> float | None:
    """The quotient of two numbers, both taken as floats.

    >>> divide(6, 3), divide(1, 2), divide(1.0, 0.0) is None
    (2.0, 0.5, True)
    """
    return _calculate(_quotient, left, right)


def floor_divide(left: Value, right: Value) -> int | float | None:
    """The quotient rounded towards minus infinity.

    >>> floor_divide(7, 2), floor_divide(-7, 2), floor_divide(7.5, 2)
    (3, -4, 3.0)
    """
    return _calculate(operator.floordiv, left, right) if right != 0 else None


def modulo(left: Value, right: Value) -> int | float | None:
    """What `floor_divide` leaves over; it has the sign of the divisor.

    >>> modulo(7, 3), modulo(-7, 3), modulo(7, -3)
    (1, 2, -2)
    """
    return _calculate(operator.mod, left, right) if right != 0 else None


def power(base: Value, exponent: Value) -> int | float | None:
    """`base` to the power of `exponent`; a negative exponent has an answer among floats, none among integers.

    >>> power(2, 10), power(2.0, -1), power(2, -1) is None, power(2, 63) is None, power(-8.0, 0.5) is None
    (1024, 0.5, True, True, True)
    """
    if isinstance(base, int) and isinstance(exponent, int):
        return _calculate(_integer_power, base, exponent)
    return _calculate(operator.pow, base, exponent)


def negate(operand: Value) -> int | float | None:
    """The number with its sign turned.

    >>> negate(3), negate(-(2**63)) is None
    (-3, True)
    """
    return _in_range(-operand) if is_number(operand) else None


def absolute(operand: Value) -> int | float | None:
    """The number without its sign."""
    return _in_range(abs(operand)) if is_number(operand) else None


def _calculate(operation: Callable[..., object], left: Value, right: Value) -> int | float | None:
    if not (is_number(left) and is_number(right)):
        return None
    try:
        return _in_range(operation(left, right))
    except ArithmeticError:
        return None


def _in_range(result: object) -> int | float | None:
    if isinstance(result, int):
        return integer(result)
    return result if isinstance(result, float) else None


def _quotient(left: int | float, right: int | float) -> float | None:
    return float(left) / float(right) if right != 0 else None


def _integer_power(base: int, exponent: int) -> int | None:
    if exponent < 0:
        return None
    if abs(base) > 1 and exponent > _LONGEST_EXPONENT:
        return None
    return int(base**exponent)
