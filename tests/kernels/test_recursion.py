"""Rules that feed themselves, in kernels: rounds until nothing is new."""

import pytest

from cepheid.algebra.strata import feeds_itself
from cepheid.analysis import plan_of
from cepheid.engine import tiers_of
from cepheid.engine.kernels.columns.batches import batch_of_events
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.tables.chain_matches import ChainMatches
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from cepheid.languages.etalis import parse
from cepheid.testing import Case, random_case
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements

PATHS = parse("path(X, Y) <- edge(X, Y). path(X, Z) <- path(X, Y) SEQ edge(Y, Z).")
ALTERNATING = """
rule odd: a: A or (e: Even then b: B within 6) emits Odd(value = coalesce(a.value, e.value))
rule even: o: Odd then c: C within 6 emits Even(value = o.value)
rule read: distinct (e: Even) emits Read(value = e.value)
"""


def recursive_cases(first: int, last: int) -> list[Case]:
    cases = [random_case(seed) for seed in range(first, last)]
    return [case for case in cases if feeds_itself(case.program.rules)]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 600, 200))
def test_random_programs(first: int) -> None:
    cases = recursive_cases(first, first + 200)
    compiled, found = check_agreement(cases)
    assert compiled >= len(cases) - 1
    assert found > len(cases) / 2, "too few find anything"
    check_certainty(cases)


def edges(count: int) -> list[Event]:
    return [point("edge", time, time, {"arg1": time, "arg2": time + 1}) for time in range(count)]


def told(run: KernelRun, *batches: list[Event]) -> list[tuple[object, ...]]:
    found = [some for events in batches for some in run.push(batch_of_events(events, run.words))]
    chains = [some for some in (*found, *run.close()) if isinstance(some, ChainMatches)]
    return [match.evidence for some in chains for match in some.matches(evidence=True)]


def test_every_path_is_found_in_one_batch_as_in_many() -> None:
    expected = sorted(tuple(range(first, last)) for first in range(9) for last in range(first + 1, 10))
    for size in (1, 4, 9):
        run = KernelRun(plan_of(PATHS), disorder=0, identified=True, evidence=True, state=None)
        assert run.staged
        parts = [edges(9)[first : first + size] for first in range(0, 9, size)]
        assert sorted(told(run, *parts)) == expected


def test_what_is_made_of_its_own_events_many_times_over_has_an_id() -> None:
    program = read_program("rule loop: a: A or (l: L then b: B within 2) emits L(value = 1)")
    run = KernelRun(plan_of(program), disorder=0, identified=True, evidence=False, state=None)
    events = [point("A", 0, 0, {}), *(point("B", time, time, {}) for time in range(1, 3000))]
    found = [*run.push(batch_of_events(events, run.words))]
    last = next(some for some in reversed(found) if isinstance(some, ChainMatches))
    assert run.chains["chain"].tables.id(last.first or 0) == next(iter(last.matches(evidence=False))).id


def test_rules_that_feed_each_other_and_others() -> None:
    program = read_program(ALTERNATING)
    trace = tuple(point(kind, time, time, {"value": time % 3}) for time, kind in enumerate("ACBCABCCBBAACBC"))
    assert [tier.reason for tier in tiers_of(plan_of(program))] == ["", "", ""]
    with plain_kernels():
        assert disagreements(Case(program, trace, trace, 0, (3, 7))) == []


def test_what_nothing_can_come_of_is_forgotten() -> None:
    program = read_program("rule loop: a: A or (l: L then b: B within 3) emits L(value = 1)")
    run = KernelRun(plan_of(program), disorder=0, identified=True, evidence=True, state=None)
    with plain_kernels():
        for time in range(300):
            list(run.push(batch_of_events([point("AB"[time % 10 > 0], time, time, {})], run.words)))
        run.snapshot()
    (table,) = run.chains["chain"].tables.made
    assert table.top < 20


def test_a_choice_in_a_rule_that_feeds_itself_is_interpreted() -> None:
    text = "rule loop: a: A or (l: L then b: B within 3 choose recent) emits L"
    (tier,) = tiers_of(plan_of(read_program(text)))
    assert tier.reason == "it feeds itself, and what it emits is not there at once"
