"""The rules about fraud find in their trace what is said of them, by the definition and by the engine."""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

import pytest

from benchmarks.fraud_experiment import (
    RULE,
    by_source,
    cases,
    found_by_eviction,
    limits_of,
    outcome,
    query_for,
)
from cepheid import Wait
from cepheid.algebra.matches import Match, same_matches
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.analysis.plans.planner import plan_of
from cepheid.api import load
from cepheid.engine.detectors.detector import Detector
from cepheid.events import format_time
from cepheid.languages.parte import parse, remarks, show
from examples.fraud.detect import HERE, detected, program, resolve, trace
from examples.fraud.generator import Setting, generated

FILES = {"fraud.parte": "expected.jsonl", "as_published.parte": "as_published_expected.jsonl"}
KNOWN_ROUTES = {"common_routes": [("E", "F")]}
MORE_ROUTES = {"common_routes": [("E", "F"), ("S", "R")]}


@cache
def defined(file: str) -> list[Match]:
    """Return what the definition finds; four variables over all transfers take it a while."""
    return matches(program(file), trace())


def only(rules: Program, name: str) -> Program:
    return replace(rules, rules=tuple(rule for rule in rules.rules if rule.name == name))


def lines(found: Sequence[Match]) -> list[str]:
    told = ({"rule": match.name, "time": format_time(match.end), **dict(match.values)} for match in found)
    return sorted(json.dumps(one) for one in told)


def transactions(found: Sequence[Match], rule: str) -> list[tuple[object, ...]]:
    """Return the incoming and outgoing transfers of each match of a rule."""
    named = ("incoming_transactions", "outgoing_transactions")
    told = [match.values for match in found if match.name == rule]
    return sorted(tuple(one for name in named for one in _entries(values[name])) for values in told)


def _entries(value: object) -> tuple[object, ...]:
    assert isinstance(value, tuple)
    return value


@pytest.mark.parametrize("file", sorted(FILES))
def test_the_definition_finds_what_is_expected(file: str) -> None:
    assert lines(defined(file)) == resolve(FILES[file]).splitlines()


@pytest.mark.parametrize("file", sorted(FILES))
def test_the_engine_finds_what_the_definition_finds(file: str) -> None:
    rules = program(file)
    assert same_matches(detected(rules, trace()), defined(file))


@pytest.mark.parametrize("file", sorted(FILES))
def test_the_rules_can_be_written_again(file: str) -> None:
    rules = program(file)
    assert parse(show(rules)) == rules


def test_the_trace_holds_transfers_and_a_claim() -> None:
    assert Counter(event.type for event in trace()) == {"MoneyTransferred": 21, "FraudulentTransactionClaimed": 1}


def test_the_rules_are_without_remarks_and_the_printed_ones_are_not() -> None:
    def told(file: str) -> list[str]:
        return [remark.message for remark in remarks(resolve(file), resolve=resolve)]

    assert told("fraud.parte") == []
    assert "`incoming` itself can be the `additional_incoming` that must be absent" in told("as_published.parte")


def test_a_query_in_a_file_knows_the_remarks_on_it() -> None:
    warnings = load(str(HERE / "as_published.parte")).warnings
    assert {warning.code for warning in warnings} == {"same-event-twice"}
    assert load(str(HERE / "fraud.parte")).warnings == ()


def test_known_routes_decide_what_is_passed_through() -> None:
    text = resolve("as_published.parte")
    rule = "FraudPassThrough"
    with_one = matches(only(parse(text, resolve=resolve, tables=KNOWN_ROUTES), rule), trace())
    with_two = matches(only(parse(text, resolve=resolve, tables=MORE_ROUTES), rule), trace())
    assert transactions(with_one, rule) == [(2, 10), (13, 201), (13, 5003)]
    assert transactions(with_two, rule) == [(2, 10)]


def test_the_printed_diffusion_is_found_in_every_order() -> None:
    found = transactions(defined("as_published.parte"), "FraudDiffusion")
    assert len(found) == 6
    assert {(one[0], *sorted(map(str, one[1:]))) for one in found} == {(4, "200", "6", "9")}


