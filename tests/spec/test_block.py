"""The format of pages that run: what is read of a block, and that a wrong page is found."""

import pytest

from cepheid.testing import DefinitionRunner
from tests.spec.block import fields, listed, outcome, rewritten

BLOCK = """\
query:
  a then b
    within 3
trace:   1 a, 2 a
  3 b
matches:
  1-3 a#1 b
  2-3 a#2 b
"""


def test_a_field_goes_on_in_indented_lines() -> None:
    assert fields(BLOCK) == {
        "query": "a then b\n  within 3",
        "trace": "1 a, 2 a\n3 b",
        "matches": "1-3 a#1 b\n2-3 a#2 b",
    }


def test_a_misspelt_field_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no field \['match'\], and it needs \['matches'\]"):
        fields("query: a\ntrace: 1 a\nmatch: 1 a\n")


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("1-3 a b, 2 c", ["1-3 a b", "2 c"]),
        ("2 c\n1-3  a b", ["1-3 a b", "2 c"]),
        ("1 a {x: 1, y: [2, 3]}, 2 a", ["1 a {x: 1, y: [2, 3]}", "2 a"]),
        ("none", []),
    ],
)
def test_a_list_has_its_entries_in_any_layout(text: str, entries: list[str]) -> None:
    assert listed(text) == entries


def test_what_comes_of_a_block_is_compared_with_what_it_says() -> None:
    found = outcome(fields(BLOCK), "", "page:1", DefinitionRunner())
    assert found == {"matches": ["1-3 a#1 b", "2-3 a#2 b"], "late": [], "duplicates": []}


def test_a_wrong_page_is_mended_and_a_right_one_left_alone() -> None:
    wrong = "query:   a\ntrace:   1 a, 2 b\nmatches: 2 b\n"
    found = outcome(fields(wrong), "", "page:1", DefinitionRunner())
    assert listed(fields(wrong)["matches"]) != found["matches"]
    mended = rewritten(wrong, found)
    assert mended == "query:   a\ntrace:   1 a, 2 b\nmatches: 1 a\n"
    assert rewritten(mended, found) == mended


def test_what_is_set_aside_is_named() -> None:
    block = "query: a\ndisorder: 1\ntrace: 5 a#x, 5 a#x, 3 a#y\nmatches: none\n"
    found = outcome(fields(block), "", "page:1", DefinitionRunner())
    assert found == {"matches": ["5 a#x"], "late": ["a#y"], "duplicates": ["a#x"]}
