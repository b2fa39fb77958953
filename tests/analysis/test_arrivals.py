"""How many events and instants fit into a span: never more than is said, and as many where they come as they may."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Arrival, Program, Stream
from cepheid.analysis import Rates, most_events, most_instants

RATES = st.builds(Arrival, st.integers(1, 4), st.integers(1, 6))
SPACED = st.builds(Arrival, st.just(1), st.integers(1, 6), st.just(True))


def as_fast_as_possible(arrival: Arrival, until: int) -> list[int]:
    """Times of events that keep to a rate and come as early as they may, all of a period at once."""
    if arrival.spaced:
        return list(range(0, until, arrival.per))
    return [time for time in range(0, until, arrival.per) for _ in range(arrival.count)]


def spread_out(arrival: Arrival, until: int) -> list[int]:
    """Times of events that keep to a rate and come at as many instants as they may."""
    each = min(arrival.count, arrival.per)
    return [
        start + number for start in range(0, until, arrival.per) for number in range(each) if start + number < until
    ]


@given(st.one_of(RATES, SPACED), st.integers(-1, 20))
def test_the_most_events_of_a_closed_span_are_reached(arrival: Arrival, window: int) -> None:
    times = as_fast_as_possible(arrival, 40)
    assert most_events(arrival, window) == sum(time <= window for time in times)


@given(RATES, st.integers(0, 20))
def test_the_most_instants_of_a_half_open_span_are_reached(arrival: Arrival, span: int) -> None:
    times = spread_out(arrival, 60)
    most = max(len({time for time in times if start <= time < start + span}) for start in range(30))
    assert most_instants(arrival, span) == most


@given(RATES, st.integers(0, 20), st.integers(1, 4))
def test_a_coarser_tick_leaves_fewer_instants(arrival: Arrival, span: int, tick: int) -> None:
    assert most_instants(arrival, span, tick) <= -(-span // tick)


def test_rates_add_up_over_types_and_are_unknown_where_one_is() -> None:
    rates = Rates.of(Program(streams=(Stream("A", Arrival(2, 5)), Stream("B", Arrival(1, 5)), Stream("C"))))
    assert rates.events(("A", "B"), 5) == 6
    assert rates.events(("A", "C"), 5) is None
    assert rates.instants(("A", "C"), 5) == 5
