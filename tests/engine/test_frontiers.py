"""What a frontier means: it never changes what is found, and what is known by then has been told."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.testing import Case
from cepheid.testing.cases import Draw, draw_case
from cepheid.testing.strategies import drawn
from tests.engine.steps import Step, all_of, content, defined, run, with_heartbeats


def _case_with_heartbeats(draw: Draw) -> tuple[Case, list[Step]]:
    case = draw_case(draw)
    arrivals = list(dict.fromkeys(case.arrivals))
    return case, with_heartbeats(draw, case.program, arrivals)


CASES = drawn(_case_with_heartbeats)


@given(CASES, st.booleans())
def test_heartbeats_change_nothing_that_is_found(situation: tuple[Case, list[Step]], restarts: bool) -> None:
    case, steps = situation
    found = all_of(run(case.program, steps, disorder=case.disorder, restarts=restarts))
    assert content(found) == defined(case.program, case.trace)


@given(CASES)
def test_a_match_is_told_no_later_than_it_is_known(situation: tuple[Case, list[Step]]) -> None:
    case, steps = situation
    for told in run(case.program, steps, disorder=case.disorder):
        for match in told.matches:
            news = not told.seen.issuperset(match.evidence)
            assert news or match.known is None or told.frontier < match.known


@given(CASES)
def test_when_a_match_is_known_is_not_a_matter_of_heartbeats(situation: tuple[Case, list[Step]]) -> None:
    case, steps = situation
    silent = [Step("", event) for event in case.trace]
    with_them = {match.id: match.known for match in all_of(run(case.program, steps, disorder=case.disorder))}
    assert with_them == {match.id: match.known for match in all_of(run(case.program, silent))}


@given(CASES)
def test_each_call_tells_in_the_order_of_certainty(situation: tuple[Case, list[Step]]) -> None:
    case, steps = situation
    for told in run(case.program, steps, disorder=case.disorder):
        places = [(match.known is None, match.known or 0, match.end, match.id) for match in told.matches]
        assert places == sorted(places)
