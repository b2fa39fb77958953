"""Rules that count records where serial numbers are no places: by a key, and among what other rules emit."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

import cepheid
from cepheid.algebra.patterns import Skip
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.algebra.traversal import walk
from cepheid.analysis import plan_of
from cepheid.engine import tiers_of
from cepheid.engine.kernels.columns.batches import batch_of_events
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.stages.skip_stage import SkipStage
from cepheid.engine.kernels.tables.chain_matches import ChainMatches
from cepheid.engine.kernels.tables.event_tables import NOWHERE
from cepheid.events import Event, point
from cepheid.languages.cep import read_program
from cepheid.testing import Case, random_case
from tests.conformance.compiled import reasons_of
from tests.engine_runner import last, plan_for
from tests.kernels.checked_cases import check_agreement, check_certainty
from tests.kernels.held_in_stages import check_bounds, waiting
from tests.kernels.plain_kernels import plain_kernels

FIRST, TOGETHER, TRACE = 8_420_000, 6, 12
ADJACENT = "rule r by key:\n    a: A then b: B choose strict\n    emits R(key = b.key)\n"
FED = (
    "rule f:\n    x: A\n    emits F(key = x.key)\nrule r:\n    f: F then b: B choose strict\n    emits R(key = b.key)\n"
)
NEAR = "rule r by key:\n    a: A then b: B within 3 records\n    emits R(key = b.key)\n"
AFTER = "rule r by key:\n    sequence within 9 records skip past last { a: A, b: B }\n    emits R(key = b.key)\n"


def has_records(case: Case) -> bool:
    """Say whether a rule of a case counts records by a key, or among what rules emit."""
    rules = plan_for(case.program, intervals=last(case.trace)).rules
    return any(one.counts_records and (one.rule.per or len(rules) > 1) for one in rules)


def skips(case: Case) -> bool:
    return any(isinstance(node, Skip) for node in walk(case.program))


def some(kind: Callable[[Case], bool], first: int) -> Iterator[Case]:
    """Yield a few random cases of a kind that run in kernels; long traces make the definition slow."""
    found = 0
    for seed in range(first, first + 1000):
        case = random_case(seed)
        if len(case.trace) <= TRACE and kind(case) and not reasons_of(seed):
            yield case
            found += 1
            if found == TOGETHER:
                return


KINDS = pytest.mark.parametrize("kind", [has_records, skips])


@KINDS
@pytest.mark.one_in(4)
@pytest.mark.parametrize("first", range(FIRST, FIRST + 4000, 1000))
def test_random_programs(kind: Callable[[Case], bool], first: int) -> None:
    compiled, found = check_agreement(some(kind, first))
    assert compiled == TOGETHER
    assert found, "nothing is ever found"


@KINDS
def test_matches_are_certain_when_the_interpreter_says(kind: Callable[[Case], bool]) -> None:
    check_certainty(some(kind, FIRST + 5000))


def test_no_more_is_held_than_certified() -> None:
    assert check_bounds(some(has_records, FIRST + 6000)) > TOGETHER / 2, "too few have a bound"


def a_program(text: str) -> Program:
    return cepheid.compile(text, ties="simultaneous", allow_unbounded=True).program


def a_run(program: Program, state: bytes | None = None) -> KernelRun:
    plan = plan_of(program)
    assert {tier.reason for tier in tiers_of(plan)} == {""}
    return KernelRun(plan, disorder=0, identified=True, evidence=True, state=state)


def told(run: KernelRun, events: list[Event]) -> list[object]:
    found = [*run.push(batch_of_events(events, run.words))] if events else [*run.close()]
    chains = [one for one in found if isinstance(one, ChainMatches)]
    return [match.id for one in chains for match in one.matches(evidence=True)]


def events_of(kinds: str, keys: str) -> list[Event]:
    return [point(kind, time, time, {"key": key}) for time, (kind, key) in enumerate(zip(kinds, keys, strict=True))]


def test_what_is_adjacent_under_a_key_is_taken_over_all_others() -> None:
    run = a_run(a_program(ADJACENT))
    found = told(run, events_of("AACBBB", "121121")) + told(run, [])
    expected = matches(a_program(ADJACENT), events_of("AACBBB", "121121"))
    assert [match.evidence for match in expected] == [(1, 4)]
    assert found == [match.id for match in expected]


def test_what_a_rule_emits_stands_between_given_events() -> None:
    trace = events_of("ABACB", "12345")
    expected = [match for match in matches(a_program(FED), trace) if match.name == "r"]
    assert [match.evidence for match in expected] == [(0, 1)]
    run = a_run(a_program(FED))
    assert {*told(run, trace), *told(run, [])} >= {match.id for match in expected}


@pytest.mark.parametrize("text", [ADJACENT, FED, NEAR, AFTER])
def test_it_goes_on_from_a_snapshot_after_any_event(text: str) -> None:
    program = a_program(text)
    trace = events_of("ABCAABBACBABABCABBA" * 3, "1212112231221121212" * 3)
    with plain_kernels():
        found, state = list[object](), None
        for first in range(0, len(trace), 2):
            run = a_run(program, state)
            found += told(run, trace[first : first + 2])
            state = run.snapshot()
        found += told(a_run(program, state), [])
    assert sorted(map(str, found)) == sorted(match.id for match in matches(program, trace))


def test_keys_that_nothing_is_kept_of_are_forgotten() -> None:
    run = a_run(a_program(NEAR))
    events = [point("AC"[time % 2], time, time, {"key": f"key {time // 6}"}) for time in range(1800)]
    assert max(waiting(run, events)) <= 3 * 300
    with plain_kernels():
        run.snapshot()
    records = run.staged[0].records
    assert records is not None
    assert records.top <= 1800
    assert records.keys.space.whole.known.size < 1 << 12


def test_no_more_goes_on_than_can_still_be_skipped() -> None:
    run = a_run(a_program(AFTER))
    events = [point("AB"[time % 2], time, time, {"key": "one"}) for time in range(400)]
    assert max(waiting(run, events)) <= 12
    assert any(isinstance(stage, SkipStage) for stage in run.staged[0].stage.every())


def test_what_was_forgotten_waits_for_nothing_where_no_record_is_kept() -> None:
    run = KernelRun(plan_of(read_program(NEAR)), disorder=0, identified=True, evidence=True, state=None)
    [rule] = run.staged
    records = rule.records
    assert records is not None
    records.rows[:] = 1 << 60  # what memory holds before it is written
    assert records.top == 0
    assert records.coming(0, np.array([[4], [4], [-1]])).tolist() == [NOWHERE]
