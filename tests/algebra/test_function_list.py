"""The list of functions is complete, its examples hold, and no function fails on any values."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.function_list import FUNCTION_GROUPS, Described, listed_functions
from cepheid.algebra.functions import function_named, function_names, is_built_in
from cepheid.events import Value
from cepheid.languages.cep import read_expression

LISTED = [one for group in FUNCTION_GROUPS.values() for one in group]
WORDS = {"and", "or", "not", "in", "neg"}  # operators, which are written otherwise


@pytest.mark.parametrize("function", LISTED, ids=lambda one: one.name)
def test_examples_have_the_value_that_is_said(function: Described) -> None:
    assert evaluate(read_expression(function.example), Scope()) == evaluate(read_expression(function.value), Scope())


def test_every_built_in_function_is_listed() -> None:
    built_in = {name for name in function_names() if is_built_in(name) and re.fullmatch(r"\w+", name)}
    assert {one.name for one in LISTED} == built_in - WORDS


def test_the_list_shows_each() -> None:
    text = listed_functions()
    assert all(one.usage in text and one.example in text for one in LISTED)


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(),
    st.text(),
    st.sampled_from(["(", "10.0.0.0/8", "::1", "UTC", "2024-05-17"]),
)


@given(st.sampled_from([one.name for one in LISTED if one.name != "record"]), st.data())
def test_functions_are_total(name: str, data: st.DataObject) -> None:
    known = function_named(name)
    assert known is not None
    count = data.draw(st.integers(known.least, known.most if known.most is not None else known.least + 2))
    answer: Value = known.apply(*(data.draw(VALUES) for _ in range(count)))
    assert answer is None or isinstance(answer, bool | int | float | str | tuple)
