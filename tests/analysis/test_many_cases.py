"""Where there are too many cases to tell them apart, nothing follows from branches that may not be taken."""

import pytest

from tests.analysis.queries import certified

PAIRS = [f"(x{number}: X or y{number}: Y)" for number in range(7)]


def test_a_branch_that_can_never_match_does_not_stand_in_the_way_of_others() -> None:
    never = "((a: A then b: B within 0 s) or c: C)"
    assert certified(" and ".join([never, *PAIRS]) + " within 5 s").satisfiable


def test_branches_that_contradict_each_other_are_not_both_taken() -> None:
    either = "((p: P where p.v > 1) or (p: P and q: Q within 3 s))"
    joined = " and ".join([either, *PAIRS])
    assert certified(f"({joined} within 5 s) within 5 s").satisfiable


def test_what_contradicts_itself_in_every_case_is_still_found() -> None:
    assert not certified(f"(a: A then b: B within 0 s) and {' and '.join(PAIRS)}").satisfiable


@pytest.mark.parametrize("number", [3, 70])
def test_windows_inside_many_branches_still_limit_what_waits_there(number: int) -> None:
    branches = ", ".join(f"(a{one}: A then b{one}: B within 5 s)" for one in range(number))
    assert certified(f"either [{branches}]").bounded
