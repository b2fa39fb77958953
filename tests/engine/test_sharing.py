"""What several rules have in common is detected once, and nobody can tell from what is found."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.analysis import certify, describe_plan, plan_of
from cepheid.analysis.plans.sharing import shared_operators
from cepheid.engine import Detector, progress
from cepheid.engine.direct import direct_gear
from cepheid.events import Event, sort_events
from cepheid.rewrites import rewrite
from cepheid.testing import trace
from tests.engine_runner import EngineRunner
from tests.properties.traces import KEYED, traces
from tests.queries import read_query

PAIRS = ("{}: a then {}: b", "{}: a and {}: b on {}.k == {}.k", "{}: a then {}: b within 3 us where {}.v < {}.v")
AROUND = (
    "({}) unless x{}: c inside",
    "({}) unless x{}: a relation 1 us <= start(x{}) - end($pattern) <= 2 us",
    "({}) or x{}: c",
    "{}",
)


def _rule(number: int, pair: str, around: str) -> str:
    one, other = f"p{number}", f"q{number}"
    pattern = around.format(pair.format(one, other, one, other), number, number)
    return f"rule r{number}: {pattern} emits R{number}(v = {one}.v, end = end({other}))"


@st.composite
def programs(draw: st.DrawFn) -> Program:
    """Return rules that are made of few pairs, each rule with names of its own, and one that reads what others tell."""
    drawn = draw(st.lists(st.tuples(st.sampled_from(PAIRS[:2]), st.sampled_from(AROUND)), min_size=2, max_size=4))
    rules = [_rule(number, *one) for number, one in enumerate(drawn)]
    rules.append("rule last: (x: R0 and y: b) or z: R1 emits Last")
    rules.append("rule very_last: (u: R0 and w: b) unless o: c inside emits VeryLast")
    return read_query("\n".join(rules))


def ids(program: Program, events: Sequence[Event]) -> list[str]:
    return sorted(match.id for match in matches(program, events))


@given(programs(), traces(most=8, fields=KEYED))
def test_shared_rules_find_the_same_matches_by_the_same_ids(program: Program, trace: list[Event]) -> None:
    plan = plan_of(rewrite(program), written=program)
    detector = Detector(plan, certificate=certify(plan))
    found = [match.id for event in sort_events(trace) for match in detector.push(event)]
    assert sorted(found + [match.id for match in detector.close()]) == ids(program, trace)


@given(programs(), traces(most=8, longest=2, fields=KEYED), st.data())
def test_shared_rules_may_be_stopped_and_their_events_late(
    program: Program, trace: list[Event], data: st.DataObject
) -> None:
    arrivals = data.draw(st.permutations(trace))
    runner = EngineRunner("restarted", restarts=True)
    found = runner.run(program, arrivals, disorder=9, cuts=sorted(data.draw(st.sets(st.integers(0, 8), max_size=3))))
    assert sorted(match.id for match in found.matches) == ids(program, trace)


TWO = "e1(X) <- NOT(c).[a(X), b(X)]. e2(Y) <- NOT(d).[a(Y), b(Y)]."


def test_a_plan_says_which_rule_detects_what_several_have() -> None:
    plan = plan_of(read_query(TWO, "etalis"))
    assert {rule: list(some) for rule, some in shared_operators(plan).items()} == {"e2": [2]}
    lines = describe_plan(plan).splitlines()
    assert lines[lines.index("rule `e2`") + 1 :][:2] == [
        "  2 as 2 of rule `e1`, which detects it: `a` with `b`",
        "  3 scan: `d`",
    ]


def test_an_event_with_a_condition_is_looked_at_once() -> None:
    plan = plan_of(read_query("e1 <- s(1) SEQ a. e2 <- s(1) SEQ b. e3 <- s(2) SEQ c. e4 <- t SEQ a.", "etalis"))
    assert {rule: list(some) for rule, some in shared_operators(plan).items()} == {"e2": [0]}


def test_rules_that_wait_differently_share_nothing() -> None:
    plan = plan_of(read_query("e1 <- NOT(c).[a, b]. e2 <- (NOT(d).[a, b]).5.", "etalis"))
    assert shared_operators(plan) == {}


def test_rules_that_choose_or_feed_themselves_share_nothing() -> None:
    chosen = plan_of(read_query("policy recent. e1 <- NOT(c).[a, b]. e2 <- NOT(d).[a, b].", "etalis"))
    assert shared_operators(chosen) == {}
    fed = plan_of(read_query("e <- (e SEQ a) OR (b SEQ c). f <- (f SEQ a) OR (b SEQ c).", "etalis"))
    assert shared_operators(fed) == {}


def test_what_is_held_is_held_once() -> None:
    detector = Detector(plan_of(read_query(TWO, "etalis")))
    for event in trace("1 a{arg1: 1}, 2 a{arg1: 2}, 3 a{arg1: 3}"):
        detector.push(event)
    assert [(one.rule, one.used) for one in detector.usage() if one.used] == [("e1", 3)]
    assert sorted((one.rule, *one.found.values()) for one in progress(detector)) == [
        (rule, (number,)) for rule in ("e1", "e2") for number in (1, 2, 3)
    ]


SHARED = "rule one: {} emits One\nrule two: {} emits Two\nrule three: ({}) then z: d within 9 us emits Three"
SIMPLE = ("{}: a then {}: b within 4 us", "{}: a and {}: b within 3 us on {}.k == {}.k")


@given(
    st.sampled_from(SIMPLE),
    traces("aabd", most=12, least=4, fields=KEYED),
    st.lists(st.sampled_from(["push", "usage", "written directly", "written by the interpreter"]), min_size=12),
)
def test_events_are_taken_directly_from_a_state_in_which_rules_share(
    pair: str, trace: list[Event], what: list[str]
) -> None:
    """What one rule waits for under the names of another is there for both of them."""
    pairs = [pair.format(*(f"p{number}", f"q{number}") * 2) for number in range(3)]
    plan = plan_of(read_query(SHARED.format(*pairs)))
    quick, slow = Detector(plan), Detector(plan, direct=False)
    assert shared_operators(plan)
    assert direct_gear(plan, None) is not None
    for event, also in zip(sort_events(trace), what, strict=False):
        assert [one.id for one in quick.push(event)] == [one.id for one in slow.push(event)]
        if also == "usage":
            quick.usage()
        elif also != "push":
            quick = Detector(plan, state=(quick if also == "written directly" else slow).snapshot())
    assert [one.id for one in quick.close()] == [one.id for one in slow.close()]
