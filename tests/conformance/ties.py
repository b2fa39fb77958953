"""One seed with many ties, every way of running it: what depends on a name, or disagrees about what arrives first.

Run as a program it goes through many seeds and prints what disagrees:

    python -m tests.conformance.ties 0 5000
"""

import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from random import Random

import cepheid
from cepheid.algebra.matches import Match
from cepheid.algebra.programs import Ties
from cepheid.algebra.semantics import matches
from cepheid.engine import Detector, TieredDetector
from cepheid.testing import Case, random_case
from cepheid.testing.cases import seeded
from tests.conformance.large_cases import LANGUAGES, input_types
from tests.conformance.long_traces import random_events, random_shape
from tests.engine_runner import last, plan_for
from tests.kernels.plain_kernels import plain_kernels
from tests.properties.arriving_cases import by_arrival, shuffled
from tests.properties.refined_times import can_be_refined, is_like_finer_times
from tests.properties.test_names_and_shifts import CHANGES, RUNNERS, is_changed_by, numbered

OF_LANGUAGES = 3
"""Of so many seeds one is a text of a language."""


def disagreements(seed: int) -> list[str]:
    """Return what disagrees in the case of a seed."""
    case = _of_language(seed) if seed % OF_LANGUAGES == 0 else random_case(seed)
    arriving = by_arrival(case)
    with plain_kernels():
        return [
            *_changed(case, seed),
            *_told_otherwise(arriving, "in order"),
            *_told_otherwise(shuffled(seeded(seed)), "with a column"),
            *_unlike_refined(arriving),
        ]


def _of_language(seed: int) -> Case:
    """Return a program of a language, with events of few times."""
    draw = seeded(seed)
    drawn = LANGUAGES[seed // OF_LANGUAGES % 3](draw, seed)
    query = cepheid.compile(drawn.query, allow_unbounded=True, **drawn.how)  # type: ignore[call-overload]  # options by name
    shape = random_shape(draw, input_types(query.program), drawn.scale, lasts=False, near=True)
    events = random_events(draw, replace(shape, count=14, gap=max(drawn.scale // 2, 1), ties=50))
    plain = tuple(replace(stream, sources=(), disorder=0) for stream in query.program.streams)
    return Case(replace(query.program, streams=plain), tuple(events), tuple(events))


def _changed(case: Case, seed: int) -> Iterator[str]:
    """Yield the ways of running in which a name, an id or a shift changes what is found."""
    for ties in Ties:
        crowd = numbered(case, ties)
        for name in sorted(CHANGES):
            for runner in RUNNERS:
                if is_changed_by(name, crowd, runner, Random(seed)):
                    yield f"{name} {ties.value} {runner.name}"


def _told_otherwise(case: Case, how: str) -> Iterator[str]:
    """Yield the ways of running that find something else than the definition where events follow each other."""
    expected = _said(matches(case.program, case.trace))
    for way, found in _runs(case):
        if _said(found) != expected:
            yield f"{how} {way}"


def _runs(case: Case) -> Iterator[tuple[str, list[Match]]]:
    plan, events = plan_for(case.program, intervals=last(case.trace)), list(case.arrivals)
    everywhere = range(1, len(events))
    for kind in (Detector, TieredDetector):
        for way, cuts in (("whole", ()), ("cut", (3, 5)), ("restarted", everywhere)):
            detector, found = kind(plan, disorder=case.disorder), list[Match]()
            for number, event in enumerate(events):
                if number in cuts:
                    detector = kind(plan, state=detector.snapshot(), disorder=case.disorder)
                found += detector.push(event)
            yield f"{kind.__name__} {way}", [*found, *detector.close()]
    whole = TieredDetector(plan, disorder=case.disorder)
    yield "one batch", [*whole.push_all(events), *whole.close()]


def _unlike_refined(case: Case) -> Iterator[str]:
    """Yield where the same over finer times finds something else."""
    if can_be_refined(case.program) and not is_like_finer_times(case):
        yield "finer times"


def _said(found: Sequence[Match]) -> Counter[str]:
    return Counter(f"{match.content()} {match.id}" for match in found)


def main(arguments: Sequence[str]) -> int:
    first, end = int(arguments[0]), int(arguments[1])
    wrong = 0
    with ProcessPoolExecutor(2) as pool:
        for seed, names in enumerate(pool.map(disagreements, range(first, end), chunksize=10), first):
            wrong += len(names)
            for name in names:
                print(f"seed {seed}: {name}", flush=True)
            if (seed + 1) % 500 == 0:
                print(f"up to seed {seed}: {wrong} disagreements", flush=True)
    print(f"{end - first} cases, {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
