"""What a raised error carries and shows."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source, close_match, explain, internal_error

QUERY = Source("<query>", "a ; b")


def test_an_error_shows_all_its_diagnostics() -> None:
    first = Diagnostic("internal", "the first", (Label(QUERY.span(0, 1), "here"),))
    second = Diagnostic("internal", "the second", hints=("do something",))
    assert CepheidError(first, second).diagnostics == (first, second)
    assert str(CepheidError(first, second)) == (
        "error[internal]: the first\n"
        " --> <query>:1:1\n"
        "  |\n"
        "1 | a ; b\n"
        "  | ^ here\n"
        "\n"
        "error[internal]: the second\n"
        "  = hint: do something"
    )


def test_an_error_can_be_coloured() -> None:
    assert CepheidError(Diagnostic("internal", "no")).draw(colour=True) == (
        "\x1b[1;31merror[internal]\x1b[0m\x1b[1m: no\x1b[0m"
    )


def test_an_error_keeps_its_places_on_the_way_to_another_process() -> None:
    error = internal_error("no", Label(QUERY.span(4, 5), "here"))
    copy = pickle.loads(pickle.dumps(error))
    assert copy.diagnostics == error.diagnostics
    assert str(copy) == str(error)


def test_a_bug_of_ours_says_that_it_is_ours() -> None:
    assert str(internal_error("the plan has no operator for `;`", Label(QUERY.span(2, 3), "this one"))) == (
        "error[internal]: the plan has no operator for `;`\n"
        " --> <query>:1:3\n"
        "  |\n"
        "1 | a ; b\n"
        "  |   ^ this one\n"
        "  = note: this is a bug in Cepheid, not in your query\n"
        "  = hint: please report it with the query and this whole message"
    )


def test_a_code_must_be_registered() -> None:
    with pytest.raises(ValueError, match=r"^the code `no-such` is not registered"):
        Diagnostic("no-such", "no")


def test_an_unknown_code_is_answered_with_the_closest() -> None:
    with pytest.raises(CepheidError) as raised:
        explain("Intrenal")
    assert str(raised.value) == (
        "error[unknown-code]: no error has the code `Intrenal`\n"
        "  = note: a code stands in brackets at the start of an error, as in `error[unknown-code]`\n"
        "  = hint: did you mean `internal`?"
    )


def test_a_code_that_is_like_no_other_gets_no_hint() -> None:
    with pytest.raises(CepheidError) as raised:
        explain("7")
    assert str(raised.value) == (
        "error[unknown-code]: no error has the code `7`\n"
        "  = note: a code stands in brackets at the start of an error, as in `error[unknown-code]`"
    )


@given(st.lists(st.text("abc", min_size=1), min_size=1), st.data())
def test_a_candidate_matches_itself_best_in_any_order(candidates: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(candidates))
    shuffled = data.draw(st.permutations(candidates))
    assert close_match(name.upper(), shuffled) == name
