"""Hints whose texts stand in tables: each is provoked, put where the message says, and the query then compiles."""

import re
from enum import Enum

import pytest

import cepheid
from cepheid.algebra.time_functions import PARTS
from cepheid.algebra.validation import constants
from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis.meaning import Loose

# The query, what is put into it, where, and the hint that says so.
LOOSE: list[tuple[Loose, str, str, str]] = [
    (Loose.IN_ONE_ALTERNATIVE, "e(X) <- a(X) OR b(Y).", "b(Y)", "b(X)"),
    (Loose.IN_ONE_ALTERNATIVE, "e(X) <- a(X) OR b(Y).", "e(X)", "e"),
    (Loose.ABSENT_ONLY, "e(X) <- (NOT(c(X)).[a, b]).1 h.", "[a,", "[a(X),"),
    (Loose.VARIES, "e(X, max(X)) <- (star(a(X))).1 h.", "e(X, max(X))", "e(max(X))"),
]
# The function, a call of it, a constant that it cannot take, and what the hint says.
CONSTANTS = [
    ("matches", 'matches(a.x, "(")', '"("', r'"\\("'),
    ("extract", 'extract(a.x, "(") == "1"', '"("', r'"\\("'),
    ("cidr_contains", 'cidr_contains("10.0.0/8", a.x)', '"10.0.0/8"', '"10.0.0.0/8"'),
    *((part, f'{part}(a.x, "Europe/Berln") == 1', '"Europe/Berln"', '"Europe/Berlin"') for part in PARTS),
    ("hour", 'hour(a.x, "nowhere at all") == 1', '"nowhere at all"', '"Europe/Berlin"'),
]


def refused(text: str, language: str) -> CepheidError:
    with pytest.raises(CepheidError) as raised:
        cepheid.compile(text, language=language)
    return raised.value


@pytest.mark.parametrize(("reason", "text", "wrong", "right"), LOOSE)
def test_a_variable_without_a_value_gets_one_as_the_hint_says(reason: Loose, text: str, wrong: str, right: str) -> None:
    [told] = refused(text, "etalis").diagnostics
    assert told.message == f"`X` {reason.said}"
    assert told.hints == (reason.way_out("X"),)
    quoted = re.findall("`([^`]*)`", told.hints[0])
    assert quoted[-1] in right or right == "e"  # the latter is what "leave it out" says
    cepheid.compile(text.replace(wrong, right), language="etalis")


def test_every_reason_of_a_variable_without_a_value_is_provoked() -> None:
    assert issubclass(Loose, Enum)
    assert {reason for reason, *_ in LOOSE} == set(Loose)


@pytest.mark.parametrize(("function", "call", "wrong", "right"), CONSTANTS)
@pytest.mark.parametrize(("language", "around"), [("cep", "a: A where {}"), ("algebra", "a:A[{}]")])
def test_a_constant_that_is_typed_as_the_hint_says_is_taken(
    function: str, call: str, wrong: str, right: str, language: str, around: str
) -> None:
    text = around.format(call if language == "cep" else call.replace("a.x", "x"))
    [told] = refused(text, language).diagnostics
    assert f"`{right}`" in told.hints[0]
    assert function in text
    cepheid.compile(text.replace(wrong, right), language=language)


def test_every_function_whose_constants_are_checked_is_provoked() -> None:
    assert {function for function, *_ in CONSTANTS} == set(constants._CHECKS)
