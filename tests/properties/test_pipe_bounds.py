"""No pipe holds more than its certificate says, whatever it is made of and however its events arrive."""

from collections.abc import Iterator

from hypothesis import given, note
from hypothesis import strategies as st

from cepheid.algebra.pipe_semantics import Timed, trace_of
from cepheid.algebra.pipes import INPUT, Gate, Map, Pipe, Resample, Verdict, Window
from cepheid.algebra.programs import Program
from cepheid.algebra.text import show
from cepheid.analysis import Certificate, Plan, certify, plan_of
from cepheid.analysis.bounds.arrivals import Rates
from cepheid.analysis.certificates.pipe_state import processor_states
from cepheid.analysis.counts.counts import Counts
from cepheid.engine import Detector, Excess
from cepheid.engine.pipes import Feed, processor_of
from cepheid.testing import Case
from tests.algebra.pipes.pipe_strategies import BINARY, FORMULAS, HERE, NUMBERS, RESAMPLINGS, UNARY, Trace
from tests.properties.measured_state import declared, lasting
from tests.properties.pipe_cases import piped_cases


def _declared(case: Case, period: int) -> tuple[Plan, Certificate]:
    plan = plan_of(declared(case, period), intervals=lasting(case))
    return plan, certify(plan, case.disorder)


def _turns(detector: Detector, case: Case) -> Iterator[None]:
    for event in case.arrivals:
        detector.push(event)
        yield
    detector.close()
    yield


@given(piped_cases())
def test_pipes_stay_below_their_bounds(case: Case) -> None:
    note(show(case.program))
    for period in (1, 3):
        plan, certificate = _declared(case, period)
        detector = Detector(
            plan, disorder=case.disorder, identified=True, certificate=certificate, on_excess=Excess.FAIL
        )
        for _ in _turns(detector, case):
            for used in detector.usage():
                assert used.promised is None or used.used <= used.promised, used
        assert detector.premises.hold


@given(piped_cases())
def test_pipes_are_counted_alike_after_a_restart(case: Case) -> None:
    note(show(case.program))
    plan, certificate = _declared(case, 2)
    detector = Detector(plan, disorder=case.disorder, identified=True, certificate=certificate)
    for _ in _turns(detector, case):
        restored = Detector(
            plan, state=detector.snapshot(), disorder=case.disorder, identified=True, certificate=certificate
        )
        assert restored.usage() == detector.usage()


@given(piped_cases())
def test_what_is_counted_gives_what_the_pipe_means(case: Case) -> None:
    note(show(case.program))
    plan, _ = _declared(case, 2)
    detector = Detector(plan, disorder=case.disorder, identified=True)
    for _ in _turns(detector, case):
        pass
    assert detector.take("it") == trace_of(plan.program, "it", case.trace)


def _fronts(inner: st.SearchStrategy[Pipe]) -> st.SearchStrategy[Pipe]:
    one, several = st.tuples(inner), st.lists(inner, min_size=2, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Map, several, BINARY),
        st.builds(Map, several, BINARY),
        st.builds(Map, one, UNARY),
        st.builds(Gate, st.tuples(inner, inner)),
        st.builds(Resample, one, *RESAMPLINGS),
        st.builds(Window, one, inner, st.integers(1, 3), st.none()),
        st.builds(Verdict, one, FORMULAS, st.booleans()),
    )


LONG: st.SearchStrategy[Trace] = st.lists(NUMBERS, min_size=8, max_size=20).map(
    lambda values: tuple(Timed(place, value) for place, value in enumerate(values))
)
FRONTS: st.SearchStrategy[Pipe] = st.recursive(st.just(HERE), _fronts, max_leaves=6)


@given(FRONTS, LONG)
def test_queues_and_verdicts_stay_below_their_bounds(pipe: Pipe, trace: Trace) -> None:
    note(show(pipe))
    bounds = [state.entries.value(Rates()) for state in processor_states(Counts(plan_of(Program())), pipe)]
    processor = processor_of(pipe)
    for item in trace:
        processor.turn(Feed({INPUT: [item]}))
        for number, (held, bound) in enumerate(zip(processor.sizes(), bounds, strict=True)):
            assert bound is None or held <= bound, number
