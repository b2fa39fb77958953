"""Rules that feed rules, and events that last, in columns: through the door of Arrow, and in bounded memory."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from cepheid.algebra.matches import Match
from cepheid.analysis.plans.plan import Plan
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector, tiers_of
from cepheid.engine.kernels import ArrowNames, CompiledDetector, KernelDetector, MatchCounter
from cepheid.events import Event, interval, point
from cepheid.languages.etalis import parse
from tests.kernels.plain_kernels import plain_kernels
from tests.queries import read_query

RISES = """
event stock(id, price).
up(S, Q) <- (stock(S, P) SEQ stock(S, Q)).9 us WHERE (Q > 1.2 * P).
down(S) <- (stock(S, P) SEQ stock(S, Q)).9 us WHERE (Q < P).
either(S) <- up(S, _) OR down(S).
both <- (up("x", _) AND up("y", _)).12 us.
over(S) <- (up(S, _) PAR down(S)).20 us.
calm(S) <- (NOT(down(S)).[up(S, _), up(S, _)]).20 us.
"""
POLICIES = ("unrestricted", "recent", "chronological")


def rises(policy: str) -> Plan:
    return plan_of(parse(f"policy {policy}.{RISES}"))


def stocks(count: int) -> list[Event]:
    draw = random.Random(5)
    return [
        point("stock", 2 * number, number, {"id": draw.choice("xyz"), "price": draw.randint(1, 9)})
        for number in range(1, count + 1)
    ]


def in_batches(events: list[Event], size: int) -> Iterator[pa.RecordBatch]:
    for first in range(0, len(events), size):
        some = events[first : first + size]
        columns = {"type": [one.type for one in some], "time": [one.end for one in some]}
        columns |= {"begin": [one.start for one in some]}
        columns |= {name: [one.get(name) for one in some] for name in some[0].fields}
        yield pa.RecordBatch.from_pydict(columns)


def interpreted(plan: Plan, events: list[Event]) -> list[Match]:
    detector = Detector(plan)
    return [match for event in events for match in detector.push(event)] + detector.close()


def told(matches: list[Match]) -> list[tuple[object, ...]]:
    return sorted((one.name, one.start, one.end, one.known, list(one.evidence), str(one.values)) for one in matches)


def rows_of(tables: list[pa.RecordBatch], plan: Plan) -> list[tuple[object, ...]]:
    fields = {rule.rule.name: tuple(rule.rule.fields) for rule in plan.rules}
    return sorted(
        (
            *(row[name] for name in ("rule", "start", "end", "known", "evidence")),
            str({name: row[name] for name in fields[row["rule"]]}),
        )
        for table in tables
        for row in table.to_pylist()
    )


@pytest.mark.parametrize("policy", POLICIES)
def test_every_rule_of_the_chain_runs_compiled(policy: str) -> None:
    assert [str(tier) for tier in tiers_of(rises(policy))] == ["compiled: stage by stage, of events that may last"] * 6


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("size", [1, 7, 64, 300])
def test_record_batches_give_what_the_interpreter_gives_however_they_are_cut(policy: str, size: int) -> None:
    plan, events = rises(policy), stocks(300 if size > 1 else 60)
    detector = KernelDetector(plan)
    found = [detector.push_batch(batch) for batch in in_batches(events, size)]
    assert rows_of([*found, detector.close()], plan) == told(interpreted(plan, events))


@pytest.mark.parametrize("policy", POLICIES)
def test_a_chain_goes_on_from_its_state(policy: str) -> None:
    plan, events = rises(policy), stocks(200)
    detector, found = KernelDetector(plan), []
    for batch in in_batches(events, 23):
        found.append(detector.push_batch(batch))
        detector = KernelDetector(plan, state=detector.snapshot())
    assert rows_of([*found, detector.close()], plan) == told(interpreted(plan, events))


def test_what_a_chain_holds_does_not_grow_with_the_input() -> None:
    plan = rises("chronological")
    detector, sizes = KernelDetector(plan), []
    for batch in in_batches(stocks(12_000), 1000):
        detector.push_batch(batch)
        sizes.append(len(detector.snapshot()))
    assert max(sizes[6:]) <= 1.2 * max(sizes[:6])
    (chain,) = detector.run.chains.values()
    assert chain.tables.given.log.room <= 4096
    assert all(rule.live() < 60 for rule in chain.rules)


def test_matches_of_a_chain_are_counted() -> None:
    plan, events = rises("recent"), stocks(100)
    counter = MatchCounter(plan)
    counted = sum(counter.push_batch(batch) for batch in in_batches(events, 30)) + counter.close()
    assert counted == len(interpreted(plan, events))


def test_events_that_last_have_a_column_for_their_start() -> None:
    plan = plan_of(parse("r <- (a PAR b).20 us policy recent. s <- (r SEQ c).30 us."), intervals=True)
    events = [interval("a", 1, 6, 1), interval("b", 4, 8, 2), point("c", 11, 3)]
    with plain_kernels():
        detector = KernelDetector(plan, columns=ArrowNames(start="begin"))
        found = [detector.push_batch(batch) for batch in in_batches([*events], 3)]
        assert rows_of([*found, detector.close()], plan) == told(interpreted(plan, events))
        assert [row["rule"] for table in found for row in table.to_pylist()] == ["r", "s"]


PER_KEY = """
rule pair per user: (a: A then b: B within 16 choose {choice}) emits P(user = a.user, value = b.value)
rule wide per user: (p: P and q: {{P, C}} within 12) emits W(user = p.user)
rule calm per user: (a: {{A, P}} then b: B within 9) unless c: C inside emits calm(from = a.value)
rule lone per user: (x: W or y: C) emits lone
"""


def odd_users(count: int) -> list[Event]:
    """Return events of users who are numbers, words, lists or nobody; equal ones are one user."""
    draw = random.Random(8)
    users = (1, 1.0, 2, "1", None, True, (1, None), float("nan"))
    return [
        point(draw.choice("ABC"), number // 2, number, {"user": draw.choice(users), "value": draw.randint(0, 9)})
        for number in range(count)
    ]


@pytest.mark.parametrize("choice", ["all", "recent", "chronological"])
def test_rules_per_key_run_stage_by_stage(choice: str) -> None:
    plan, events = plan_of(read_query(PER_KEY.format(choice=choice))), odd_users(400)
    assert {str(tier) for tier in tiers_of(plan)} == {"compiled: stage by stage, of events that may last"}
    with plain_kernels():
        for cut in (1, 37, 400):
            detector = CompiledDetector(plan)
            found = [match for first in range(0, 400, cut) for match in detector.push_all(events[first : first + cut])]
            assert told(found + detector.close()) == told(interpreted(plan, events))
    counts = Counter(match.name for match in interpreted(plan, events))
    assert set(counts) == {"pair", "wide", "calm", "lone"}
    assert min(counts.values()) > 5


AT_INSTANTS = {
    "latest": "((a: A then b: B within 5) or (c: C)) choose latest-start",
    "latest of a key": "((a: A then b: B within 5) or (c: C)) choose latest-start per coalesce(b.user, c.user)",
    "next": "(a: A and b: {A, B} within 4 choose next)",
    "alike, some of them later": "(a: A then b: B within 5 choose recent) or (a: A then b: B within 5)",
    "distinct": "distinct ((a: A and b: {A, B} within 4))",
    "distinct by a value": "distinct by (a.value, b.value) ((a: A then b: B within 6))",
    "distinct of an alternative": "distinct by (a.user, a.value) ((a: A) or (a: C[value > 5]))",
    "absence under a condition": "(a: A then b: B within 6) unless c: C inside where c.value > a.value + 1",
    "absence of an alternative": "a: A unless (c: A[value < 2] or c: B) inside on a.user == c.user",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", AT_INSTANTS)
@pytest.mark.parametrize("per", ["", " per user"])
def test_what_is_decided_at_an_instant_is_decided_as_the_interpreter_does(name: str, per: str) -> None:
    rules = (
        f"rule one{per}: {AT_INSTANTS[name]} emits One(of = a.value)\nrule two: x: One then y: One within 3 emits Two"
    )
    plan, events = plan_of(read_query(rules)), odd_users(200)
    assert {str(tier) for tier in tiers_of(plan)} == {"compiled: stage by stage, of events that may last"}
    expected = interpreted(plan, events)
    assert len([one for one in expected if one.name == "one"]) > 10
    with plain_kernels():
        for cut in (1, 31, 200):
            detector = CompiledDetector(plan)
            found = []
            for first in range(0, 200, cut):
                found += detector.push_all(events[first : first + cut])
                detector = CompiledDetector(plan, state=detector.snapshot())
            found += detector.close()
            assert told(found) == told(expected)
            assert {one.id for one in found} == {one.id for one in expected}


def test_one_rule_without_stages_leaves_the_whole_chain_to_the_interpreter() -> None:
    rules = (
        "rule r: a: A then c: C within 5 emits R",
        "rule s: a: A then r: R within 5 choose latest-start per a.value, r.value emits S",
        "rule t: d: D then c: C within 5 emits T",
    )
    assert [str(tier) for tier in tiers_of(plan_of(read_query("\n".join(rules))))] == [
        "interpreted: it is chained to `s`, which is interpreted",
        "interpreted: it chooses by a key of both of its parts",
        "compiled: all combinations, listed from a graph of events",
    ]


def disagreements() -> list[str]:
    """Return the policies under which kernels find something else than the interpreter."""
    events = stocks(120)
    wrong = []
    for policy in POLICIES:
        detector = CompiledDetector(rises(policy))
        found = [match for first in range(0, 120, 50) for match in detector.push_all(events[first : first + 50])]
        if told(found + detector.close()) != told(interpreted(rises(policy), events)):
            wrong.append(policy)
    return wrong


def test_no_stage_reads_or_writes_beyond_its_arrays(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_BOUNDSCHECK": "1", "CEPHEID_CACHE": str(tmp_path)}
    script = "from tests.kernels.test_chains import *; print(disagreements())"
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr
