"""Whatever way a processor is run, it gives what the definition says."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cepheid import pipes as p
from cepheid.algebra.graphs.definition import outputs_of
from cepheid.algebra.graphs.doors import Running
from tests.pipes.graph_strategies import processors, traces, two_inputs
from tests.pipes.same import same


def defined(processor: p.Processor, *inputs: Sequence[object], has_ended: bool = True) -> list[object]:
    return outputs_of(processor, *inputs, has_ended=has_ended)[0]


@given(processors, traces)
def test_a_run_gives_what_the_definition_says(processor: p.Processor, trace: list[object]) -> None:
    assert same(processor.run(trace), defined(processor, trace))


@given(two_inputs, traces, traces)
def test_a_run_of_two_inputs_gives_what_the_definition_says(
    processor: p.Processor, left: list[object], right: list[object]
) -> None:
    assert same(processor.run(left, right), defined(processor, left, right))


@given(processors, traces)
def test_pushing_gives_each_output_as_soon_as_it_is_known_and_the_rest_at_the_end(
    processor: p.Processor, trace: list[object]
) -> None:
    running, told = processor.start(allow_unbounded=True), []
    for place, value in enumerate(trace, start=1):
        told += running.push(value)
        assert same(told, defined(processor, trace[:place], has_ended=False))
    assert same([*told, *running.end()], defined(processor, trace))


@given(two_inputs, traces, traces, st.randoms(use_true_random=False))
def test_the_order_of_arrival_does_not_matter(
    processor: p.Processor, left: list[object], right: list[object], random: Random
) -> None:
    arrivals = [*((0, value) for value in left), *((1, value) for value in right)]
    places = sorted(range(len(arrivals)), key=lambda _: random.random())
    queues, running, told = {0: iter(left), 1: iter(right)}, processor.start(allow_unbounded=True), []
    for place in places:
        at = arrivals[place][0]
        told += running.push(next(queues[at]), at=at)
    assert same([*told, *running.end()], defined(processor, left, right))


@given(processors, traces)
def test_pulling_gives_the_same_hard_and_soft(processor: p.Processor, trace: list[object]) -> None:
    expected = defined(processor, trace)
    assert same(list(processor.pull(trace)), expected)
    pullable, softly = processor.pull(trace), []
    while pullable.has_next_soft() != "no":
        value = pullable.soft()
        softly += [] if value is p.NOTHING else [value]
    assert same(softly, expected)


@given(processors, traces, st.integers(0, 12))
def test_who_goes_on_from_a_snapshot_gives_what_never_stopped(
    processor: p.Processor, trace: list[object], cut: int
) -> None:
    running, told = processor.start(allow_unbounded=True), []
    for value in trace[:cut]:
        told += running.push(value)
    again = processor.start(running.snapshot(), allow_unbounded=True)
    for value in trace[cut:]:
        told += again.push(value)
    assert same([*told, *again.end()], defined(processor, trace))


@given(processors, traces, traces, traces)
def test_copies_with_state_diverge_and_those_without_start_anew(
    processor: p.Processor, first: list[object], one: list[object], other: list[object]
) -> None:
    running = processor.start(allow_unbounded=True)
    before = [output for value in first for output in running.push(value)]
    copy, fresh = running.copy(), running.copy(state=False)
    ends = [[*before, *_pushed(running, one)], [*before, *_pushed(copy, other)], _pushed(fresh, other)]
    expected = [defined(processor, [*first, *one]), defined(processor, [*first, *other]), defined(processor, other)]
    assert same(ends, expected)
    running.reset()
    assert same(_pushed(running, one), defined(processor, one))


def _pushed(running: Running, values: list[object]) -> list[object]:
    return [*(output for value in values for output in running.push(value)), *running.end()]


@given(processors, traces)
def test_all_ways_to_pull_can_be_mixed(processor: p.Processor, trace: list[object]) -> None:
    """Iterating, `next`, `has_next` and soft turns take from one place, whatever order they come in."""
    if processor.inputs != 1 or processor.outputs != 1:
        return
    expected = processor.run(trace)
    pulled = processor.pull(iter(trace), allow_unbounded=True)
    found: list[object] = []
    for value in pulled:
        found.append(value)
        if len(found) % 2 and pulled.has_next():
            found.append(next(pulled))
        while len(found) % 3 == 0 and pulled.has_next_soft() == "yes":
            found.append(pulled.soft())
    assert same(found, expected)
