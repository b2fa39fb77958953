"""Chains that are detected by a key and count the records of that key, in kernels."""

from dataclasses import replace

import pytest

from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.analysis import plan_of
from cepheid.engine import tiers_of
from cepheid.engine.kernels.automata.automaton_stage import AutomatonStage
from cepheid.engine.kernels.columns.batches import batch_of_events
from cepheid.engine.kernels.rules.kernel_run import KernelRun
from cepheid.engine.kernels.tables.chain_matches import ChainMatches
from cepheid.events import Event, point
from cepheid.languages.hbl import parse
from cepheid.testing import Case
from cepheid.testing.cases import Draw, random_cuts, seeded
from tests.kernels.checked_cases import check_agreement
from tests.kernels.held_in_stages import check_bounds, waiting
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.test_agreement import disagreements

TOGETHER = 40
WITHIN = "watchpoint w by key { window 3 records; main = a -> b; alert { evidence = records } }"
COUNTING = (
    "watchpoint w by key { window 9 records; main = a letting p = index() -> b[index() >= p + 2]; alert { p = p } }"
)


def random_keyed(draw: Draw) -> Case:
    """Return a watchpoint whose windows and conditions count the records of its keys."""
    by = draw.pick(("key", "key", "key, value"))
    window = f"window {draw.integer(1, 5)} records;" if draw.chance(60) else ""
    more = draw.pick(("-> b", "~> avoid(c) ~> b", "-> (b | c -> b)", "-> (b | main)", "-> b -> {a, c}"))
    asked = draw.pick(("", "", "[index() > 1]", "[value != 2 and index() < 9]"))
    alert = draw.pick(("", "alert { i = index(), evidence = records }", "alert { i = index() }", "alert { p = p }"))
    main = f"a{asked} letting p = index(), q = value {more}"
    limited = main.replace("-> b", draw.pick(("-> b", "-> b[index() <= p + 3]", "-> b[index() != p + 1]")))
    program = parse(f"watchpoint w by {by} {{ {window} main = {limited}; {alert} }}", time_unit=1)
    trace = tuple(_trace(draw))
    return Case(program, trace, trace, 0, random_cuts(draw, len(trace)))


def _trace(draw: Draw) -> list[Event]:
    keys = draw.pick(((1, 2), (1, "x", None), (1, 2.5, True, (1, None))))
    time, found = 0, []
    for number in range(draw.integer(10, 24)):
        time += draw.integer(0, 1)
        fields = {"key": draw.pick(keys), "value": draw.integer(1, 2)}
        found.append(replace(point(draw.pick("aabbcd"), time, number, fields), number=number))
    return found


@pytest.mark.parametrize("first", range(0, 4 * TOGETHER, TOGETHER))
def test_random_watchpoints_by_a_key(first: int) -> None:
    compiled, found = check_agreement(random_keyed(seeded(seed)) for seed in range(first, first + TOGETHER))
    assert compiled == TOGETHER
    assert found > TOGETHER / 5, "too few find anything"


def test_in_machine_code() -> None:
    for seed in range(5):
        assert disagreements(random_keyed(seeded(seed))) == []


def test_no_more_runs_wait_than_are_certified() -> None:
    seeds = range(4 * TOGETHER, 6 * TOGETHER)
    assert check_bounds(random_keyed(seeded(seed)) for seed in seeds) > TOGETHER, "too few have a bound"


def a_run(program: Program, state: bytes | None = None) -> KernelRun:
    plan = plan_of(program)
    assert [tier.reason for tier in tiers_of(plan)] == [""]
    return KernelRun(plan, disorder=0, identified=True, evidence=True, state=state)


def found_in(run: KernelRun, events: list[Event]) -> list[tuple[object, ...]]:
    told = run.push(batch_of_events(events, run.words))
    chains = [some for some in told if isinstance(some, ChainMatches)]
    return [match.evidence for some in chains for match in some.matches(evidence=True)]


def test_a_window_of_records_counts_those_of_its_key_alone() -> None:
    trace = [point(kind, time, time, {"key": key}) for time, (kind, key) in enumerate(_KEYED)]
    assert found_in(a_run(parse(WITHIN)), trace) == [(0, 5)]


_KEYED = [("a", 1), ("c", 2), ("c", 2), ("c", 2), ("c", 1), ("b", 1), ("a", 2), ("c", 2), ("c", 2), ("b", 2)]


def test_places_go_on_where_a_snapshot_was_taken() -> None:
    program = parse(COUNTING)
    trace = [point("abc"[time * 7 % 3], time, time, {"key": time % 2}) for time in range(40)]
    with plain_kernels():
        found, state = list[tuple[object, ...]](), None
        for first in range(0, 40, 5):
            run = a_run(program, state)
            found += found_in(run, trace[first : first + 5])
            state = run.snapshot()
    assert found == [match.evidence for match in matches(program, trace)]


def test_keys_that_nobody_waits_for_are_forgotten_where_only_a_window_counts() -> None:
    run = a_run(parse(WITHIN))
    events = [point("ac"[time % 2], time, time, {"key": f"key {time // 6}"}) for time in range(1800)]
    assert max(waiting(run, events)) <= 600
    stage = run.staged[0].stage
    assert isinstance(stage, AutomatonStage)
    with plain_kernels():
        run.snapshot()
    assert stage.places.keyed
    assert not stage.places.read


def test_places_that_are_read_are_never_forgotten() -> None:
    run = a_run(parse(COUNTING))
    events = [point("c", time, time, {"key": f"key {time}"}) for time in range(3000)]
    with plain_kernels():
        run.push(batch_of_events(events, run.words))
        run.snapshot()
        again = [point(kind, 3000 + time, 3000 + time, {"key": "key 0"}) for time, kind in enumerate("acb")]
        assert found_in(run, again) == [(3000, 3002)]
