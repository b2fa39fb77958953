"""Bounds that runs at the full declared rate reach exactly."""

from collections.abc import Iterable

import pytest

from cepheid.algebra.programs import Arrival
from cepheid.analysis import certify, plan_of
from cepheid.engine import Detector, Excess
from cepheid.events import Event, point, sort_events
from tests.analysis.queries import program
from tests.analysis.test_arrivals import as_fast_as_possible, spread_out

UNTIL = 40


def events(name: str, times: Iterable[int]) -> list[Event]:
    return [point(name, time, f"{name}{number}") for number, time in enumerate(times)]


def most_held(lines: tuple[str, ...], arriving: list[Event]) -> tuple[int, int | None]:
    """The most entries that a run held when time went on tick by tick, and the certified number."""
    plan = plan_of(program(*lines))
    certificate = certify(plan)
    detector = Detector(plan, certificate=certificate, on_excess=Excess.FAIL)
    most, times = 0, {time: [event for event in arriving if event.end == time] for time in range(UNTIL)}
    for time, some in times.items():
        detector.advance(time)
        for event in [*some]:
            most = max(most, _held(detector))
            detector.push(event)
        most = max(most, _held(detector))
    return most, certificate.state.number


def _held(detector: Detector) -> int:
    return sum(sum(runner.entries()) for runner in detector.runners)


@pytest.mark.parametrize("longest", [1, 3, 5, 7, 12])
@pytest.mark.parametrize(("count", "period"), [(1, 1), (1, 3), (2, 3), (2, 5), (4, 3), (3, 4)])
def test_the_latest_start_queue_reaches_its_bound(longest: int, count: int, period: int) -> None:
    lines = (
        f"stream A rate {count} per {period}",
        "stream B rate 1 per 1000",
        f"a: A then (b: B then c: C within {longest}) choose latest-start",
    )
    held, promised = most_held(lines, events("A", spread_out(Arrival(count, period), UNTIL)))
    instants = longest // period * min(count, period) + min(count, longest % period)
    # The inner join holds a `B` at most, and here none comes.
    assert (held, promised) == (instants + 1, instants + 1 + -(-(longest + 1) // 1000))


@pytest.mark.parametrize("window", [0, 1, 4, 9])
@pytest.mark.parametrize(("count", "period"), [(1, 1), (2, 3), (3, 5)])
def test_a_window_reaches_its_bound(window: int, count: int, period: int) -> None:
    lines = (f"stream A rate {count} per {period}", f"a: A and b: B relation -1 <= start(b) - start(a) <= {window}")
    held, _ = most_held(lines, events("A", as_fast_as_possible(Arrival(count, period), UNTIL)))
    assert held == count * (window // period + 1)


@pytest.mark.parametrize("wait", [0, 2, 5])
def test_an_absence_reaches_its_bound(wait: int) -> None:
    lines = (
        "stream A rate 2 per 3",
        "stream B rate 1 per 2",
        f"a: A unless b: B relation 0 <= start(b) - end(a) <= {wait}",
    )
    arriving = events("A", as_fast_as_possible(Arrival(2, 3), UNTIL))
    held, promised = most_held(lines, arriving)
    # No `B` comes, which would forbid an `A`: its own share of one is not used.
    assert promised is not None
    assert held == promised - 1


@pytest.mark.parametrize("items", [2, 3, 4])
def test_every_subsequence_is_held(items: int) -> None:
    query = f"repeat g: 1..{items} of a: A window end($last) - start($first) <= 6 choose all"
    lines = ("stream A rate 1 per 2", query)
    held, promised = most_held(lines, events("A", as_fast_as_possible(Arrival(1, 2), UNTIL)))
    assert held == promised


def test_a_chain_with_a_cycle_reaches_its_bound() -> None:
    steps = "step one: x: A then two step two: y: B then two or three step three: z: C"
    query = f"chain from one window end($last) - start($first) <= 9 {{ {steps} }}"
    lines = ("stream A rate 1 per 100", "stream B rate 1 per 1", "stream C rate 1 per 1000", query)
    arriving = sort_events([*events("A", [0]), *events("B", range(UNTIL))])
    assert most_held(lines, arriving) == (10, 10)


def test_recent_reaches_one_entry_for_each_key() -> None:
    lines = ("stream A rate 1 per 1 keys 4", "a: A then b: B on a.user == b.user choose recent")
    arriving = [point("A", time, time, {"user": time % 4}) for time in range(UNTIL)]
    assert most_held(lines, arriving) == (4, 4)
