"""What rules find: the known examples, by the definition and by the engine."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.matches import Match, same_matches
from cepheid.algebra.patterns import Unless
from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.analysis.closures.facts import facts_about
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.plans.planner import plan_of
from cepheid.diagnostics import CepheidError
from cepheid.engine.detectors.detector import Detector
from cepheid.events import Event, parse_time, point, sort_events
from cepheid.languages.parte import parse
from cepheid.languages.parte.certainty import between
from cepheid.testing import trace
from tests.languages.parte.listings import ABSENCE, DIFFUSION, GLITCH, REFUND_SCAM, TEMPLATES

SECOND = 1_000_000
DAY = 86_400 * SECOND
ABC = "".join(f"template {name} {{ id : Integer, k : Integer }}\n" for name in "ABC")


def ran(program: Program, events: Sequence[Event]) -> list[Match]:
    """Return what the engine finds."""
    detector = Detector(plan_of(program))
    found = [match for event in sort_events(events) for match in detector.push(event)]
    return [*found, *detector.close()]


def found(text: str, events: str, unit: int = SECOND) -> list[dict[str, object]]:
    """Return what the definition finds, after the engine has found the same."""
    program, history = parse(text), trace(events, unit=unit)
    defined = matches(program, history)
    assert same_matches(ran(program, history), defined)
    return [dict(match.values) for match in defined]


def test_an_account_that_is_closed_after_a_transfer() -> None:
    text = """
    template MoneyTransferred { originator : AccountId }
    template AccountClosed { account_id : AccountId }
    template Flag { account : AccountId }
    rule ClosedAfterTransfer where
      t : MoneyTransferred {}
      c : AccountClosed { account_id = t.originator }
    when c in t [0 days, 1 days]
    then emit Flag at c.timestamp with { account = t.originator }
    """
    events = "0 MoneyTransferred{originator: x}, 24 AccountClosed{account_id: x}, 25 AccountClosed{account_id: x}"
    assert found(text, events, unit=3600 * SECOND) == [{"account": "x"}]


PAIR = ABC + "rule R where a : A  b : B when {line} then pair(a.id, b.id)"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a in b [-2 s, 2 s]", [3, 4, 5, 6, 7]),
        ("a in b [5 s, 15 s]", [0]),
        ("b in a [2 s, 2 s]", [7]),
        ("b in a [0 s, 0 s]", [5]),
        ("b in a [-5 s, -5 s]", [0]),
    ],
)
def test_a_window_is_closed_and_may_lie_on_both_sides(line: str, expected: list[int]) -> None:
    events = "5 A{id: 0}, " + ", ".join(f"{time} B{{id: {time}}}" for time in range(12))
    partners = [one["id2"] for one in found(PAIR.replace("{line}", line), events)]
    assert sorted(partners, key=str) == expected


def test_pairwise_windows_without_an_order() -> None:
    text = (
        ABC
        + """rule R where a : A  b : B  c : C
    when
      b in a [-2 s, 2 s]
      c in a [-3 s, 3 s]
      c in b [-1 s, 1 s]
    then triple(a.id, b.id, c.id)"""
    )
    assert len(found(text, "5 A, 4 B, 3 C")) == 1
    assert len(found(text, "5 A, 6 B, 7 C, 8 C")) == 1
    assert found(text, "5 A, 4 B, 6 C") == []


CHAIN = (
    ABC
    + """rule R where e1 : A  e2 : B  e3 : C
when
  e2 in e1 [0, 20 s]
  e3 in e2 [0, 30 s]
  e3 in e1 [0, 40 s]
