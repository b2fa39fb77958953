"""Suppression in kernels: as matches are found where events follow each other, and instant by instant otherwise."""

from contextlib import nullcontext
from dataclasses import replace
from random import Random

import numpy as np
import pyarrow as pa
import pytest

from cepheid.algebra.programs import Program, Ties
from cepheid.api import compile  # noqa: A004  # users write `cepheid.compile`
from cepheid.engine.kernels import KernelDetector, Shape, shapes_of
from cepheid.events import Event, Value, point
from cepheid.languages.cep import read_program
from cepheid.testing import Case
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements
from tests.kernels_runner import compiled_rules

PATTERNS = {
    "single events": "a: A suppress 3 by a.k",
    "with a condition": "a: A[v > 1] suppress 2 by a.k, a.v",
    "all together": "(a: A then b: B within 6) suppress 4",
    "of a part": "(a: A then b: B within 9) suppress 3 by a.k",
    "of both parts": "(a: A then b: B within 9) suppress 5 by a.k, b.k",
    "of three": "(a: A then b: B then d: A within 7) suppress 3 by b.k",
    "with a filter": "((a: A then b: B within 9) where a.v >= b.v) suppress 3 by b.k",
    "recent": "(a: A then b: B on k choose recent) suppress 4 by a.k",
    "next": "(a: A then b: B on k choose next) suppress 3 by b.v",
    "chronological": "(a: A then b: B on k choose chronological) suppress 3",
    "latest start": "(a: A then b: B on k choose latest-start) suppress 2 by a.v",
}
VALUES: list[Value] = [1, 1, 2, 1.0, None, "x", True, 2.5]


def program_of(pattern: str, ties: Ties, *, keyed: bool = False) -> Program:
    per = " per k" if keyed else ""
    return read_program(f"ties {ties.value}\nrule r{per}:\n    {pattern}\n    emits R")


def crowd(random: Random, count: int) -> list[Event]:
    """Return events of which half are at the time of the one before, with keys of every kind."""
    events, time = [], 0
    for number in range(count):
        time += 0 if random.random() < 0.5 else random.randint(1, 3)
        made = point(random.choice("AB"), time, 500 - number, {"k": random.choice(VALUES), "v": random.randrange(4)})
        events.append(replace(made, number=number))
    return events


@pytest.mark.parametrize("ties", Ties)
@pytest.mark.parametrize("kind", PATTERNS)
def test_kernels_leave_out_what_the_definition_does(kind: str, ties: Ties) -> None:
    with plain_kernels():
        for seed in range(12):
            random = Random(f"{kind} {seed}")
            program = program_of(PATTERNS[kind], ties, keyed=seed % 4 == 3)
            assert compiled_rules(program, intervals=False) == 1
            events = tuple(crowd(random, random.randint(8, 24)))
            cuts = tuple(sorted(random.sample(range(1, len(events)), 3)))
            assert disagreements(Case(program, events, events, 0, cuts)) == [], seed


@pytest.mark.parametrize("kind", ["of a part", "recent"])
@pytest.mark.parametrize("ties", Ties)
def test_machine_code_leaves_out_the_same(kind: str, ties: Ties) -> None:
    events = tuple(crowd(Random(kind), 60))
    assert disagreements(Case(program_of(PATTERNS[kind], ties), events, events, 0, (7, 30))) == []


@pytest.mark.parametrize("kind", PATTERNS)
def test_rules_of_the_native_language_run_in_a_shape_of_their_own(kind: str) -> None:
    """Events of one time follow each other there, and a match passes with the event that completes it."""
    [shape] = shapes_of(compile(PATTERNS[kind], language="cep", allow_unbounded=True).plan)
    assert isinstance(shape, Shape), shape
    assert shape.suppressed is not None


@pytest.mark.parametrize(
    "text",
    [
        "(a: A suppress 3) where a.v > 1",
        "((a: A suppress 3) then b: B within 9) suppress 4",
        "((a: A then b: B within 6) unless c: C between a and b) suppress 4",
    ],
)
def test_what_passes_inside_of_a_rule_is_interpreted_where_events_follow_each_other(text: str) -> None:
    [reason] = shapes_of(compile(text, language="cep").plan)
    assert isinstance(reason, str)


KEYED = {
    "as they are found": "a: A suppress 30 us by a.ip, a.user",
    "instant by instant": "ties simultaneous (a: A suppress 30 us by a.ip, a.user)",
}


def batch(first: int, count: int) -> pa.RecordBatch:
    time = np.arange(first, first + count)
    return pa.RecordBatch.from_pydict({"type": ["A"] * count, "time": time, "ip": time // 3, "user": -(time // 6)})


@pytest.mark.parametrize("kind", KEYED)
@pytest.mark.parametrize("plain", [True, False], ids=("plain", "compiled"))
def test_keys_are_forgotten_when_their_span_is_over(kind: str, plain: bool) -> None:
    plan = compile(KEYED[kind], language="cep", time_unit="us").plan
    sizes, passed = [], 0
    with plain_kernels() if plain else nullcontext():
        detector = KernelDetector(plan)
        for first in range(0, 1500, 150) if plain else range(0, 60_000, 6_000):
            passed += detector.push_batch(batch(first, 150 if plain else 6_000)).num_rows
            sizes.append(len(detector.snapshot()))
        passed += detector.close().num_rows
    assert max(sizes) < 1.2 * sizes[0]
    assert passed == (1500 if plain else 60_000) // 3
