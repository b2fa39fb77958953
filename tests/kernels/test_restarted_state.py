"""A state that is written down and taken up again with every batch stays as small as one that is never written."""

import numpy as np
import pyarrow as pa
import pytest

import cepheid
from cepheid.engine.kernels import KernelDetector

PATTERNS = {
    "sequence": "a: A then b: B within 50 on k",
    "recent": "a: A then b: B within 50 on k choose recent",
    "latest start": "a: A then b: B within 50 on k choose latest-start",
    "next": "a: A then b: B within 50 on k choose next",
    "chronological": "a: A then b: B within 50 on k choose chronological",
    "three": "a: A then b: B then c: C within 50 on k",
    "both": "a: A and b: B within 50 on k choose recent",
    "nested": "(a: A then b: B within 50 on k choose recent) then c: C within 50 on b.k == c.k choose recent",
    "absence": "(a: A then b: B within 50 on k) unless c: C between a and b on c.k == a.k",
    "absence after": "a: A unless b: B relation 1 <= start($absent) - end($pattern) <= 50 on a.k == b.k",
    "combinations": "a: A and b: B and c: C within 50 on k",
    "suppressed": "(a: A then b: B within 50 on k) suppress 20 by a.k",
}
EACH, MANY = 600, 48
SLACK = 1.2


def batch(number: int) -> pa.RecordBatch:
    """Return events of which most have keys that come in this batch for the first time, and never again."""
    draw = np.random.default_rng(number)
    keys = number * EACH + draw.integers(0, EACH, EACH)
    times = number * 100 + np.sort(draw.integers(0, 100, EACH))
    return pa.record_batch({"type": draw.choice(["A", "B", "C"], EACH), "time": times, "k": keys})


def sizes(query: cepheid.CompiledQuery, *, restarted: bool) -> list[int]:
    """Return how many bytes are written after each batch, which a detector of its own takes in, or always the same."""
    detector, found = KernelDetector(query.plan), []
    for number in range(MANY):
        detector.push_batch(batch(number))
        state = detector.snapshot()
        found.append(len(state))
        detector = KernelDetector(query.plan, state=state) if restarted else detector
    return found


@pytest.mark.parametrize("ties", ["simultaneous", "arrival"])
@pytest.mark.parametrize("kind", PATTERNS)
def test_a_state_that_is_taken_up_with_every_batch_does_not_grow(kind: str, ties: str) -> None:
    query = cepheid.compile(f"ties {ties}\nrule r:\n    {PATTERNS[kind]}\n    emits R", time_unit="us")
    assert max(sizes(query, restarted=True)) <= SLACK * max(sizes(query, restarted=False))
