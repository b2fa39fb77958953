"""Points of time in rules by a key: each key has its own, however late its first event comes.

A fixed point may lie long before the first event of its key, which may forbid it, follow it or be collected for it.
Points that come again and again begin with the first event of their key.
"""

from random import Random

import pytest

from cepheid.algebra.programs import Program
from cepheid.events import point
from cepheid.testing import Case, Runner
from tests.conformance.agreement import disagreements_of
from tests.conformance.examples import Example, examples, shows
from tests.queries import read_query

FIRST = (
    shows(
        "the first event of a key can forbid a fixed point",
        "rule r per k: (instant t: at(2)) unless c relation 1 <= start($absent) - end($pattern) <= 99 emits r",
        "1 a{k: 1}, 3 c{k: 2}, 4 a{k: 3}, 4 c{k: 4}",
        "2",
        "2",
    ),
    shows(
        "the first event of a key can follow a fixed point",
        "rule r per k: instant t: at(2) then c emits r",
        "1 a{k: 1}, 3 c{k: 2}, 4 a{k: 3}, 4 c{k: 4}",
        "2-3 c#2",
        "2-4 c#4",
    ),
    shows(
        "a fixed point can forbid the first event of its key",
        "rule r per k: c unless (instant t: at(2)) relation start($pattern) - end($absent) >= 1 emits r",
        "1 c{k: 1}, 3 c{k: 2}, 4 c{k: 3}",
        "1 c#1",
    ),
    shows(
        "the first event of a key can be collected for a fixed point",
        "rule r per k: collect n: all of c for instant t: at(2) relation start($item) - end($anchor) >= 1 "
        "with count = count of items emits r(count = n.count)",
        "1 a{k: 1}, 3 c{k: 2}, 4 c{k: 2}",
        "2 {count: 0}",
        "2 c#2 c#3 {count: 2}",
    ),
)


@examples(*FIRST)
def test_the_first_event_of_a_key(runner: Runner, example: Example) -> None:
    assert example.on(runner) == example.found


SCHEDULES = (
    "at(2 us)",
    "at(-3 us)",
    "at(30 us)",
    "every(7, 3)",
    'daily("00:00", "UTC")',
    'weekly("thu", "00:00", "UTC")',
)
PATTERNS = (
    "instant t: SCHEDULE",
    "(instant t: SCHEDULE) unless a: A",
    "(instant t: SCHEDULE) unless a: A relation start($absent) - end($pattern) >= 1",
    "(instant t: SCHEDULE) unless a: A relation 0 <= start($absent) - end($pattern) <= 9",
    "(instant t: SCHEDULE) unless a: A relation 0 <= end($pattern) - end($absent) <= 9",
    "(instant t: SCHEDULE) unless (a: A unless b: B relation 0 <= start($absent) - end($pattern) <= 5)",
    "((instant t: SCHEDULE) unless a: A relation 1 <= start($absent) - end($pattern) <= 9) then b: B",
    "a: A unless instant t: SCHEDULE",
    "a: A unless (instant t: SCHEDULE) relation end($pattern) - end($absent) >= 0",
    "a: A unless (instant t: SCHEDULE) relation 0 <= end($absent) - end($pattern) <= 9",
    "instant t: SCHEDULE then a: A",
    "instant t: SCHEDULE then a: A choose recent",
    "instant t: SCHEDULE then a: A choose next",
    "a: A and instant t: SCHEDULE",
    "a: A and instant t: SCHEDULE choose next",
    "a: A and instant t: SCHEDULE choose latest-start",
    "(a: A or instant t: SCHEDULE) choose latest-start",
    "(a: A or instant t: SCHEDULE) then b: B choose next",
    "collect n: all of a: A for instant t: SCHEDULE",
    "collect n: all of a: A for instant t: SCHEDULE relation 0 <= start($item) - end($anchor) <= 9",
    "collect n: all of instant t: SCHEDULE for a: A relation end($anchor) - end($item) >= 0",
    "distinct (a: A and instant t: SCHEDULE)",
    "repeat n: 2 of (a: A or instant t: SCHEDULE)",
    "(a: A or instant t: SCHEDULE) suppress 9",
)
# In each form a pattern runs over the traces of some seeds.
FORMS = {
    "rule r per k: PATTERN emits R": (0, 1),
    "rule r per k: PATTERN emits R\n"
    "rule s per k: R unless B relation 0 <= start($absent) - end($pattern) <= 9 emits S": (2,),
    "rule p: b: B emits A(k = b.k)\nrule r per k: PATTERN emits R": (3,),
}


def keys_that_begin_late(program: Program, seed: int) -> Case:
    """Return events of a few keys around the epoch, some of them out of order, with gaps in time."""
    random, time, events = Random(seed), -9, []
    for number in range(8):
        time += random.choice((0, 0, 1, 2, 5, 13, 60))
        events.append(point(random.choice("AAB"), time, number, {"k": random.randrange(number // 2 + 1)}))
    disorder = random.choice((0, 0, 3, 20))
    arrivals = sorted(events, key=lambda event: event.end + random.randint(0, disorder))
    return Case(program, tuple(events), tuple(arrivals), disorder, (2, 5))


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("pattern", PATTERNS)
def test_every_way_of_running_finds_the_points_of_each_key(pattern: str, schedule: str) -> None:
    for form, seeds in FORMS.items():
        program = read_query(form.replace("PATTERN", pattern.replace("SCHEDULE", schedule)))
        for seed in seeds:
            assert disagreements_of(keys_that_begin_late(program, seed), plain=True) == [], (form, seed)
