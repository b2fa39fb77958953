"""Joins, choices and absences run in kernels where events of one time come one after the other, as `cep` has it."""

from random import Random

import pytest

import cepheid
from cepheid.engine import Detector, TieredDetector, tiers_of
from cepheid.events import Event, point
from tests.kernels.plain_kernels import usually_plain

QUERIES = {
    "an absence between": "(a: A then b: B within 3) unless c: {C, D} between a and b",
    "an absence with a key": "(a: A then b: B within 3 on k) unless c: C between a and b on k",
    "an absence that is several": "(a: A then b: B within 4) unless (c: C then d: D) between a and b",
    "an absence for a while": "a: A unless c: C relation 1 us <= start($absent) - end($pattern) <= 2",
    "an absence inside of a sequence": "((a: A then b: B within 3) unless c: C between a and b) then d: D within 4",
    "nested sequences": "(a: A then (b: B and c: C within 2)) within 5",
    "two sequences": "((a: A then b: B) then (c: C then d: D)) within 5",
    "a choice of a sequence": "(a: A then c: C within 2) then b: B within 3 choose recent",
    "the next of a sequence": "(a: A then c: C within 2) then b: B within 3 choose next",
    "the oldest of a sequence": "(a: A then c: C within 2) then b: B within 3 choose chronological",
    "the latest of a sequence": "(a: A then c: C within 2) then b: B within 3 choose latest-start",
    "alternatives": "((a: A then b: B within 2) or (c: C then b: B within 2)) then d: D within 2",
    "rules that feed a rule": """
        rule pair: a: A then b: B within 2 on k emits Pair(k = a.k)
        rule found: (p: Pair then c: C within 3) unless d: D between p and c
    """,
    "what follows a rule's event": """
        rule pair: a: A then b: B within 2 emits Pair
        rule found: p: Pair then b: B within 3
    """,
}


def crowd(seed: int, count: int) -> list[Event]:
    """Return events of which about half come at the time of the one before."""
    draw, time, events = Random(seed), 0, []
    for number in range(count):
        time += draw.choice((0, 0, 1, 1, 2)) * 1_000_000
        events.append(point(draw.choice("ABCD"), time, number, {"k": draw.randrange(2)}))
    return events


def told(found: list[cepheid.Match]) -> list[tuple[object, ...]]:
    return sorted((one.name, one.start, one.end, one.known, one.evidence) for one in found)


@pytest.mark.parametrize("what", QUERIES)
def test_kernels_tell_what_the_interpreter_does_at_the_same_push(what: str) -> None:
    query = cepheid.compile(QUERIES[what], allow_unbounded=True)
    assert all(tier.shape is not None for tier in tiers_of(query.plan)), [str(one) for one in tiers_of(query.plan)]
    found = 0
    with usually_plain():
        for seed in range(6):
            kernels, interpreter = TieredDetector(query.plan), Detector(query.plan)
            for event in crowd(seed, 60):
                expected = told(interpreter.push(event))
                assert told(kernels.push_all([event])) == expected
                found += len(expected)
            expected = told(interpreter.close())
            assert told(kernels.close()) == expected
            found += len(expected)
    assert found > 20
