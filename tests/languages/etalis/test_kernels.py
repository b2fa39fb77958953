"""Chained rules in kernels: the matches of the definition, told when the interpreter tells them."""

from hypothesis import given, settings
from hypothesis import strategies as st

from cepheid.algebra.matches import Match
from cepheid.algebra.semantics import matches
from cepheid.algebra.validation import validate
from cepheid.engine import Detector, TieredDetector, tiers_of
from cepheid.events import Event, sort_events
from cepheid.languages.etalis import parse
from tests.engine_runner import last, plan_for
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels_runner import KernelsRunner
from tests.languages.etalis.random_programs import bounded_chains, programs
from tests.properties.traces import traces

VALUES = {"arg1": st.sampled_from([1, 1, 1, 0, None])}
TRACES = st.one_of(traces(least=5, most=12, fields=VALUES), traces(least=5, most=12, longest=3, fields=VALUES))
EITHER = st.one_of(bounded_chains(), bounded_chains(), programs())
KERNELS, RESTARTED = KernelsRunner(), KernelsRunner("restarted", restarts=True)


def whole(found: list[Match] | tuple[Match, ...]) -> list[str]:
    return sorted(f"{match.content()} {match.id}" for match in found)


@settings(max_examples=2 * settings().max_examples)
@given(EITHER, TRACES, st.sets(st.integers(0, 9), max_size=4))
def test_kernels_find_what_the_definition_says(text: str, trace: list[Event], cuts: set[int]) -> None:
    program, ordered = parse(text), sort_events(trace)
    validate(program)
    expected = whole(matches(program, trace))
    with plain_kernels():
        assert whole(KERNELS.run(program, ordered, cuts=sorted(cuts)).matches) == expected
        assert whole(RESTARTED.run(program, ordered, cuts=sorted(cuts)).matches) == expected


@given(EITHER, TRACES, st.sets(st.integers(0, 9), max_size=4), st.data())
def test_out_of_order_is_the_same(text: str, trace: list[Event], cuts: set[int], data: st.DataObject) -> None:
    program, arrivals = parse(text), data.draw(st.permutations(trace))
    with plain_kernels():
        found = RESTARTED.run(program, arrivals, disorder=10, cuts=sorted(cuts)).matches
    assert whole(found) == whole(matches(program, trace))


@given(EITHER, TRACES)
def test_a_match_is_told_as_soon_as_by_the_interpreter_and_certain_at_the_same_time(
    text: str, trace: list[Event]
) -> None:
    plan = plan_for(parse(text), intervals=last(trace))
    slow, fast = Detector(plan, identified=True), TieredDetector(plan, identified=True)
    with plain_kernels():
        for event in sort_events(trace):
            assert list(map(repr, fast.push(event))) == list(map(repr, slow.push(event)))
        assert list(map(repr, fast.close())) == list(map(repr, slow.close()))


@settings(max_examples=20)
@given(bounded_chains(), traces(least=5, most=12, fields=VALUES))
def test_chains_in_machine_code(text: str, trace: list[Event]) -> None:
    program = parse(text)
    assert whole(KERNELS.run(program, sort_events(trace)).matches) == whole(matches(program, trace))


def test_most_chains_that_wait_for_nothing_for_ever_have_kernels() -> None:
    taken: list[bool] = []

    @given(bounded_chains())
    def count(text: str) -> None:
        taken.extend(tier.shape is not None for tier in tiers_of(plan_for(parse(text), intervals=False)))

    count()
    assert sum(taken) > len(taken) / 2