then chain()"""
)


@pytest.mark.parametrize(
    ("times", "matched"), [((0, 20, 40), True), ((0, 20, 41), False), ((0, 15, 46), False), ((0, 10, 40), True)]
)
def test_adjacent_gaps_and_the_total(times: tuple[int, int, int], matched: bool) -> None:
    first, second, third = times
    assert bool(found(CHAIN, f"{first} A, {second} B, {third} C")) == matched


def test_an_absence_is_certain_when_its_window_has_passed() -> None:
    detector = Detector(plan_of(parse(ABSENCE)))
    seen: dict[str, int] = {}
    events = trace("0 A{attr: s} B{attr: s}, 1 A{attr: t}, 2 A{attr: u}, 7 A{attr: z} B{attr: z}", unit=SECOND)
    for event in events:
        for match in detector.push(event):
            seen[str(match.values["attr"])] = event.end // SECOND
    for time in range(8, 20):
        for match in detector.advance(time * SECOND):
            seen[str(match.values["attr"])] = time
    assert seen == {"t": 7, "u": 7}


def test_the_wait_for_an_absence_ends_without_another_event() -> None:
    detector = Detector(plan_of(parse(ABSENCE)))
    assert detector.push(point("A", 0, 1, {"attr": "s"})) == []
    assert detector.advance(4 * SECOND) == []
    [match] = detector.advance(4 * SECOND + 1)
    assert (match.values["attr"], match.known) == ("s", 4 * SECOND + 1)


def test_a_blocked_absence_is_never_found() -> None:
    assert found(ABSENCE, "0 A{attr: s}, 4 B{attr: s}, 9 B{attr: s}") == []
    assert found(ABSENCE, "0 A{attr: s}, 5 B{attr: s}") == [{"attr": "s"}]


def test_two_events_of_one_match_are_never_seen_apart() -> None:
    program = parse(GLITCH)
    arrivals = [(source, point("X", time, time, {"k": 1})) for source, time in (("one", 1), ("two", 2), ("one", 3))]
    for order in permutations(arrivals):
        detector = Detector(plan_of(program))
        told = [match for source, event in order for match in detector.push(event, source)]
        told += detector.close()
        assert sorted(match.name for match in told) == ["R1.A"] * 3 + ["R1.B"] * 3


def test_every_time_is_kept_until_the_event_is_emitted() -> None:
    # An algebra that gives a pair one time would find this only in one order of nesting.
    text = ABC + "rule R where a : A  b : B  c : C when c in b [1 s, 9 s] c in a [1 s, 9 s] then found()"
    assert len(found(text, "2 A, 1 B, 3 C")) == 1
    assert found(text.replace("c in a [1", "b in a [1"), "2 A, 1 B, 3 C") == []


def test_absence_before_the_event_that_says_what_is_absent() -> None:
    text = ABC + "rule R where b : B  no a : A { k = b.k } when no a in b [-5 s, 0 s] then found(b.id)"
    assert found(text, "1 A{k: 1}, 3 B{k: 1, id: 3}, 7 B{k: 1, id: 7}") == [{"id": 7}]


def test_the_very_next_event() -> None:
    text = (
        ABC
        + """rule VeryNext where
      a : A {}
      b : A { id != a.id }
      no between : A { id != a.id, id != b.id }
    when
      b in a [1 ms, 10 seconds]
      no between in a [1 ms, 10 seconds]     // must also precede b:
      no between in b [-10 seconds, -1 ms]
    then next(a.id, b.id)"""
    )
    events = "1 A{id: 1}, 3 A{id: 3}, 4 A{id: 4}, 20 A{id: 20}"
    assert [(one["id"], one["id2"]) for one in found(text, events)] == [(1, 3), (3, 4)]


def test_negation_may_speak_of_what_comes_later_in_the_text() -> None:
    text = ABC + "rule R where a : A  no n : C  b : B when b in a [0 s, 5 s] no n in b [-1 s, 1 s] then found(b.id)"
    assert found(text, "0 A, 1 B{id: 1}, 2 C, 4 B{id: 4}") == [{"id": 4}]


def test_rules_without_windows_are_rejected() -> None:
    text = """
    template A {} template B {} template C {} template D {} template E {} template F {} template G {}
    rule rule_1 where a:A, b:B, c:C  when then emit D at c.timestamp with {}
    rule rule_2 where a:A, b:B, e:E  when then emit F at e.timestamp with {}
    rule rule_3 where c:C, no d:D    when then emit G at c.timestamp with {}
    """
    with pytest.raises(CepheidError) as raised:
        parse(text)
    assert [finding.code for finding in raised.value.diagnostics] == [
        "parte-disconnected",
        "parte-disconnected",
        "negation-without-window",
    ]


def test_windows_entail_others() -> None:
    [rule] = parse(TEMPLATES + DIFFUSION.replace("{window}", "14 days")).rules
    facts = facts_about(rule.pattern, Lengths())
    assert between(facts, (2,), (1,)) == (-14 * DAY, 14 * DAY)


def test_windows_of_what_is_absent_are_entailed_too() -> None:
    [rule] = parse(TEMPLATES + REFUND_SCAM).rules
    assert isinstance(rule.pattern, Unless)
    alone, beside = facts_about(rule.pattern.pattern, Lengths()), facts_about(rule.pattern, Lengths(), beside=())
    assert between(alone, (2,), (1,)) == (-14 * DAY, 14 * DAY)
    assert between(beside, (1,), (0, 0)) == (-14 * DAY, 14 * DAY)
    assert between(beside, (1,), (0, 1)) == (-14 * DAY, 0)


def test_absence_does_not_narrow_what_is_there() -> None:
    text = ABC + "rule R where a : A  b : B  no n : C when b in a [-9 s, 9 s] {lines} then found()"
    tight = text.replace("{lines}", "no n in a [0 s, 4 s] no n in b [0 s, 4 s]")
    assert len(found(tight, "0 A, 9 B")) == 1
    assert found(tight, "0 A, 3 B, 3 C") == []


def test_all_that_happens_in_a_window_is_taken_together() -> None:
    text = ABC + "rule R where a : A  t : sum(k) of b : B { id = a.id } in a [-1 s, 2 s] { t >= 3 } then total(a.id, t)"
    events = "0 B{id: 1, k: 9}, 2 B{id: 1, k: 1}, 3 A{id: 1}, 4 B{id: 1, k: 2} B{id: 2, k: 5}, 9 A{id: 1}"
    assert found(text, events) == [{"id": 1, "t": 3}]


def test_nothing_at_all_counts_as_none() -> None:
    text = ABC + "rule R where a : A  n : count() of b : B in a [0 s, 2 s] { n = 0 } then lonely(a.id)"
    assert found(text, "1 A{id: 1}, 2 B, 5 A{id: 5}") == [{"id": 5}]


def test_points_of_the_calendar() -> None:
    text = """template Transfer { id : Integer }
    rule Early where opening : daily 9:00 Europe/Brussels  t : Transfer
    when t in opening [-1 h, 0 s]
    then early(t.id)"""
    program = parse(text)
    times = {1: "2018-03-24T07:30:00Z", 2: "2018-03-25T07:30:00Z", 3: "2018-03-25T06:30:00Z", 4: "2018-03-26T12:00:00Z"}
    events = [point("Transfer", parse_time(time), number, {"id": number}) for number, time in times.items()]
    defined = matches(program, events)
    assert [match.values["id"] for match in defined] == [1, 3]  # on the 25th clocks were put forward
    assert same_matches(ran(program, events), defined)


def test_a_fixed_time() -> None:
    text = """template Transfer { id : Integer }
    rule After where defence : at 2018-03-28  t : Transfer when t in defence [0 s, 1 day] then found(t.id)"""
    program = parse(text)
    times = {1: "2018-03-27T23:59:59Z", 2: "2018-03-28T00:00:00Z", 3: "2018-03-29T00:00:00Z", 4: "2018-03-29T00:00:01Z"}
    events = [point("Transfer", parse_time(time), number, {"id": number}) for number, time in times.items()]
    assert [match.values["id"] for match in matches(program, events)] == [2, 3]
    assert same_matches(ran(program, events), matches(program, events))


def test_the_time_of_an_event_may_be_an_average() -> None:
    text = "template D {}" + ABC + "rule R where a : A  b : B when b in a [0 s, 9 s] then emit D at {at} with {}"
    program = parse(text.replace("{at}", "avg(a.timestamp, b.timestamp) - 1 us"))
    assert [match.end for match in matches(program, trace("3 A, 6 B"))] == [3]
    program = parse(text.replace("{at}", "max(a.timestamp + 5 us, min(b.timestamp, a.timestamp))"))
    assert [match.end for match in matches(program, trace("3 A, 6 B"))] == [8]


def test_an_event_at_an_average_time_is_certain_before_the_end() -> None:
    text = """
    template A {} template B {} template Middle {}
    rule Halfway where a : A  b : B when b in a [0 s, 4 s] then emit Middle at avg(a.timestamp, b.timestamp) with {}
    rule Alone where m : Middle  no a : A when no a in m [0 s, 3 s] then alone()
    """
    detector = Detector(plan_of(parse(text)))
    told = [match.name for event in trace("1 A, 2 B", unit=SECOND) for match in detector.push(event)]
    told += [match.name for match in detector.advance(9 * SECOND)]
    assert told == ["Halfway", "Alone"]


STEPS = """
template T { id : Integer, k : Integer, v : Integer }
template Big { id : Integer, k : Integer, v : Integer }
template Pair { first : Integer, second : Integer }
"""
DIRECT = (
    STEPS
    + """rule Found where
  a : T { v >= 2 }
  b : T { v >= 2, k = a.k }