def test_another_transfer_of_that_amount_clears_the_refund() -> None:
    rules, events = only(program(), "FraudRefundScam"), trace()
    another = next(event for event in events if event.fields.get("id") == 13)
    fields = {**another.fields, "id": 12345}
    more = [*events, type(another)(another.type, another.start, another.end, "another", fields)]
    assert len(matches(rules, events)) == 2
    assert matches(rules, more) == []


def test_a_trace_of_the_experiment_is_what_its_setting_says() -> None:
    trace_of_experiment = generated(Setting(groups=10, unrelated=30, seed=3))
    slots = Counter(event.end for event in trace_of_experiment.events)
    assert len(trace_of_experiment.arrivals) == 70
    assert len(trace_of_experiment.frauds) == 6
    assert max(slots.values()) <= 10
    assert all(time % 1000 == 0 for time in slots)
    assert Counter(source for source, _ in trace_of_experiment.arrivals) == {
        "MoneyTransferred_1": 35,
        "MoneyTransferred_2": 35,
    }


def test_a_setting_gives_one_trace_and_a_seed_another() -> None:
    assert generated(Setting(10, 20, seed=1)) == generated(Setting(10, 20, seed=1))
    assert generated(Setting(10, 20, seed=1)) != generated(Setting(10, 20, seed=2))


def test_as_many_frauds_are_made_as_in_the_experiment() -> None:
    assert [len(generated(Setting(groups, 0)).frauds) for groups in (10, 100, 1000)] == [6, 50, 500]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="400 events do not fit into 11 ms"):
        generated(Setting(100, 0, last_start=10))


@pytest.mark.parametrize("seed", range(2))
def test_the_engine_finds_every_fraud_of_the_experiment(seed: int) -> None:
    setting = Setting(groups=10, unrelated=40, seed=seed, last_start=20)
    made = generated(setting)
    rules = parse(resolve("experiment.parte"), tables={"common_routes": made.routes})
    detector = Detector(plan_of(rules))
    found = [match for source, event in made.arrivals for match in detector.push(event, source)]
    found += detector.close()
    assert set(transactions(found, "FraudDiffusion")) == set(made.frauds)
    assert len(found) == len(made.frauds)


def test_spaced_transfers_are_never_closer_than_the_rate_says() -> None:
    spaced = generated(Setting(groups=50, unrelated=300, seed=1, spaced=True))
    ends = [event.end for event in spaced.events]
    assert min(later - earlier for earlier, later in pairwise(ends)) == 100
    assert len(ends) == 500


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("spaced", [False, True])
def test_every_fraud_is_found_within_the_smaller_of_both_sizes(spaced: bool, ahead: bool) -> None:
    dense = Setting(groups=40, unrelated=10, seed=2, spaced=spaced, last_start=18)
    found = outcome(dense, ahead=ahead)
    assert (found.found, found.others) == (found.frauds, 0)
    assert 50 < max(found.peaks.values()) <= 141
    assert (found.waits > 1) == ahead


def test_the_limits_are_those_of_the_dissertation() -> None:
    trace_of_experiment = generated(Setting(10, 0))
    assert {
        size for spaced in (False, True) for size in limits_of(query_for(trace_of_experiment, spaced=spaced)).values()
    } == {141}


def test_a_history_that_is_too_small_makes_its_source_wait_for_ever() -> None:
    made = generated(Setting(groups=40, unrelated=0, seed=2, last_start=18))
    limits = {(RULE, part): 20 for part in ("incoming", "outgoing_1", "outgoing_2", "outgoing_3")}
    detector = query_for(made, spaced=False).detector(on_excess="wait", limits=limits)
    with pytest.raises(Wait):
        list(detector.feed(by_source(made)))
    assert max(one.used for one in detector.histories()) <= 20


def test_what_drops_its_oldest_entries_finds_only_what_it_kept() -> None:
    made = generated(Setting(groups=100, unrelated=200, seed=3))
    for size in (40, 141, 1000):
        kept = {event.id for event in made.suspicious[-size:]}
        rules = query_for(made, spaced=False)
        left = [event for event in made.events if event.id in kept]
        assert len(cases(rules.run(left))) == found_by_eviction(made, size)
