"""No run holds more than its certificate says, whatever the query, the trace and the order of arrival."""

from hypothesis import given, note

from cepheid.algebra.text import show
from cepheid.analysis import certify, plan_of
from cepheid.engine import Detector, Excess
from cepheid.testing import Case
from cepheid.testing.strategies import cases
from tests.properties.crowded_cases import crowded_cases
from tests.properties.measured_state import declared, lasting, measured


def _holds(case: Case) -> None:
    note(show(case.program))
    for one in measured(case):
        assert one.promised is None or one.used <= one.promised, one


@given(cases())
def test_state_stays_below_its_bound(case: Case) -> None:
    _holds(case)


@given(crowded_cases())
def test_state_stays_below_its_bound_in_a_crowd(case: Case) -> None:
    _holds(case)


@given(cases())
def test_the_engine_finds_no_promise_broken_while_the_premises_hold(case: Case) -> None:
    plan = plan_of(declared(case, 2), intervals=lasting(case))
    certificate = certify(plan, case.disorder)
    detector = Detector(plan, disorder=case.disorder, identified=True, certificate=certificate, on_excess=Excess.FAIL)
    for event in case.arrivals:
        detector.push(event)
    detector.close()
    assert detector.premises.hold
