"""The detection algebra: the definition gives the paper's sets, and its choices are the published algorithm's."""

from collections.abc import Iterable

from hypothesis import example, given
from hypothesis import strategies as st

from cepheid.algebra.patterns import Select
from cepheid.algebra.policies import LATEST_START
from cepheid.algebra.semantics import instances
from cepheid.events import Event, point, sort_events
from tests.oracles.algebra_detection import detected
from tests.oracles.algebra_sets import Occurrences, first, last, meaning
from tests.oracles.algebra_terms import Conjunction, Primitive, Sequence, Term
from tests.properties.algebra_lowering import everything, latest
from tests.properties.algebra_strategies import TERMS
from tests.properties.results import Found, hulls, in_order, whole
from tests.properties.traces import sparse_traces, traces


def expected(found: Iterable[Occurrences]) -> Found:
    return in_order((first(one), last(one), frozenset(name for _, name in one)) for one in found)


COINCIDING = traces(least=3, latest=4)


@given(TERMS, sparse_traces())
def test_all_matches_are_the_sets_of_the_paper(term: Term, trace: list[Event]) -> None:
    assert whole(instances(everything(term), trace)) == expected(meaning(term, trace))


# Both sides end and start together, and the left one has a stored instance of that start: yet the left one leads.
A, B, C = (Primitive(name) for name in "abc")
LEVEL = Conjunction(Sequence(A, C), Sequence(A, B))


@example(LEVEL, [point("a", 0, 0), point("c", 1, 1), point("c", 2, 2), point("b", 2, 3)])
@given(TERMS, sparse_traces())
def test_latest_start_finds_what_the_published_algorithm_finds(term: Term, trace: list[Event]) -> None:
    assert whole(instances(latest(term), trace)) == expected(detected(term, trace))


@given(TERMS, COINCIDING)
def test_the_last_of_coinciding_events_of_a_type_stands_for_them(term: Term, trace: list[Event]) -> None:
    assert whole(instances(latest(term), trace)) == expected(detected(term, sort_events(trace)))


@given(TERMS, COINCIDING)
def test_choosing_at_the_top_alone_keeps_the_same_hulls(term: Term, trace: list[Event]) -> None:
    at_the_top = Select(everything(term), LATEST_START)
    assert hulls(instances(at_the_top, trace)) == hulls(instances(latest(term), trace))


@given(TERMS, COINCIDING)
def test_latest_start_is_a_valid_restriction(term: Term, trace: list[Event]) -> None:
    every, kept = whole(instances(everything(term), trace)), whole(instances(latest(term), trace))
    assert set(kept) <= set(every)
    starts = {end: start for start, end, _ in kept}
    assert len(starts) == len(kept)
    assert all(starts[end] >= start for start, end, _ in every)


@given(TERMS, traces(types="ab", least=5, latest=2, fields={"k": st.sampled_from([1, 2, 2, None])}))
def test_by_a_key_every_key_is_detected_apart(term: Term, trace: list[Event]) -> None:
    keys = {event.get("k") for event in trace} - {None}
    apart = [
        one
        for key in keys
        for one in whole(instances(latest(term), [event for event in trace if event.get("k") == key]))
    ]
    assert whole(instances(latest(term, by="k"), trace)) == in_order(apart)
