"""Every combination of what a step of a sequence can say finds what trying everything finds, in every tier.

The step, or a group of steps, stands between two others. The parameters say how it follows, how often it is taken, and
what happens after a match; each test goes through all else: how its records follow each other, `optional`, `greedy`,
`until`, how the last step follows, and what is absent before it and at the end. The profile `default` takes some of the
parameters, `whole` and `soak` all.
"""

from collections.abc import Iterator
from itertools import product
from random import Random

import pytest

from cepheid.algebra.matches import same_matches
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.algebra.validation import validate
from cepheid.diagnostics import CepheidError
from cepheid.events import Event
from cepheid.languages.cep import parse
from cepheid.testing import Case, Runner
from tests.columns_runner import disagreement_in_columns
from tests.engine_runner import EngineRunner
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels_runner import KernelsRunner
from tests.languages.cep.brute_sequences import BruteStep, Record, found_by_trying, one_after_another, text_of
from tests.languages.cep.test_sequences import REFUSED, trace_of

CONTIGUITY = ("next", "strict", "any")
TIMES = ((1, 1), (2, 2), (1, 2), (1, None), (2, None), (0, 2), (0, None))
AFTER = ("", "skip past last", "skip to next", "skip to first p", "skip to last p")
CANNOT_BE = (
    *REFUSED,
    "`greedy` cannot stand with `until`",
    "`greedy` cannot stand with `combinations`",
    "a group cannot be greedy",
    "this says how several records follow each other, and the step takes one",
)
TIERS: tuple[Runner, ...] = (
    EngineRunner(),
    EngineRunner("interpreter", direct=False),
    EngineRunner("restarted", restarts=True),
    KernelsRunner(),
    KernelsRunner("kernels, restarted", restarts=True),
)


def steps_with(contiguity: str, times: tuple[int, int | None], *, group: bool) -> Iterator[list[BruteStep]]:
    """Yield sequences whose second step says all that it can, besides what is given."""
    inside = (BruteStep("p", "B"), BruteStep("q", "A", "strict", optional=True)) if group else ()
    said = product(CONTIGUITY, (False, True), (False, True), (None, "C"), ((), ("C",)), CONTIGUITY)
    for inner, optional, greedy, until, without, last in said:
        middle = BruteStep(
            "g" if group else "p",
            "" if group else "B",
            contiguity,
            *times,
            optional=optional,
            inner=inner,
            greedy=greedy,
            until=until,
            without=without,
            group=inside,
        )
        yield [BruteStep("a", "A"), middle, BruteStep("z", "A", last)]


def accepted(text: str) -> Program | None:
    """Return what a text means; None where it is known that it cannot be said."""
    try:
        program = parse(text, time_unit=1)
    except CepheidError as error:
        if error.diagnostics[0].message not in CANNOT_BE:
            raise
        return None
    validate(program)
    return program


def expected(steps: list[BruteStep], records: list[Record], closing: str | None, after: str) -> set[tuple[int, ...]]:
    every = found_by_trying(steps, records, closing, 5)
    return one_after_another(every, lambda taken: goes_on(after, taken, records)) if after else every


def goes_on(after: str, taken: tuple[int, ...], records: list[Record]) -> int:
    """Return with which record it goes on after a match; `p` takes all that there is of B."""
    of_part = [at for at in taken if records[at][0] == "B"] or [0]
    ways = {"past last": taken[-1] + 1, "to next": taken[0] + 1, "to first p": of_part[0], "to last p": of_part[-1]}
    return ways[after.removeprefix("skip ")]


def found(given: tuple[object, ...]) -> tuple[int, ...]:
    return tuple(sorted(int(str(one)) for one in given))


def run_in(tier: Runner, program: Program, trace: list[Event]) -> bool:
    """Say whether a tier finds what the definition does, stopped after every event and in columns as well."""
    wanted, cuts = matches(program, trace), tuple(range(1, len(trace)))
    agrees = same_matches(tier.run(program, trace, cuts=cuts).matches, wanted)
    return agrees and not disagreement_in_columns(Case(program, tuple(trace), tuple(trace), cuts=cuts))


@pytest.mark.one_in(43)
@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("group", [False, True])
@pytest.mark.parametrize("times", TIMES)
@pytest.mark.parametrize("contiguity", CONTIGUITY)
def test_every_combination(contiguity: str, times: tuple[int, int | None], group: bool, after: str) -> None:
    chance, tried = Random(f"{contiguity} {times} {group} {after}"), 0
    sequences = [*steps_with(contiguity, times, group=group)]
    with plain_kernels():
        for number, (steps, closing) in enumerate(product(sequences, (None, "C"))):
            program = accepted(text_of(steps, closing, 5, after))
            if program is None:
                continue
            records = [(chance.choice("AAABBBC"), 0) for _ in range(chance.randrange(4, 9))]
            given = matches(program, trace_of(records))
            assert sorted(found(one.evidence) for one in given) == sorted(expected(steps, records, closing, after))
            assert run_in(TIERS[number % len(TIERS)], program, trace_of(records))
            tried += 1
    assert tried >= 24
