"""Where a law must not be applied, or only in part: in each of these the careless step would find something else."""

from typing import Final

import pytest

from cepheid.algebra.semantics import instances
from cepheid.languages.cep import read_pattern
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
        "((a: A then b: B if a.key == b.key) then c: C choose recent) within 3",
        "1 A{key: 1}, 4 A{key: 2}, 5 B{key: 2}, 6 B{key: 1}, 7 C",
        0,
    ),
    "the most recent one is too long, and one that ended before it is not taken for it": (
        "push_window_into_join",
        "(a: A then b: B choose recent) within 3",
        "1-6 A, 4-5 A, 7 B",
        0,
    ),
    "the longest of those that end together is taken, and then it is too long": (
        "push_window_into_join",
        "((a: A then b: B choose next) then c: C choose recent tie end($candidate) - start($candidate)) within 3",
        "1 A, 3 A, 4 B, 5 C",
        0,
    ),
    "the most recent pair of another user is too long, and it is still the most recent one": (
        "push_window_into_join",
        "((a: A then b: B on a.key == b.key choose recent) then c: C choose recent) within 3",
        "1 A{key: 1}, 4 A{key: 2}, 5 B{key: 2}, 6 B{key: 1}, 7 C",
        0,
    ),
    "the first one in order lies too long before it, and a later one is not taken for it": (
        "push_window_into_join",
        "(a: A and b: B choose next) within 3",
        "1 B, 6 A, 7 B",
        0,
    ),
    "the oldest one is taken although it is too old, and then it is used up": (
        "push_window_into_join",
        "(a: A then b: B choose chronological) within 3",
        "1 A, 4 A, 6 B, 7 B",
        1,
    ),
    "inside, the oldest one is taken although it is too old, and then the pair is too long": (
        "bounded_memory",
        "((a: A then b: B choose chronological) then c: C choose latest-start) within 4",
        "1 A, 4 A, 6 B, 7 C",
        0,
    ),
    "of what has one value the first is too long, and a shorter one is not taken for it": (
        "push_window_into_distinct",
        "(distinct by (1) (a: A then b: B)) within 3",
        "1 A, 5 B, 6 A, 7 B",
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
    lasting = any(event.start < event.end for event in history)
    lengths = EventLengths(default=None if lasting else 0)
    assert told(instances(applied_everywhere(law, pattern, lengths), history)) == found
