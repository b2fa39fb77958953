"""What arrives is in time, late or a duplicate, and few ids are kept to tell."""

from hypothesis import given
from hypothesis import strategies as st

from cepheid.events import MAX_TIME, MIN_TIME, Arrival, Disorder, Duration, Event, Frontier, point

TIMES = st.lists(st.integers(0, 12), max_size=15)
ALLOWED = st.integers(0, 5)


def arrivals(times: list[int], disorder: Disorder) -> list[Arrival]:
    return [disorder.see(point("a", time, number)) for number, time in enumerate(times)]


@given(TIMES, ALLOWED)
def test_an_event_is_late_when_it_trails_by_more_than_is_allowed(times: list[int], allowed: int) -> None:
    found = arrivals(times, Disorder(Duration(allowed)))
    for number, time in enumerate(times):
        trails = max(times[:number], default=time) - time > allowed
        assert found[number] is (Arrival.LATE if trails else Arrival.IN_TIME)


@given(TIMES, ALLOWED)
def test_the_frontier_trails_the_latest_end_by_the_disorder(times: list[int], allowed: int) -> None:
    disorder = Disorder(Duration(allowed))
    arrivals(times, disorder)
    assert disorder.frontier.bound == (max(times) - allowed if times else MIN_TIME)


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 3)), max_size=15), ALLOWED)
def test_a_second_event_of_an_id_within_the_disorder_is_a_duplicate(
    arriving: list[tuple[int, int]], allowed: int
) -> None:
    disorder, accepted = Disorder(Duration(allowed)), list[Event]()
    for time, event_id in arriving:
        event, frontier = point("a", time, event_id), disorder.frontier
        known = any(other.id == event_id and not frontier.is_late(other) for other in accepted)
        in_time = Arrival.DUPLICATE if known else Arrival.IN_TIME
        expected = Arrival.LATE if frontier.is_late(event) else in_time
        assert disorder.see(event) is expected
        accepted += [event] if expected is Arrival.IN_TIME else []


@given(TIMES, ALLOWED)
def test_only_the_ids_within_the_disorder_are_kept(times: list[int], allowed: int) -> None:
    disorder = Disorder(Duration(allowed))
    found = arrivals(times, disorder)
    within = [
        time
        for time, arrival in zip(times, found, strict=True)
        if arrival is Arrival.IN_TIME and not disorder.frontier.is_late(point("a", time, 0))
    ]
    assert disorder.held == len(within)


@given(TIMES, ALLOWED)
def test_every_event_is_counted_once(times: list[int], allowed: int) -> None:
    disorder = Disorder(Duration(allowed))
    found = arrivals(times + times, disorder)
    assert disorder.counts == {arrival: found.count(arrival) for arrival in Arrival}


def test_without_ids_nothing_is_a_duplicate_and_nothing_is_kept() -> None:
    disorder = Disorder(identified=False)
    assert [disorder.see(point("a", 1, 1)) for _ in range(2)] == [Arrival.IN_TIME, Arrival.IN_TIME]
    assert disorder.held == 0


def test_a_heartbeat_moves_the_frontier_and_never_back() -> None:
    disorder = Disorder()
    disorder.see(point("a", 1, 1))
    disorder.promise(5)
    disorder.promise(3)
    assert disorder.frontier == Frontier(5)
    assert disorder.held == 0
    disorder.promise(MAX_TIME)
    assert disorder.see(point("a", 9, 2)) is Arrival.LATE


def test_the_frontier_stays_at_minus_infinity_where_the_disorder_reaches_beyond_it() -> None:
    disorder = Disorder(Duration(MAX_TIME - 1))
    disorder.see(point("a", MIN_TIME + 1, 1))
    assert disorder.frontier == Frontier()
