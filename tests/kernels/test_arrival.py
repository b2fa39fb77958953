"""Sequences whose events of one time follow each other, in kernels: what each push tells, as the definition has it."""

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from random import Random

import pytest

from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.analysis import Plan, plan_of
from cepheid.engine import Detector, TieredDetector, tiers_of
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from tests.kernels.plain_kernels import plain_kernels

CHOICES = ("all", "recent", "next", "chronological", "latest-start")
SEEDS = 60


def sequence(random: Random, choice: str) -> Program:
    """Return a sequence of some steps, with or without windows and a key."""
    count = 2 if choice == "chronological" else random.randint(2, 4)
    keyed, windowed = random.random() < 0.5, random.random() < 0.6
    text = f"e0: {random.choice('AB')}"
    for number in range(1, count):
        within = f" within {random.randint(0, 6)}" if windowed else ""
        on = f" on e{number - 1}.k == e{number}.k" if keyed else ""
        text = f"({text} then e{number}: {random.choice('AB')}{within}{on} choose {choice})"
    return read_program(f"ties arrival\nrule r: {text} emits R(v = e0.k)")


def crowd(random: Random) -> list[Event]:
    """Return events of which half are at the time of the one before."""
    events, time = [], 0
    for number in range(random.randint(5, 16)):
        time += 0 if random.random() < 0.5 else random.randint(1, 3)
        made = point(random.choice("AB"), time, 100 - number, {"k": random.choice((1, 1, 2, None))})
        events.append(replace(made, number=number))
    return events


@pytest.mark.parametrize("choice", CHOICES)
@pytest.mark.parametrize("compiled", [False, True], ids=("plain", "compiled"))
def test_sequences_are_told_by_the_event_that_completes_them(choice: str, compiled: bool) -> None:
    found = 0
    with nullcontext() if compiled else plain_kernels():
        for seed in range(4 if compiled else SEEDS):
            random = Random(f"{choice} {seed}")
            program, events = sequence(random, choice), crowd(random)
            plan = plan_of(program)
            assert all(tier.shape is not None for tier in tiers_of(plan))
            expected = interpreted(plan, events)
            assert told(expected) == told(matches(program, events))
            assert known(at_once(plan, events)) == known(expected)
            assert known(one_by_one(plan, events)) == known(expected)
            found += len(expected)
    assert found > (0 if compiled else SEEDS // 2)


def interpreted(plan: Plan, events: list[Event]) -> list[Match]:
    detector = Detector(plan)
    found = [match for event in events for match in detector.push(event)]
    assert not detector.close()
    return found


def at_once(plan: Plan, events: list[Event]) -> list[Match]:
    detector = TieredDetector(plan)
    return [*detector.push_all(events), *detector.close()]


def one_by_one(plan: Plan, events: list[Event]) -> list[Match]:
    """Return what pushes tell, each to a detector that was just started again."""
    found: list[Match] = []
    state = None
    for event in events:
        detector = TieredDetector(plan, state=state)
        now = detector.push(event)
        assert all(match.known == event.end for match in now)
        found, state = [*found, *now], detector.snapshot()
    assert not TieredDetector(plan, state=state).close()
    return found


def told(found: list[Match]) -> Counter[str]:
    return Counter(f"{match.content()} {match.id}" for match in found)


def known(found: list[Match]) -> Counter[str]:
    return Counter(f"{match.content()} {match.id} {match.known}" for match in found)