when b in a [0 us, 3 us]
then emit Pair at a.timestamp with { first = a.id, second = b.id }"""
)
IN_TWO_STEPS = (
    STEPS
    + """rule Step where a : T { v >= 2 } when then emit Big at a.timestamp with { id = a.id, k = a.k, v = a.v }
rule Found where
  a : Big
  b : Big { k = a.k }
when b in a [0 us, 3 us]
then emit Pair at a.timestamp with { first = a.id, second = b.id }"""
)
NUMBERS = st.integers(0, 3)
ROWS = st.lists(st.tuples(st.integers(0, 6), NUMBERS, NUMBERS), max_size=8)


@given(ROWS)
def test_a_rule_in_two_steps_finds_what_it_finds_in_one(rows: list[tuple[int, int, int]]) -> None:
    events = [point("T", time, number, {"id": number, "k": k, "v": v}) for number, (time, k, v) in enumerate(rows)]
    direct, steps = parse(DIRECT), parse(IN_TWO_STEPS)
    wanted = matches(direct, events)
    assert same_matches([match for match in matches(steps, events) if match.name == "Found"], wanted)
    assert same_matches([match for match in ran(steps, events) if match.name == "Found"], wanted)


@given(ROWS)
def test_an_aggregate_is_the_fold_of_what_a_join_would_find(rows: list[tuple[int, int, int]]) -> None:
    events = [point("T", time, number, {"id": number, "k": k, "v": v}) for number, (time, k, v) in enumerate(rows)]
    where, window = "{ k = a.k }", "[-2 us, 3 us]"
    joined = matches(
        parse(f"{STEPS} rule J where a : T  b : T {where} when b in a {window} then found(a.id, b.v)"), events
    )
    total = parse(f"{STEPS} rule C where a : T  t : sum(v) of b : T {where} in a {window} then found(a.id, t)")
    sums: dict[object, int] = {}
    for match in joined:
        value = match.values["v"]
        assert isinstance(value, int)
        sums[match.values["id"]] = sums.get(match.values["id"], 0) + value
    collected = matches(total, events)
    assert {match.values["id"]: match.values["t"] for match in collected} == sums
    assert same_matches(ran(total, events), collected)


def test_an_open_window_that_others_bound_means_what_both_say() -> None:
    half, whole = "b in a [0 s, *]  b in a [*, 5 s]", "b in a [0 s, 5 s]"
    events = trace("5 A, 2 B, 5 B, 7 B, 10 B, 11 B", unit=SECOND)
    ends = [[match.end for match in matches(parse(PAIR.replace("{line}", one)), events)] for one in (half, whole)]
    assert ends[0] == ends[1] == [5 * SECOND, 7 * SECOND, 10 * SECOND]


def test_events_may_come_late_by_as_much_as_is_said() -> None:
    text = "source A disorder 3 s\n" + PAIR.replace("{line}", "b in a [0 s, 9 s]")
    detector = Detector(plan_of(parse(text)))
    early, late, too_late = (replace(event, id=event.end) for event in trace("9 A, 6 A, 5 A", unit=SECOND))
    for event in (early, late, too_late):
        detector.push(event)
    assert [event.end for event in detector.late] == [5 * SECOND]
