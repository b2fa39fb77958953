"""Rules that run in stages, one detector after another, find what they find in one detector."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random

import pytest

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan, certify, plan_of
from cepheid.analysis.keys.common_keys import common_key
from cepheid.analysis.keys.stages import Stage, stages_of
from cepheid.engine import Detector, FromBefore, push_in_step
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.testing import Case, random_case

TOGETHER = 150
SOURCELESS: Mapping[str, str] = {}
MULE = """
rule suspicious: a: Pay then b: Pay within 9 on a.card == b.card emits Suspicious(account = b.account)
rule mule: (s: Suspicious then t: Transfer within 9 on s.account == t.account)
    unless x: Stop between s and t on x.account == s.account
    emits Mule(account = t.account)
"""


def _staged(plan: Plan) -> tuple[Stage, ...]:
    """Return the stages of a plan whose rules have no key in common, if there are several."""
    if common_key(plan.program.rules) is not None:
        return ()
    found = stages_of(plan)
    return found if len(found) > 1 else ()


def _batches(case: Case) -> Iterator[Sequence[Event]]:
    cuts = [0, *case.cuts, len(case.arrivals)]
    return (case.arrivals[first:last] for first, last in pairwise(cuts))


class Chain:
    """Detectors of stages; each gets what those before it hand on, and learns how far they are."""

    def __init__(self, stages: Sequence[Stage], disorder: int) -> None:
        certificate = certify(stages[0].whole, disorder)
        self.detectors = [
            Detector(one.plan, disorder=disorder, identified=True, certificate=certificate, stage=one) for one in stages
        ]

    def push(self, events: Sequence[Event], sources: Mapping[str, str] = SOURCELESS) -> list[Match]:
        found = []
        for number, detector in enumerate(self.detectors):
            before, given = self._before(number), [(event, sources.get(event.type, "")) for event in events]
            found += [match for some in push_in_step(detector, given, before, {}) for match in some]
            detector.settle(before.frontiers)
            found += detector.feed(())
        self._forget()
        return found

    def close(self) -> list[Match]:
        found = []
        for number, detector in enumerate(self.detectors):
            found += [match for some in push_in_step(detector, (), self._before(number), {}) for match in some]
            found += detector.close()
        return found

    def restarted(self, stages: Sequence[Stage], disorder: int) -> "Chain":
        other = Chain(stages, disorder)
        for place, detector in enumerate(self.detectors):
            state, one = detector.snapshot(), stages[place]
            other.detectors[place] = Detector(one.plan, state=state, disorder=disorder, identified=True, stage=one)
        return other

    def _before(self, number: int) -> FromBefore:
        before, taken = self.detectors[:number], self.detectors[number].fed
        records = [one for other in before for one in other.handed if one.event.type in taken]
        told = [(name, time) for other in before for name, time in other.handed_frontiers().items() if name in taken]
        return FromBefore(records, {name: min(time for other, time in told if other == name) for name, _ in told})

    def _forget(self) -> None:
        for detector in self.detectors:
            detector.handed.clear()


def _told(matches: Sequence[Match]) -> list[str]:
    return sorted(str((*one.content(), one.id, one.known)) for one in matches)


def test_rules_with_different_keys_are_stages() -> None:
    first, second = stages_of(plan_of(read_program(MULE)))
    assert (sorted(first.takes), sorted(first.hands)) == ([], ["Suspicious"])
    assert (sorted(second.takes), sorted(second.hands)) == (["Suspicious"], [])
    keys = [key.by_type for one in (first, second) if (key := common_key(one.plan.program.rules)) is not None]
    assert keys == [{"Pay": ("card",)}, dict.fromkeys(("Suspicious", "Transfer", "Stop"), ("account",))]


@pytest.mark.parametrize("first", [0, TOGETHER])
def test_stages_find_what_one_detector_finds(first: int) -> None:
    staged = 0
    for seed in range(first, first + TOGETHER):
        case = random_case(seed)
        plan = plan_of(case.program, intervals=True)
        stages = _staged(plan)
        if not stages:
            continue
        staged += 1
        whole, chain = Detector(plan, disorder=case.disorder, identified=True), Chain(stages, case.disorder)
        expected: list[Match] = []
        found: list[Match] = []
        for batch in _batches(case):
            expected += [match for event in batch for match in whole.push(event)]
            found += chain.push(batch)
            assert _told(found) == _told(expected), seed
            chain = chain.restarted(stages, case.disorder) if seed % 2 else chain
        assert _told([*found, *chain.close()]) == _told([*expected, *whole.close()]), seed
    assert staged > TOGETHER / 20


def test_a_stage_waits_for_the_sources_of_its_own_events_and_of_those_before_it() -> None:
    """Payments come from one source and transfers from another, which is often behind."""
    sources = {"Pay": "cards", "Transfer": "banks", "Stop": "banks"}
    declared = "".join(f"stream {kind} sources ({source})\n" for kind, source in sources.items())
    plan = plan_of(read_program(declared + MULE))
    stages, random = stages_of(plan), Random(3)
    whole, chain = Detector(plan), Chain(stages, 0)
    expected, found = [], []
    for number in range(40):
        decades = {"Pay": [number], "Transfer": [number - 2, number - 1, number] if number % 3 == 2 else []}
        decades["Stop"] = decades["Transfer"]
        drawn = [
            _drawn(random, kind, 10 * one + more) for kind in decades for one in decades[kind] for more in (2, 4, 7)
        ]
        batch = sorted(drawn, key=lambda event: event.end)
        expected += [match for event in batch for match in whole.push(event, sources[event.type])]
        found += chain.push(batch, sources)
        assert _told(found) == _told(expected), number
    assert {match.name for match in expected} == {"suspicious", "mule"}


def _drawn(random: Random, kind: str, time: int) -> Event:
    return Event(
        kind,
        time,
        time,
        f"{kind} {time} {random.random()}",
        {"card": random.randrange(3), "account": random.randrange(2)},
    )
