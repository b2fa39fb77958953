"""What a batch of arrivals is judged to be: the same as one by one, whatever comes late or twice, and however often."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cepheid.engine.kernels.columns.batches import batch_of_events
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.intake.admission import Admission
from cepheid.events import Arrival, Disorder, Duration, Event, point

times = st.integers(min_value=0, max_value=12)
ids = st.one_of(st.integers(min_value=0, max_value=40), st.sampled_from("abcde"))
arrivals = st.lists(st.tuples(times, ids), max_size=12)


def events_of(told: list[tuple[int, int | str]]) -> list[Event]:
    return [point("A", time, event_id) for time, event_id in told]


@given(st.lists(arrivals, max_size=5), st.integers(min_value=0, max_value=4), st.booleans())
def test_a_batch_is_judged_as_its_events_are_one_by_one(
    batches: list[list[tuple[int, int | str]]], allowed: int, identified: bool
) -> None:
    admission = Admission(allowed, identified=identified)
    expected = Disorder(Duration(allowed), identified=identified)
    for told in batches:
        events = events_of(told)
        taken = admission.admit(batch_of_events(events, Words()))
        found = [True] * len(events) if taken is None else taken.tolist()
        assert found == [expected.see(event) is Arrival.IN_TIME for event in events]
        assert admission.arrivals.counts == expected.counts
        assert admission.frontier == expected.frontier.bound
        assert admission.arrivals.memory() == expected.memory()


@given(st.lists(arrivals, min_size=1, max_size=4))
def test_a_batch_is_called_in_order_only_where_its_events_are(batches: list[list[tuple[int, int | str]]]) -> None:
    admission, before = Admission(0, identified=True), -1
    for told in batches:
        batch = batch_of_events(events_of(told), Words())
        admission.admit(batch)
        if batch.in_order and len(batch):
            assert before < batch.times[0]
            assert bool((np.diff(batch.times) > 0).all())
        before = max([before, *batch.times.tolist()])
