"""One random watchpoint, every way of running it: what disagrees with the definition, or with its own text.

Run as a program it goes through many seeds and prints what disagrees:

    python -m tests.conformance.watchpoints 0 10000
"""

import gc
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Chain
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.analysis import Plan, plan_of
from cepheid.engine import Detector, TieredDetector
from cepheid.events import Event, values
from cepheid.languages.hbl import parse, show
from cepheid.rewrites import rewrite
from cepheid.testing.cases import seeded
from cepheid.testing.cases.events import TraceShape, random_trace
from tests.kernels.plain_kernels import plain_kernels
from tests.languages.hbl.random_watchpoints import TYPES, random_watchpoints
from tests.oracles.active_runs import alerts

SHAPE = TraceShape(types=TYPES, least=6, most=16, intervals=0, plain=True)


def disagreements(seed: int) -> list[str]:
    """Return the ways of running the watchpoints of a seed that find something else than the definition."""
    draw = seeded(seed)
    text, program = random_watchpoints(draw)
    events = [replace(event, number=number) for number, event in enumerate(random_trace(draw, SHAPE))]
    expected = _said(matches(program, events))
    with plain_kernels():
        wrong = [name for name, found in _runs(program, events) if _said(found) != expected]
    return [*wrong, *_unlike_the_paper(program, events), *_unlike_its_text(text), *_not_told_at_once(program, events)]


def _runs(program: Program, events: Sequence[Event]) -> Iterator[tuple[str, list[Match]]]:
    rewritten = plan_of(rewrite(program), written=program)
    yield "interpreter", _pushed(Detector(rewritten, direct=False), events)
    yield "taken directly", _pushed(Detector(rewritten), events)
    yield "as written", _pushed(Detector(plan_of(program)), events)
    yield "restarted everywhere", _restarted(program, events)
    tiers = TieredDetector(rewritten)
    found = tiers.push_all(list(events))
    yield "kernels, in one batch", [*found, *tiers.close()]
    yield "kernels, one by one", _pushed(TieredDetector(rewritten), events)
    yield "kernels, restarted", _taken_up(rewritten, events)


def _pushed(detector: Detector | TieredDetector, events: Sequence[Event]) -> list[Match]:
    return [*(match for event in events for match in detector.push(event)), *detector.close()]


def _restarted(program: Program, events: Sequence[Event]) -> list[Match]:
    plan = plan_of(rewrite(program), written=program)
    detector, found = Detector(plan), list[Match]()
    for event in events:
        detector = Detector(plan, state=detector.snapshot())
        found += detector.push(event)
    return [*found, *detector.close()]


def _taken_up(plan: Plan, events: Sequence[Event]) -> list[Match]:
    """Return what kernels find that begin anew from their own snapshot after every third event."""
    detector, found = TieredDetector(plan), list[Match]()
    for first in range(0, len(events), 3):
        detector = TieredDetector(plan, state=detector.snapshot())
        found += detector.push_all(list(events[first : first + 3]))
    return [*found, *detector.close()]


def _not_told_at_once(program: Program, events: Sequence[Event]) -> Iterator[str]:
    """Yield what is told later than by the push of its last record."""
    detector = Detector(plan_of(rewrite(program), written=program))
    for event in events:
        if any(match.evidence[-1] != event.id or match.known != event.end for match in detector.push(event)):
            yield "told late"
    if detector.close():
        yield "told at the end"


def _unlike_the_paper(program: Program, events: Sequence[Event]) -> Iterator[str]:
    """Yield the watchpoints of which the algorithm of the paper reports something else than the definition."""
    for rule in program.rules:
        assert isinstance(rule.pattern, Chain)
        reads = rule.pattern.reads_support
        told = [one for one in matches(program, events) if one.name == rule.name]
        said = [(values.key_of(dict(one.values)), one.evidence if reads else one.evidence[-1:]) for one in told]
        found = [(rule.name, *each, one.start) for each, one in zip(said, told, strict=True)]
        if Counter(map(repr, found)) != Counter(map(repr, alerts(rule, events))):
            yield "the algorithm of the paper"


def _unlike_its_text(text: str) -> Iterator[str]:
    """Yield whether a watchpoint is printed as something else."""
    program = parse(text)
    if parse(show(program)) != program:
        yield "printed otherwise"


def _said(found: Sequence[Match]) -> Counter[str]:
    return Counter(f"{match.content()} {match.id}" for match in found)


def main(arguments: Sequence[str]) -> int:
    first, last = int(arguments[0]), int(arguments[1])
    wrong: Counter[str] = Counter()
    with ProcessPoolExecutor(2, initializer=gc.set_threshold, initargs=(100_000,)) as pool:
        for seed, names in enumerate(pool.map(disagreements, range(first, last), chunksize=50), first):
            wrong.update(names)
            for name in names:
                print(f"seed {seed}: {name}", flush=True)
            if (seed + 1) % 1000 == 0:
                print(f"up to seed {seed}: {sum(wrong.values())} disagreements", flush=True)
    print(f"{last - first} watchpoints, {sum(wrong.values())} disagreements {dict(wrong) or ''}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
