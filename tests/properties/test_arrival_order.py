"""Events of one time come one after the other: what that means, and that every way of running agrees with it."""

from collections import Counter
from dataclasses import replace

from hypothesis import assume, given, note
from hypothesis import strategies as st

from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Instant
from cepheid.algebra.programs import Ties
from cepheid.algebra.semantics import matches
from cepheid.algebra.text import show
from cepheid.algebra.traversal import walk
from cepheid.analysis import plan_of
from cepheid.engine import Detector
from cepheid.events import Event
from cepheid.rewrites import rewrite
from cepheid.testing import Case
from cepheid.testing.strategies import cases, drawn
from tests.engine_runner import EngineRunner, last
from tests.properties.arriving_cases import by_arrival, shuffled
from tests.properties.crowded_cases import crowded_cases
from tests.properties.measured_state import measured
from tests.properties.refined_times import can_be_refined, is_like_finer_times

ENGINE, RESTARTED = EngineRunner(), EngineRunner("restarted", restarts=True)


def _apart(event: Event, number: int) -> Event:
    """Return an event of which neither end is at a time of another."""
    start, end = event.start * 50 - number, event.end * 50 + number
    return replace(event, start=end if event.start == event.end else start, end=end)


ARRIVING = cases().map(by_arrival)


@given(ARRIVING)
def test_every_arrival_is_an_instant_of_its_own_and_spans_are_measured_in_time(case: Case) -> None:
    assume(can_be_refined(case.program))
    assert is_like_finer_times(case)


@given(cases())
def test_where_no_two_events_have_the_same_time_both_are_the_same(case: Case) -> None:
    assume(not any(isinstance(node, Instant) for node in walk(case.program.rules)))
    trace = [_apart(event, number) for number, event in enumerate(case.trace)]
    simultaneous = _said(matches(case.program, trace))
    assert _said(matches(replace(case.program, ties=Ties.ARRIVAL), trace)) == simultaneous


@given(ARRIVING)
def test_the_engine_finds_what_the_definition_says(case: Case) -> None:
    note(show(case.program))
    expected = _said(matches(case.program, case.trace))
    assert _said(ENGINE.run(case.program, case.trace).matches) == expected
    assert _said(RESTARTED.run(case.program, case.trace, cuts=range(len(case.trace))).matches) == expected


@given(ARRIVING)
def test_a_rewrite_keeps_the_places_of_matches(case: Case) -> None:
    note(show(case.program))
    again = rewrite(case.program, intervals=last(case.trace))
    before, after = (matches(each, case.trace) for each in (case.program, again))
    assert Counter(map(_place, after)) == Counter(map(_place, before))


@given(ARRIVING)
def test_what_nothing_later_can_change_is_told_by_the_push_that_completes_it(case: Case) -> None:
    plan = plan_of(case.program, intervals=last(case.trace))
    prompt = {rule.rule.name for rule in plan.rules if rule.root.prompt}
    detector = Detector(plan)
    for event in case.trace:
        for match in detector.push(event):
            assert match.name not in prompt or match.known == event.end, match
    assert not any(match.name in prompt for match in detector.close())


@given(drawn(shuffled))
def test_with_an_order_column_nothing_depends_on_how_events_come(case: Case) -> None:
    note(show(case.program))
    found = ENGINE.run(case.program, case.arrivals, disorder=case.disorder)
    again = RESTARTED.run(case.program, case.arrivals, disorder=case.disorder, cuts=range(len(case.arrivals)))
    expected = _said(matches(case.program, case.trace))
    assert _said(found.matches) == expected
    assert _said(again.matches) == expected


@given(st.one_of(crowded_cases(), cases()).map(by_arrival))
def test_state_stays_below_its_bound(case: Case) -> None:
    note(show(case.program))
    for one in measured(case):
        assert one.promised is None or one.used <= one.promised, one


def _place(match: Match) -> tuple[str, int, int]:
    return (match.name, match.start, match.end)


def _said(found: object) -> Counter[str]:
    assert isinstance(found, list | tuple)
    return Counter(f"{match.content()} {match.id}" for match in found)
