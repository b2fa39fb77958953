"""Choices where events of one time follow each other: starts and ends are compared by arrival."""

from hypothesis import given

from cepheid.testing import Case
from cepheid.testing.strategies import drawn
from tests.properties.arriving_cases import crowded_choice
from tests.properties.refined_times import is_like_finer_times


@given(drawn(crowded_choice))
def test_a_choice_compares_by_arrival(case: Case) -> None:
    assert is_like_finer_times(case)
