"""Arithmetic never raises; it is exact on integers, IEEE on floats and null elsewhere."""

import math
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.events import (
    Value,
    absolute,
    add,
    divide,
    equal,
    floor_divide,
    integer,
    modulo,
    multiply,
    negate,
    power,
    subtract,
)
from tests.events.value_strategies import FLOATS, INTEGERS, NUMBERS, VALUES

Binary = Callable[[Value, Value], Value]
BINARY: list[Binary] = [add, subtract, multiply, divide, floor_divide, modulo, power]
GREATEST = 2**63 - 1
LEAST = -(2**63)


@pytest.mark.parametrize("operation", BINARY)
@given(left=VALUES, right=VALUES)
def test_every_operation_answers_on_all_values(operation: Binary, left: Value, right: Value) -> None:
    result = operation(left, right)
    assert result is None or isinstance(result, int | float | str)
    if isinstance(result, int):
        assert integer(result) is not None


@given(VALUES)
def test_signs_can_be_turned_on_all_values(value: Value) -> None:
    for result in (negate(value), absolute(value)):
        assert result is None or isinstance(result, int | float)


@pytest.mark.parametrize("operation", BINARY)
@given(left=INTEGERS, right=INTEGERS)
def test_two_integers_give_an_integer_except_when_divided(operation: Binary, left: int, right: int) -> None:
    expected = float if operation is divide else int
    assert operation(left, right) is None or type(operation(left, right)) is expected


@pytest.mark.parametrize("operation", BINARY)
@given(left=NUMBERS, right=FLOATS)
def test_a_float_makes_the_result_a_float(operation: Binary, left: float, right: float) -> None:
    for result in (operation(left, right), operation(right, left)):
        assert result is None or type(result) is float


@pytest.mark.parametrize("operation", BINARY)
@given(value=VALUES)
def test_null_gives_null(operation: Binary, value: Value) -> None:
    assert operation(value, None) is None
    assert operation(None, value) is None


@given(INTEGERS, INTEGERS)
def test_quotient_and_remainder_make_up_the_dividend(dividend: int, divisor: int) -> None:
    quotient, remainder = floor_divide(dividend, divisor), modulo(dividend, divisor)
    if quotient is not None:
        assert equal(add(multiply(quotient, divisor), remainder), dividend) is not False
        assert remainder == dividend - int(quotient) * divisor


@given(INTEGERS, st.integers(-2, 70))
def test_integer_powers_are_exact_or_null(base: int, exponent: int) -> None:
    assert power(base, exponent) == (integer(base**exponent) if exponent >= 0 else None)


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (add(GREATEST, 1), None),
        (subtract(LEAST, 1), None),
        (multiply(2**32, 2**31), None),
        (floor_divide(LEAST, -1), None),
        (negate(LEAST), None),
        (absolute(LEAST), None),
        (power(2, GREATEST), None),
        (power(-1, GREATEST), -1),
        (power(0, 0), 1),
        (power(2, -1), None),
        (divide(1, 0), None),
        (divide(0.0, 0.0), None),
        (floor_divide(1, 0.0), None),
        (modulo(1, 0), None),
        (add("a", "b"), "ab"),
        (add("a", 1), None),
        (add(True, 1), None),
        (negate(True), None),
        (multiply("a", 3), None),
        (modulo("%s", 3), None),
        (multiply(1e308, 10), math.inf),
        (power(1e200, 2), None),
        (power(0.0, -1), None),
        (power(-8.0, 0.5), None),
        (power(2, 0.5), math.sqrt(2)),
        (floor_divide(-7, 2), -4),
        (modulo(-7, 2.5), 0.5),
        (add((1,), (2,)), None),
    ],
)
def test_results(result: Value, expected: Value) -> None:
    assert result == expected
    assert type(result) is type(expected)
