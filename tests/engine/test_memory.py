"""Bounded queries hold what they hold after a while, and not more after a long while."""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass

import pytest

from cepheid.algebra.patterns import Pattern
from cepheid.algebra.programs import Program
from cepheid.analysis.plans.plan import Operator, Plan, RulePlan
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from tests.queries import read_query

SHORT, LONG, STEP = 500, 1500, 50

BOUNDED = {
    "join": "a then b within 9",
    "join with a key": "a then b within 9 on a.key == b.key",
    "join of three": "join [a, b, c] within 9",
    "join by records": "a then b within 5 records",
    "latest-start": "a then b choose latest-start",
    "latest-start in a window": "a then b within 500 choose latest-start",
    "latest-start of both": "a and b choose latest-start",
    "recent": "a then b choose recent",
    "recent in a long window": "a then b within 100000 choose recent",
    "recent, keyed": "a then b within 9 choose recent per a.key",
    "recent of both": "a and b choose recent",
    "chronological": "a then b within 9 choose chronological",
    "next": "a then b within 9 choose next",
    "next, keyed by both": "a then b within 9 choose next per b.key",
    "strict": "a then b choose strict",
    "absence": "a unless b relation 1 <= start($absent) - end($pattern) <= 9",
    "absence before": "a unless b relation 1 <= start($pattern) - end($absent) <= 9",
    "repetition": "repeat g: 2..* of a gap 1 <= start($next) - end($previous) <= 2 with n = count of items",
    "repetition that is full at once": "repeat g: 1 of a gap start($next) - end($previous) >= 1",
    "repetition per key": "repeat g: 1..2 of a gap 1 <= start($next) - end($previous) <= 9 choose next per a.key",
    "repetition per key and more": "(repeat g: 1 of a gap start($next) - end($previous) >= 1 choose next per a.key)"
    " and b choose recent",
    "every subsequence": "repeat g: 1..2 of a gap 1 <= start($next) - end($previous) <= 6 choose all",
    "collection": "collect g: all of b for a relation 0 <= end($anchor) - end($item) <= 9 with n = count of items",
    "chain": "chain from one window end($last) - start($first) <= 9 { step one: a then two step two: b }",
    "chain that merges": "chain from one merged { step one: a then two step two: b }",
    "distinct": "distinct (a and b within 3)",
    "distinct values": "distinct by (a.value) (a)",
    "choice": "(a or b) choose latest-start",
    "schedule": "(instant t: every(7, 0)) then a within 9",
    "schedule with absence": "(instant t: every(7, 0)) unless a relation 0 <= start(t) - end($absent) <= 5",
    "rule per key": "rule r per key: a then b within 9 emits r",
    "absence per key": "rule r per key: a unless b relation 1 <= start($absent) - end($pattern) <= 9 emits r",
    "chain per key": "rule r per key: chain from one window end($last) - start($first) <= 9"
    " { step one: a then two step two: b } emits r",
    "rules": "rule p: a then b within 9 emits p\n"
    "rule q: p unless c relation 1 <= start($absent) - end($pattern) <= 9 emits q",
    "latest-start of what lasts": "rule p: a then b within 9 emits p\nrule q: c then p choose latest-start emits q",
    "recent of what lasts": "rule p: a then b within 9 emits p\nrule q: c then p choose recent emits q",
    "dated back": "rule p: a then b within 9 emits p to start(a)\nrule q: p then c within 9 choose next emits q",
    "dated ahead": "rule p: a emits p to end(a) + 20\nrule q: p and c within 30 emits q",
    "cycle": "rule p: either [a, (p then b within 9)] emits p",
    "pipe": "rule p: a then b within 9 emits p\npipe it = detect p | window 5 { input | map 1 }",
}

_LEAVES = (Plan, RulePlan, Program, Operator, Pattern, Event, str, int, type(None))


def _parts(value: object) -> Iterator[object]:
    """Yield what a value holds."""
    if isinstance(value, Mapping):
        yield from (*value.keys(), *value.values())
    elif isinstance(value, list | tuple | set | frozenset | deque):
        yield from value
    elif is_dataclass(value):
        yield from (getattr(value, item.name) for item in fields(value))
    else:
        slots = [name for kind in type(value).__mro__ for name in getattr(kind, "__slots__", ())]
        yield from (getattr(value, name) for name in slots if hasattr(value, name))
        yield from getattr(value, "__dict__", {}).values()


def size_of(root: object) -> int:
    """Return how many places there are in all that can be reached and was not fixed before the first event."""
    seen, ahead, total = {id(root)}, [root], 0
    while ahead:
        parts = list(_parts(ahead.pop()))
        total += len(parts)
        fresh = {id(part): part for part in parts if id(part) not in seen and not isinstance(part, _LEAVES)}
        seen.update(fresh)
        ahead += fresh.values()
    return total


def _event(number: int) -> Event:
    """Return one of many events: three types, values that come again, and keys that do not."""
    return point("abc"[number % 7 % 3], number, number, {"key": number // 20, "value": number % 5})


def _sizes(program: Program) -> Iterator[int]:
    detector = Detector(plan_of(program))
    for number in range(LONG):
        detector.push(_event(number))
        for pipe in program.pipes:
            detector.take(pipe)
        if number % STEP == 0:
            yield size_of(detector)


@pytest.mark.parametrize("query", BOUNDED.values(), ids=BOUNDED)
def test_state_does_not_grow_with_history(query: str) -> None:
    sizes = list(_sizes(read_query(query)))
    settled = SHORT // STEP
    assert max(sizes[settled:]) <= 1.2 * max(sizes[:settled]) + 50


def test_what_was_told_is_forgotten_although_every_key_begins_with_a_fixed_time() -> None:
    detector = Detector(plan_of(read_program("rule r per key: either [instant t: at(0), a] emits R")))
    for number in range(1, 200):
        detector.push(point("a", number, number, {"key": number % 3}))
    assert len(detector.runners[0].alike) < 5
