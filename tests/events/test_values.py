"""Comparisons are total, ordered and agree with one another."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.events import Value, and_, equal, integer, key_of, less, not_, or_, sort_key
from tests.events.value_strategies import KNOWN, NUMBERS, VALUES

NAN = float("nan")


def holds_null(value: Value) -> bool:
    if isinstance(value, tuple):
        return any(holds_null(part) for part in value)
    if isinstance(value, dict):
        return any(holds_null(part) for part in value.values())
    return value is None


@given(VALUES, VALUES)
def test_comparisons_answer_true_false_or_null(left: Value, right: Value) -> None:
    assert equal(left, right) in (True, False, None)
    assert less(left, right) in (True, False, None)


@given(VALUES, VALUES)
def test_equality_is_symmetric(left: Value, right: Value) -> None:
    assert equal(left, right) is equal(right, left)


@given(VALUES)
def test_a_value_equals_itself_unless_it_holds_null(value: Value) -> None:
    assert equal(value, value) is (None if holds_null(value) else True)


@given(VALUES, VALUES)
def test_exactly_one_of_less_equal_and_greater_holds_in_an_order(left: Value, right: Value) -> None:
    before, after = less(left, right), less(right, left)
    assert (before is None) == (after is None)
    if before is not None:
        assert [before, equal(left, right), after].count(True) == 1


@given(KNOWN, KNOWN)
def test_known_scalars_compare_exactly_when_they_are_of_one_kind(left: Value, right: Value) -> None:
    assert (equal(left, right) is None) == (less(left, right) is None)


@given(st.lists(NUMBERS, min_size=3, max_size=3))
def test_less_is_transitive(numbers: list[float]) -> None:
    first, second, third = numbers
    if less(first, second) and less(second, third):
        assert less(first, third)


@given(VALUES, VALUES)
def test_keys_are_equal_when_values_are_and_differ_when_values_differ(left: Value, right: Value) -> None:
    answer = equal(left, right)
    if answer is not None:
        assert (key_of(left) == key_of(right)) is answer
    if key_of(left) == key_of(right):
        assert hash(key_of(left)) == hash(key_of(right))
        assert answer is not False


@given(VALUES, VALUES)
def test_sort_keys_agree_with_less_and_with_keys(left: Value, right: Value) -> None:
    if less(left, right) is not None:
        assert (sort_key(left) < sort_key(right)) is less(left, right)
    assert (sort_key(left) == sort_key(right)) == (key_of(left) == key_of(right))
    assert (sort_key(left) < sort_key(right)) or (sort_key(left) >= sort_key(right))


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        (None, None, None),
        (None, 1, None),
        (NAN, NAN, True),
        (0.0, -0.0, True),
        (1, 1.0, True),
        (2**53 + 1, float(2**53), False),
        (True, 1, None),
        (True, True, True),
        ("1", 1, None),
        ("a", "a", True),
        ((1, 2), (1, 2.0), True),
        ((1,), (1, 2), False),
        ((None, 1), (2, 3), False),
        ((None, 1), (2, 1), None),
        ({"x": 1}, {"x": 1.0}, True),
        ({"x": 1}, {"x": 2, "y": 3}, False),
        ({"x": 1}, {"x": 1, "y": 3}, None),
        ({"x": 1}, (1,), None),
    ],
)
def test_equal(left: Value, right: Value, answer: bool | None) -> None:
    assert equal(left, right) is answer


@pytest.mark.parametrize(
    ("left", "right", "answer"),
    [
        (None, 1, None),
        (math.inf, NAN, True),
        (NAN, NAN, False),
        (NAN, math.inf, False),
        (float(2**53), 2**53 + 1, True),
        (False, True, True),
        (False, 1, None),
        ("a", "b", True),
        ("10", 9, None),
        ((1, "b"), (1, "c"), True),
        ((1,), (1, 0), True),
        ((1, None), (2, None), True),
        ((None, 1), (2, 2), None),
        ((1, "a"), (1, 2), None),
        ({"x": 1}, {"x": 2}, None),
    ],
)
def test_less(left: Value, right: Value, answer: bool | None) -> None:
    assert less(left, right) is answer


def test_an_object_that_is_no_value_counts_as_null() -> None:
    stranger: Value = [1]  # type: ignore[assignment]
    assert equal(stranger, stranger) is None
    assert less(stranger, 1) is None
    assert key_of(stranger) is None
    assert sort_key(stranger) == sort_key(None)


@given(st.sampled_from([True, False, None]), st.sampled_from([True, False, None]))
def test_the_connectives_are_kleenes(left: bool | None, right: bool | None) -> None:
    rank = {False: 0, None: 1, True: 2}
    assert rank[and_(left, right)] == min(rank[left], rank[right])
    assert rank[or_(left, right)] == max(rank[left], rank[right])
    assert rank[not_(left)] == 2 - rank[left]


@given(VALUES, VALUES)
def test_the_connectives_take_what_is_not_a_boolean_as_unknown(left: Value, right: Value) -> None:
    known_left, known_right = (side if isinstance(side, bool) else None for side in (left, right))
    assert and_(left, right) is and_(known_left, known_right)
    assert or_(left, right) is or_(known_left, known_right)
    assert not_(left) is not_(known_left)


def test_integers_have_64_bits() -> None:
    assert integer(-(2**63)) == -(2**63)
    assert integer(-(2**63) - 1) is None
    assert integer(2**63) is None
