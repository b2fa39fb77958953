"""The format of `.case` files itself."""

import pytest

from cepheid.diagnostics import explain
from tests.cases.case_file import rewritten

COMMANDS = {
    "shout": lambda _, text: text.upper(),
    "repeat": lambda arguments, text: "\n\n".join([text] * int(arguments)),
    "explain": lambda arguments, _: explain(arguments),
}


def test_output_is_filled_in_and_the_rest_is_kept() -> None:
    text = "# two words\nshout\none\n\ntwo\n----\nold\n\n# and one\nshout\nthree\n----\n"
    two_words = "# two words\nshout\none\n\ntwo\n----\n----\nONE\n\nTWO\n----\n----\n\n"
    one_word = "# and one\nshout\nthree\n----\nTHREE\n"
    assert rewritten(text, COMMANDS) == two_words + one_word


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_file_that_was_filled_in_stays_as_it_is(count: int) -> None:
    once = rewritten(f"repeat {count}\na\n----\n\nshout\nb\n----\nwrong\n", COMMANDS)
    assert rewritten(once, COMMANDS) == once


def test_an_error_is_an_output() -> None:
    assert rewritten("explain intrnal\n----\n", COMMANDS).splitlines()[2] == (
        "error[unknown-code]: no error has the code `intrnal`"
    )


def test_a_command_without_a_rule_is_pointed_out() -> None:
    with pytest.raises(ValueError, match="no `----` after the command `shout`"):
        rewritten("shout\na\n", COMMANDS)


def test_a_double_rule_that_never_ends_is_pointed_out() -> None:
    with pytest.raises(ValueError, match="no `----` twice after the output"):
        rewritten("shout\na\n----\n----\nA\n", COMMANDS)
