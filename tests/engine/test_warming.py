"""A detector that goes on in kernels tells each match once, wherever these have caught up."""

from collections.abc import Iterator

import pytest

from cepheid.algebra.matches import Match
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector, Engine, Excess, Given, TieredDetector, WarmingDetector, detector_for
from cepheid.engine.detectors import warming_detector
from cepheid.events import Event, point
from cepheid.testing.cases import seeded
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.random_rules import RandomRule, random_rule
from tests.kernels_runner import compiled_rules
from tests.queries import read_query

SEEDS = range(120)
PAIRS = "rule pair: (a: A then b: B within 5 on a.key == b.key choose recent) emits pair(from = a.value)"


@pytest.fixture(autouse=True)
def _small_portions(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(warming_detector, "PORTION", 3)
    with plain_kernels():
        yield


def given(disorder: int = 0, on_excess: Excess = Excess.WARN) -> Given:
    return Given(True, True, disorder, None, on_excess)


def told(found: list[Match]) -> list[str]:
    return sorted(f"{match.content()} {match.id} {match.known}" for match in found)


def switched_at(rule: RandomRule, place: int) -> tuple[list[Match], WarmingDetector]:
    """Return what is found where kernels have caught up after so many events."""
    detector = WarmingDetector(plan_of(rule.program), given(rule.disorder))
    found = detector.push_all(rule.arrivals[:place])
    detector.kernels.wait()
    assert isinstance(detector.current, Detector)
    found += detector.push_all(rule.arrivals[place:])
    return [*found, *detector.close()], detector


def test_wherever_kernels_have_caught_up() -> None:
    moved = 0
    for rule in map(random_rule, map(seeded, SEEDS)):
        if not compiled_rules(rule.program):
            continue
        slow = Detector(plan_of(rule.program), identified=True, disorder=rule.disorder)
        expected = [match for event in rule.arrivals for match in slow.push(event)] + slow.close()
        for place in {0, *rule.cuts, len(rule.arrivals) - 1}:
            found, detector = switched_at(rule, place)
            assert told(found) == told(expected)
            assert detector.late == slow.late
            assert detector.duplicates == slow.duplicates
            moved += isinstance(detector.current, TieredDetector)
    assert moved > len(SEEDS)


def test_what_waits_is_decided_by_a_promise_in_either() -> None:
    plan = plan_of(read_query(PAIRS))
    events = [point("AB"[number % 2], number, number + 1, {"key": 1, "value": number}) for number in range(6)]
    detector = WarmingDetector(plan, given())
    assert [(one.start, one.end) for one in detector.push_all(events[:2])] == []
    assert [(one.start, one.end) for one in detector.advance(2)] == [(0, 1)]
    detector.kernels.wait()
    assert detector.push_all(events[2:4]) == []
    assert isinstance(detector.current, TieredDetector)
    assert [(one.start, one.end) for one in detector.advance(4)] == [(2, 3)]
    assert [(one.start, one.end) for one in detector.push_all(events[4:]) + detector.close()] == [(4, 5)]


def test_what_is_nothing_for_kernels_stays_where_it_is() -> None:
    plan = plan_of(read_query(PAIRS))
    far: list[Event] = [point(name, 2**61 + time, time, {"key": 1, "value": 1}) for time, name in enumerate("AB", 1)]
    detector = WarmingDetector(plan, given())
    found = detector.push_all(far[:1])
    detector.kernels.wait()
    assert detector.kernels.over
    assert len(found + detector.push_all(far[1:]) + detector.close()) == 1
    assert isinstance(detector.current, Detector)


def test_what_has_no_kernel_has_nothing_to_wait_for() -> None:
    plan = plan_of(read_query("rule key: a: A then b: B within 1 s choose latest-start per a.value, b.value emits key"))
    assert isinstance(detector_for(plan, Engine.AUTO, given(), meanwhile=True), Detector)
