"""A choice by a key of one part runs in kernels: every push, many keys, and snapshots cut anywhere."""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

import cepheid
from cepheid.analysis import Plan
from cepheid.engine import Detector, TieredDetector, tiers_of
from cepheid.events import Event, point
from tests.kernels.plain_kernels import plain_kernels, usually_plain

PATTERNS = {
    "one after the other": "a: A then b: B within 6 on k",
    "in any order": "a: A and b: B within 6",
    "one lasts": "(a: A then c: C within 3) then b: B within 6",
    "of one type": "a: A then b: A within 4",
    "with a condition on candidates": "a: A then b: B within 6 if a.w <= b.w",
}
CHOICES = ("recent", "next", "chronological", "latest-start")
KEYS = ("a.v", "b.v", "a.v, b.v", "b.v, b.w", "a.k, b.v")
TIES = ("simultaneous", "arrival")
LATEST = "latest-start"


def queries() -> Iterator[tuple[str, str, str, str]]:
    for pattern, choice, key, ties in product(PATTERNS, CHOICES, KEYS, TIES):
        if choice != LATEST or not ("a." in key and "b." in key):
            yield pattern, choice, key, ties


def events_of(seed: int, count: int, values: int) -> list[Event]:
    """Return events some of which have the time of the one before, and some of which have no key."""
    draw, time, events = Random(seed), 0, []
    for number in range(count):
        time += draw.choice((0, 0, 1, 1, 2)) * 1_000_000
        fields = {"k": draw.randrange(2), "v": draw.choice((None, *range(values))), "w": draw.randrange(3)}
        events.append(point(draw.choice("AABBC"), time, number, fields))
    return events


def told(found: list[cepheid.Match]) -> list[tuple[object, ...]]:
    return sorted((one.name, one.start, one.end, one.known, one.evidence) for one in found)


def plan_of(pattern: str, choice: str, key: str, ties: str) -> Plan:
    text = f"ties {ties}\nrule best: {PATTERNS[pattern]} choose {choice} per {key}"
    return cepheid.compile(text, allow_unbounded=True).plan


@pytest.mark.one_in(8)
@pytest.mark.parametrize(("pattern", "choice", "key", "ties"), list(queries()))
def test_kernels_tell_what_the_interpreter_does_at_every_push(pattern: str, choice: str, key: str, ties: str) -> None:
    plan = plan_of(pattern, choice, key, ties)
    assert all(tier.shape is not None for tier in tiers_of(plan)), [str(one) for one in tiers_of(plan)]
    found, draw = 0, Random(7)
    with usually_plain():
        for seed in range(2):
            kernels, interpreter = TieredDetector(plan), Detector(plan)
            for event in events_of(seed, 60, 3):
                expected = told(interpreter.push(event))
                assert told(kernels.push_all([event])) == expected
                found += len(expected)
                if draw.random() < 0.1:
                    kernels = TieredDetector(plan, state=kernels.snapshot())
            expected = told(interpreter.close())
            assert told(kernels.close()) == expected
            found += len(expected)
    assert found


@pytest.mark.parametrize("key", ["a.v", "b.v"])
@pytest.mark.parametrize("choice", CHOICES)
def test_many_keys_come_and_go(choice: str, key: str) -> None:
    plan, events = plan_of("one after the other", choice, key, "simultaneous"), events_of(1, 600, 400)
    interpreter = Detector(plan)
    expected = told([match for event in events for match in interpreter.push(event)] + interpreter.close())
    with plain_kernels():
        for portion in (7, 100):
            kernels, found, sizes = TieredDetector(plan), [], []
            for first in range(0, len(events), portion):
                found += kernels.push_all(events[first : first + portion])
                sizes.append(len(kernels.snapshot()))
            assert told(found + kernels.close()) == expected
            assert max(sizes) < 3 * sizes[len(sizes) // 4]


def test_both_parts_may_say_what_the_latest_start_is_chosen_by_in_the_interpreter() -> None:
    (tier,) = tiers_of(plan_of("one after the other", LATEST, "a.v, b.v", "simultaneous"))
    assert tier.reason == "it chooses by a key of both of its parts"
