"""Casts never raise, and text casts back to what it came from."""

import math

import pytest
from hypothesis import given

from cepheid.events import Value, cast_bool, cast_float, cast_int, cast_string, equal, integer
from tests.events.value_strategies import FLOATS, INTEGERS, VALUES


@given(VALUES)
def test_every_cast_answers_on_all_values(value: Value) -> None:
    whole = cast_int(value)
    assert whole is None or (type(whole) is int and integer(whole) is not None)
    assert isinstance(cast_float(value), float | None)
    assert isinstance(cast_string(value), str | None)
    assert isinstance(cast_bool(value), bool | None)


@given(INTEGERS)
def test_integers_survive_as_text(number: int) -> None:
    assert cast_int(cast_string(number)) == number


@given(FLOATS)
def test_floats_survive_as_text(number: float) -> None:
    assert equal(cast_float(cast_string(number)), number)


@pytest.mark.parametrize("answer", [True, False])
def test_booleans_survive_as_text(answer: bool) -> None:
    assert cast_bool(cast_string(answer)) is answer
    assert cast_bool(cast_int(answer)) is answer


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (cast_int("12"), 12),
        (cast_int("+12"), 12),
        (cast_int("1_000"), None),
        (cast_int("٣"), None),
        (cast_int(""), None),
        (cast_int("9" * 5000), None),
        (cast_int(str(2**63)), None),
        (cast_int(2.9), 2),
        (cast_int(-2.9), -2),
        (cast_int(math.nan), None),
        (cast_int(-math.inf), None),
        (cast_int(float(2**63)), None),
        (cast_int((1,)), None),
        (cast_float("1e400"), math.inf),
        (cast_float("."), None),
        (cast_float(".5"), 0.5),
        (cast_float("infinit"), None),
        (cast_float(False), 0.0),
        (cast_float({"x": 1}), None),
        (cast_string(-math.inf), "-Infinity"),
        (cast_string(2**63), None),
        (cast_string(None), None),
        (cast_bool("FALSE"), False),
        (cast_bool("1"), None),
        (cast_bool(2), True),
        (cast_bool(0.0), False),
        (cast_bool(()), None),
    ],
)
def test_results(result: Value, expected: Value) -> None:
    assert result == expected
    assert type(result) is type(expected)
