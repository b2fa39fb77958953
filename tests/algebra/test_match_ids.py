"""The id of a match tells it from every other one, and is the same wherever the match is found."""

from collections.abc import Mapping
from http import HTTPMethod, HTTPStatus
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.match_ids import Identity, keys, match_id, mixed, words_of
from cepheid.events import Value

LEAVES = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-3, 3)
    | st.floats()
    | st.text(st.characters())
    | st.just("a")
)
VALUES: st.SearchStrategy[Value] = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3).map(tuple) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=6,
)
NAN = float("nan")
DISTINCT: list[Value] = [
    *(None, False, True, 0, 1, -1, 2**63 - 1, -(2**63), 2**63, 2**64, 2**64 + 1, 1e300, 0.0, 1.0, NAN, float("inf")),
    *("", "0", "1", "null", "true", "[]", "é", "\ud83d\ude00", "😀", "\ud83d", "NaN"),
    *((), ((),), (1,), (1.0,), (True,), (None,), ("1",), ("float", "1.0"), ("a", "b"), ("a,b",)),
    *({}, {"a": 1}, {"a": 1.0}, {"b": 1}, {"a": None}, {"a": (1,)}, {"a": {"b": 1}}),
]


def one(
    version: str = "v",
    start: int = 1,
    end: int = 2,
    fields: Mapping[str, Value] | None = None,
    identity: Identity = (1, 2),
    ordinal: int = 0,
) -> str:
    return match_id(version, start, end, {} if fields is None else fields, identity, ordinal)


def test_an_id_is_what_it_was() -> None:
    """Ids are stored and compared: another release gives the same ones, or refuses what was stored."""
    fields: dict[str, Value] = {"n": 1, "x": 2.5, "text": "é", "none": None, "list": (1, {"a": True})}
    assert one() == "6bdbacae3d1e14989f2e4442a1d7ffa6"
    assert one("rule", -5, 2**62, fields, ((7, "e"), 2**70), 3) == "1c4409a8ebddf968e83327a93ffbec63"


def test_values_that_differ_have_other_words() -> None:
    for left, right in combinations(DISTINCT, 2):
        for mine, yours in zip(words_of(left), words_of(right), strict=True):
            assert mine != yours, (left, right)


def test_floats_that_are_equal_are_one() -> None:
    assert words_of(0.0) == words_of(-0.0)
    assert words_of((0.0,)) == words_of((-0.0,))
    assert words_of(NAN) == words_of(-NAN)


def test_what_a_number_or_a_text_is_called_does_not_matter() -> None:
    assert words_of(HTTPStatus.OK) == words_of(200)
    assert words_of(HTTPMethod.GET) == words_of("GET")


@given(VALUES, VALUES)
def test_words_are_the_same_exactly_for_the_same_value(left: Value, right: Value) -> None:
    assert (words_of(left) == words_of(right)) == (_told(left) == _told(right))


@pytest.mark.parametrize(
    "others",
    [
        {"version": "w"},
        {"start": 0},
        {"end": 3},
        {"start": 2, "end": 1},
        {"ordinal": 1},
        {"identity": (2, 1)},
        {"identity": (1,)},
        {"identity": (1, 2, 0)},
        {"identity": ("1", 2)},
        {"fields": {"a": None}},
        {"fields": {"b": None}},
        {"fields": {"a": 1}, "identity": (2,)},
        {"fields": {"a": 1, "b": 2}},
        {"fields": {"b": 1, "a": 2}},
        {"fields": {"b": 2, "a": 1}},
    ],
    ids=str,
)
def test_all_that_makes_a_match_is_in_its_id(others: dict[str, object]) -> None:
    assert one(**others) != one()  # type: ignore[arg-type]  # each is what its name says
    assert len(one(**others)) == 32  # type: ignore[arg-type]  # as above


def test_how_parts_are_nested_does_not_matter() -> None:
    assert one(identity=((1, (2,)), 3)) == one(identity=(1, 2, 3))


@given(st.lists(st.integers(0, 3) | st.sampled_from("ab"), min_size=600, max_size=650))
def test_a_match_of_many_events_has_an_id(identity: list[int | str]) -> None:
    left, right = list(identity), list(identity)
    right[-1], right[-2] = "c", left[-1]
    assert one(identity=tuple(left)) != one(identity=tuple(right))


def test_keys_are_odd_and_all_different() -> None:
    every = [key for pair in keys(2000) for key in pair]
    assert len(set(every)) == len(every)
    assert all(key % 2 for key in every)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1))
def test_mixing_loses_nothing(left: int, right: int) -> None:
    assert (mixed(left) == mixed(right)) == (left == right)


def _told(value: Value) -> object:
    """Return what tells values apart in ids: their types, and no signs of zeros."""
    if isinstance(value, tuple):
        return ("tuple", *map(_told, value))
    if isinstance(value, Mapping):
        return frozenset((name, _told(item)) for name, item in value.items())
    return (type(value), "nan" if value != value else value)
