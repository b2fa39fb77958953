"""Where a law must not be applied, or only in part: in each of these the careless step would find something else."""

from typing import Final

import pytest

from cepheid.algebra.semantics import instances
from cepheid.algebra.text import read_pattern
from cepheid.rewrites import EventLengths
from cepheid.testing import trace
from tests.rewrites.single_law import applied_everywhere
from tests.rewrites.test_laws import told

LONG: Final = "(p: P then ((q: Q and r: R choose latest-start) choose latest-start) choose latest-start)"
"""From P to R, or from P to Q: as long as it takes."""

GUARDS: Final = {
    "the most recent one is too long, and a shorter one before it does not count": (
        "bounded_memory",
        f"(({LONG} or s: S) then e: E choose recent) within 5",
        "1 P, 2 Q, 11 S, 12 R, 13 E",
        0,
    ),
    "the first one is too long, and it still stands for the others": (
        "bounded_memory",
        f"(distinct by (1) ({LONG} or s: S)) within 3",
        "1 P, 2 Q, 8 R, 9 S",
        0,
    ),
    "what comes afterwards may be longer than what it is absent from": (
        "bounded_memory",
        f"((a: A then b: B) within 3) unless {LONG} relation start($absent) - end($pattern) >= 1",
        "1 A, 2 B, 3 P, 4 Q, 20 R",
        0,
    ),
    "what starts inside may be longer than what it is absent from": (
        "narrow_absence",
        "((a: A then b: B) within 3) unless (p: P then r: R) relation start($absent) - start($pattern) >= 0",
        "1 A, 2 B P, 20 R",
        0,
    ),
    "what is chosen among the absent may stand in no relation, and the other one is not asked": (
        "split_absence_of_either",
        "a: A unless ((x: X or (y: Y then z: Z)) choose latest-start) relation start($pattern) - start($absent) >= 1",
        "2 Y, 5 A, 6 X Z",
        1,
    ),
    "branches that do not count in ties do not begin to when they are flattened": (
        "flatten_either",
        "((a: A or b: B) or c: C) choose latest-start",
        "1 B A",
        1,
    ),
    "branches that do not count in ties do not begin to when they are cut": (
        "push_window_into_either",
        "((a: A or b: B) within 3) choose latest-start",
        "1 B A",
        1,
    ),
    "one part starts early enough, and the other need not": (
        "flatten_joins",
        "join [(a: A and b: B), c: C] relation start($0) - start($1) <= 0",
        "1 A, 3 C, 5 B",
        1,
    ),
    "one part ends late enough, and the other need not": (
        "flatten_joins",
        "join [(a: A and b: B), c: C] relation end($0) - end($1) >= 0",
        "1 A, 3 C, 5 B",
        1,
    ),
    "parts that overlap are not in order, so either may end the match": (
        "push_window_into_join",
        "(join [a: A, b: B] relation start($1) - end($0) >= -3) within 8",
        "1-10 A, 8-9 B",
        0,
    ),
    "one for each key is more than one": (
        "drop_idle_choice",
        "(a: A choose latest-start per a.key) choose latest-start",
        "1 A{key: 1} A{key: 2}",
        1,
    ),
    "the most recent pair is too long, and an older one is not taken for it": (
        "push_window_into_join",
        "(a: A then (b: B then c: C) choose recent) within 3",
        "1 A, 2 B, 8 B, 9 C",
        0,
    ),
    "the longest branch decides how long a match can be": (
        "drop_loose_window",
        "(a: A or (b: B then c: C within 9)) within 5",
        "1 B, 8 C",
        0,
    ),
}


@pytest.mark.parametrize("guard", GUARDS)
def test_a_careless_step_would_find_something_else(guard: str) -> None:
    law, text, events, count = GUARDS[guard]
    pattern, history = read_pattern(text), trace(events)
    found = told(instances(pattern, history))
    assert found.total() == count
    assert told(instances(applied_everywhere(law, pattern, EventLengths()), history)) == found
