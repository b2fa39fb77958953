"""One seed, every order of its sources: what is found, what is held, and what was forgotten too early.

Run as a program it goes through many seeds and prints what it saw:

    python -m tests.languages.parte.soak 0 20000
"""

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.instances import Instance
from cepheid.algebra.matches import Match
from cepheid.algebra.semantics import matches
from cepheid.analysis import Certificate, Plan, certify, plan_of
from cepheid.engine import Detector, Excess, Wait, histories
from cepheid.events import EventId
from cepheid.testing.cases import seeded
from tests.languages.parte.random_rules import event_pattern_of, variables
from tests.languages.parte.soak_cases import SoakCase, Step, interleavings, random_interleaving, soak_case
from tests.oracles.event_algebra import assignments

MANY = 100
Content = Counter[tuple[object, ...]]


@dataclass(slots=True)
class Seen:
    """What was seen of one case: what is wrong with it, and how much was looked at."""

    wrong: set[str] = field(default_factory=set)
    counts: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Checked:
    """A case at work, with what the definition finds in it."""

    case: SoakCase
    plan: Plan
    certificate: Certificate
    expected: tuple[Match, ...]

    @classmethod
    def of(cls, case: SoakCase) -> "Checked":
        plan = plan_of(case.program)
        return cls(case, plan, certify(plan), tuple(matches(case.program, case.trace)))

    @property
    def content(self) -> Content:
        return content(self.expected)

    def detector(self, on_excess: Excess) -> Detector:
        return Detector(self.plan, certificate=self.certificate, on_excess=on_excess)


def content(found: Iterable[Match]) -> Content:
    return Counter((match.id, *map(str, match.content())) for match in found)


def seen_of(seed: int) -> Seen:
    """Return what is wrong with the case of a seed: nothing, we hope."""
    checked, seen = Checked.of(soak_case(seed)), Seen()
    case = checked.case
    seen.counts.update(cases=1, events=len(case.trace), matches=len(checked.expected))
    seen.counts["cases with a match"] += bool(checked.expected)
    if _oracle(case) != _assigned(case, checked.expected):
        seen.wrong.add("the definition is not what the event algebra says")
    _take_all_orders(checked, seed, seen)
    _take_as_there_is_room(checked, seed, seen)
    return seen


def _oracle(case: SoakCase) -> Counter[tuple[object, ...]]:
    names, found = variables(case.parts), assignments(event_pattern_of(case.parts), case.trace)
    return Counter(tuple(one[name].id for name in names) for one in found)


def _assigned(case: SoakCase, found: Sequence[Match]) -> Counter[tuple[object, ...]]:
    names = variables(case.parts)
    return Counter(tuple(match.values[name] for name in names) for match in found if match.name == "R")


def _orders(case: SoakCase, seed: int) -> Iterator[list[Step]]:
    """Yield all orders of a small case, of any other a hundred random ones."""
    if case.is_small:
        yield from interleavings(case.steps)
        return
    draw = seeded(seed + 1)
    for _ in range(MANY):
        yield random_interleaving(draw, case.steps)


def _take_all_orders(checked: Checked, seed: int, seen: Seen) -> None:
    expected = checked.content
    for number, steps in enumerate(_orders(checked.case, seed)):
        watched = number % 4 == 0
        detector = checked.detector(Excess.FAIL) if watched else Detector(checked.plan)
        found: list[Match] = []
        for place, step in enumerate(steps):
            found += taken(detector, step)
            if number % 16 == 0:
                _look_for_forgotten(checked, detector, found, steps[: place + 1], seen)
        found += detector.close()
        seen.counts["orders"] += 1
        if content(found) != expected:
            seen.wrong.add("an order of the sources changes what is found")
        if detector.late:
            seen.wrong.add("an event is late although its source is honest")


def taken(detector: Detector, step: Step) -> list[Match]:
    found = detector.push(step.event, step.source)
    return found if step.heartbeat is None else found + detector.advance(step.heartbeat, step.source)


def _look_for_forgotten(
    checked: Checked, detector: Detector, found: Sequence[Match], steps: Sequence[Step], seen: Seen
) -> None:
    """Look whether everything is still held that a match to come rests on."""
    told, arrived = content(found), {step.event.id for step in steps}
    held = _held(detector)
    for match in checked.expected:
        if not told[match.id, *map(str, match.content())]:
            seen.counts["looks at a match to come"] += 1
            if not arrived.intersection(match.evidence) <= held:
                seen.wrong.add("something is forgotten that a match to come rests on")


def _held(detector: Detector) -> set[EventId]:
    machines = [machine for runner in detector.runners for machine in runner.machines.values()]
    states = [interpreter.state() for machine in machines for interpreter in machine.interpreters]
    return {event for instance in _instances(states) for event in instance.support}


def _instances(state: object) -> Iterator[Instance]:
    if isinstance(state, Instance):
        yield state
    elif isinstance(state, list | tuple):
        for one in state:
            yield from _instances(one)


def _take_as_there_is_room(checked: Checked, seed: int, seen: Seen) -> None:
    """Let sources wait for each other: no history may ever hold more than was certified, and nothing may be lost."""
    draw = seeded(seed + 2)
    detector = checked.detector(Excess.WAIT)
    found: list[Match] = []
    left = {source: list(steps) for source, steps in checked.case.steps.items() if steps}
    for source in checked.case.steps.keys() - left.keys():
        found += detector.end(source)
    idle = 0
    while left and idle < 200:
        source = draw.pick(sorted(left))
        try:
            found += taken(detector, left[source][0])
        except Wait:
            seen.counts["waits"] += 1
            idle += 1
            continue
        idle = 0
        _look_at_sizes(detector, seen)
        left[source].pop(0)
        if not left[source]:
            del left[source]
            found += detector.end(source)
    found += detector.close()
    if left:
        seen.wrong.add("sources wait for each other for ever")
    elif content(found) != checked.content:
        seen.wrong.add("something is lost where sources wait for each other")


def _look_at_sizes(detector: Detector, seen: Seen) -> None:
    for one in histories(detector):
        seen.counts["looks at a history"] += 1
        if one.promised is None:
            seen.wrong.add("a history has no minimum viable size")
        elif one.used > one.promised:
            seen.wrong.add("a history holds more than its minimum viable size")
        elif one.used == one.promised:
            seen.counts["looks at a history that is full"] += 1


def main(first: int, last: int) -> int:
    """Go through some seeds, tell what is wrong with each, and what was seen of all."""
    counts: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    for seed in range(first, last):
        seen = seen_of(seed)
        counts += seen.counts
        wrong.update(seen.wrong)
        for problem in sorted(seen.wrong):
            print(f"seed {seed}: {problem}", flush=True)
        if (seed + 1) % 1000 == 0:
            print(f"up to seed {seed}: {sum(wrong.values())} problems in {counts['orders']:,} orders", flush=True)
    for name, count in counts.items():
        print(f"{count:>12,} {name}")
    print(f"{sum(wrong.values()):>12,} problems {dict(wrong) or ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2])))
