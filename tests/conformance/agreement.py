"""One seed, every way of running it: what disagrees with the definition.

Run as a program it goes through many seeds and prints how many agreed and what they exercised:

    python -m tests.conformance.agreement 0 100000
"""

import gc
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import nullcontext

from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Program
from cepheid.algebra.traversal import walk
from cepheid.rewrites import rewrite
from cepheid.testing import Case, DefinitionRunner, Result, features, random_case
from tests.columns_runner import disagreement_in_columns, disagreement_in_slices
from tests.engine_runner import EngineRunner, last
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels_runner import KernelsRunner, compiled_rules

DEFINITION = DefinitionRunner()
ENGINE = EngineRunner()
INTERPRETER = EngineRunner("interpreter", direct=False)
RESTARTED = EngineRunner("engine, restarted", restarts=True)
KERNELS = (KernelsRunner(), KernelsRunner("kernels, restarted", restarts=True))


def disagreements(seed: int, *, plain: bool = False) -> list[str]:
    """Return the ways of running the case of this number that find something else than the definition.

    `plain`: kernels are not compiled.
    """
    return disagreements_of(random_case(seed), plain=plain)


def disagreements_of(case: Case, *, plain: bool = False) -> list[str]:
    """Return the same of any case."""
    with plain_kernels() if plain else nullcontext():
        return _disagreements(case, DEFINITION.run(case.program, case.trace))


def _disagreements(case: Case, expected: Result) -> list[str]:
    wrong = [name for name, found in _runs(case) if _whole(found) != _whole(expected)]
    if disagreement_in_columns(case):
        wrong.append("in columns")
    if disagreement_in_slices(case):
        wrong.append("in slices")
    telling = _content if _takes_everything(case.program) else _places
    rewritten = rewrite(case.program, intervals=last(case.trace))
    if rewritten == case.program:
        return wrong  # it was run already
    for name, result in (
        ("rewritten, definition", DEFINITION.run(rewritten, case.trace)),
        ("rewritten, engine", ENGINE.run(rewritten, case.trace)),
    ):
        if telling(result) != telling(expected):
            wrong.append(name)
    return wrong


def _runs(case: Case) -> Iterator[tuple[str, Result]]:
    yield "in order", ENGINE.run(case.program, case.trace)
    yield "in order, interpreted", INTERPRETER.run(case.program, case.trace)
    yield "as it arrives", ENGINE.run(case.program, case.arrivals, disorder=case.disorder)
    everywhere = range(len(case.arrivals))
    yield "restarted", RESTARTED.run(case.program, case.arrivals, disorder=case.disorder, cuts=case.cuts)
    yield (
        "restarted at every event",
        RESTARTED.run(case.program, case.arrivals, disorder=case.disorder, cuts=everywhere),
    )
    if _in_kernels(case):
        for kernels in KERNELS:
            yield kernels.name, kernels.run(case.program, case.arrivals, disorder=case.disorder, cuts=case.cuts)


def _in_kernels(case: Case) -> bool:
    """Say whether a rule of the case runs in a kernel."""
    return compiled_rules(case.program, intervals=last(case.trace)) > 0


def _whole(result: Result) -> list[str]:
    return sorted(f"{match.content()} {match.id}" for match in result.matches)


def _content(result: Result) -> list[str]:
    return sorted(str(match.content()) for match in result.matches)


def _places(result: Result) -> list[str]:
    return sorted({f"{match.name} {match.start} {match.end}" for match in result.matches})


def _takes_everything(program: Program) -> bool:
    """Say whether all choices are ALL: only then a rewrite promises whole matches, otherwise where they lie."""
    policies = (node for node in walk(program) if isinstance(node, Policy))
    return all(policy.choice is Choice.ALL for policy in policies)


def main(arguments: Sequence[str]) -> int:
    first, last = int(arguments[0]), int(arguments[1])
    wrong: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    # Cases are many and small: looking for cycles in memory after every few hundred objects would be most of the work.
    with ProcessPoolExecutor(2, initializer=gc.set_threshold, initargs=(100_000,)) as pool:
        for seed, (names, its) in enumerate(pool.map(_one, range(first, last), chunksize=50), first):
            seen.update(its)
            wrong.update(names)
            for name in names:
                print(f"seed {seed}: {name}", flush=True)
            if (seed + 1) % 1000 == 0:
                print(f"up to seed {seed}: {sum(wrong.values())} disagreements", flush=True)
    for name, count in sorted(seen.items()):
        print(f"{name:40} {100 * count / (last - first):6.1f} %")
    print(f"{last - first} cases, {sum(wrong.values())} disagreements {dict(wrong) or ''}")
    return 1 if wrong else 0


def _one(seed: int) -> tuple[list[str], list[str]]:
    case = random_case(seed)
    its = sorted(features(case))
    expected = DEFINITION.run(case.program, case.trace)
    if expected.matches:
        its.append("(with a match)")
    if _in_kernels(case):
        its.append("(in a kernel)")
    return _disagreements(case, expected), its


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
