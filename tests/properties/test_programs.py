"""Programs: rules that feed rules, rules that feed themselves, and rules that are detected per key."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Lookup, Moment
from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Atom, Either, Join, Pattern, Restrict, Unless
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import EVENT, HULL, Program, Rule, Table
from cepheid.algebra.relations import Axis, Difference, Relation, after, end, start
from cepheid.algebra.semantics import matches
from cepheid.events import Event, EventId, Value, point
from cepheid.testing.cases import Kind, Shape
from cepheid.testing.strategies import patterns, programs
from cepheid.testing.strategies import traces as any_traces
from tests.properties.choice_situations import SITUATIONS, Situation
from tests.properties.interval_lowering import INTERVAL_TERMS, RELATIONS, IntervalTerm, by_nodes
from tests.properties.traces import KEYED, traces

Told = tuple[str, int, int, frozenset[EventId]]
FROM, TO = Moment(start(HULL)), Moment(end(HULL))


def rule(name: str, pattern: Pattern, fields: Mapping[str, Expr] | None = None, per: tuple[Expr, ...] = ()) -> Rule:
    """Return a rule that emits its matches under its own name."""
    return Rule(name, pattern, name, FROM, TO, fields or {}, per)


def run(events: Iterable[Event], *rules: Rule, tables: Mapping[str, Table] | None = None) -> list[Match]:
    return matches(Program(rules, tables=tables or {}), events)


def told(found: Iterable[Match], name: str) -> Counter[Told]:
    return Counter((one.name, one.start, one.end, frozenset(one.evidence)) for one in found if one.name == name)


def contents(found: Iterable[Match]) -> list[tuple[str, tuple[object, ...]]]:
    """Return all that matches say; in values, NaN is NaN."""
    return [(one.id, one.content()) for one in found]


@given(programs(), any_traces(least=5, most=8), st.randoms(use_true_random=False))
def test_events_may_be_given_in_any_order(program: Program, trace: list[Event], random: Random) -> None:
    assert contents(matches(program, random.sample(trace, len(trace)))) == contents(matches(program, trace))


@given(programs(), any_traces(least=5, most=8), st.randoms(use_true_random=False))
def test_rules_may_be_given_in_any_order(program: Program, trace: list[Event], random: Random) -> None:
    shuffled = replace(program, rules=tuple(random.sample(program.rules, len(program.rules))))
    assert contents(matches(shuffled, trace)) == contents(matches(program, trace))


@given(programs(), any_traces(least=5, most=8))
def test_every_match_has_an_id_of_its_own(program: Program, trace: list[Event]) -> None:
    names = [one.id for one in matches(program, trace)]
    assert len(names) == len(set(names))


KEYED_PATTERNS = patterns(Shape(depth=2, kinds=frozenset(Kind) - {Kind.INSTANT}))


@given(KEYED_PATTERNS, any_traces(least=5, most=8))
def test_per_key_is_each_key_by_itself(pattern: Pattern, trace: list[Event]) -> None:
    keys: list[Value] = [1, 2, 3, "x"]
    apart = [
        one for key in keys for one in run([event for event in trace if event.get("key") == key], rule("r", pattern))
    ]
    together = run(trace, rule("r", pattern, per=(Field(EVENT, "key"),)))
    assert told(together, "r") == told(apart, "r")


@pytest.mark.parametrize("choice", [choice.value for choice in Choice])
@given(SITUATIONS, traces(types="ab", least=4, latest=4, fields=KEYED))
def test_per_key_choices_and_positions_are_of_the_key(choice: str, situation: Situation, trace: list[Event]) -> None:
    pattern = situation.join(choice)
    apart = [one for key in (1, 2) for one in run([e for e in trace if e.get("k") == key], rule("r", pattern))]
    assert told(run(trace, rule("r", pattern, per=(Field(EVENT, "k"),))), "r") == told(apart, "r")


@given(traces(types="ab"))
def test_an_event_that_two_branches_find_is_two_matches_with_two_ids(trace: list[Event]) -> None:
    found = run(trace, rule("r", Either((Atom("x", frozenset("a")), Atom("y", frozenset("ab"))))))
    assert len(found) == len(trace) + sum(event.type == "a" for event in trace)
    assert len({one.id for one in found}) == len(found)


@given(KEYED_PATTERNS, KEYED_PATTERNS, any_traces(least=5, most=8))
def test_a_rule_that_nobody_reads_changes_nothing(pattern: Pattern, other: Pattern, trace: list[Event]) -> None:
    alone, beside = run(trace, rule("r", pattern)), run(trace, rule("r", pattern), rule("other", other))
    assert contents(one for one in beside if one.name == "r") == contents(alone)


Z = Atom("z", frozenset("bc"))


@given(INTERVAL_TERMS, st.sampled_from(sorted(RELATIONS)), traces(longest=2))
def test_a_rule_that_reads_a_rule_is_both_in_one(inner: IntervalTerm, operator: str, trace: list[Event]) -> None:
    below = rule("pair", by_nodes(inner))
    above = rule("r", Join((Atom("p", frozenset({"pair"})), Z), RELATIONS[operator]))
    in_one = rule("r", Join((by_nodes(inner), Z), RELATIONS[operator]))
    assert told(run(trace, above, below), "r") == told(run(trace, in_one), "r")


@given(INTERVAL_TERMS, traces(longest=2))
def test_the_absence_of_a_derived_event_is_the_absence_of_its_pattern(inner: IntervalTerm, trace: list[Event]) -> None:
    inside: Relation = (
        Difference(start("$absent"), start("$pattern"), low=0),
        Difference(end("$pattern"), end("$absent"), low=0),
    )
    pair = Join((Atom("x", frozenset("a")), Z), (after("$1", "$0"),))
    above = rule("r", Unless(pair, Atom("p", frozenset({"pair"})), inside))
    in_one = rule("r", Unless(pair, by_nodes(inner), inside))
    assert told(run(trace, above, rule("pair", by_nodes(inner))), "r") == told(run(trace, in_one), "r")


EDGE, PATH = Atom("e", frozenset("a")), Atom("p", frozenset({"path"}))
STEP = Join((PATH, EDGE), (after("$1", "$0"),), ((Field("p", "v"), Field("e", "k")),))
CLOSURE = (
    replace(rule("first", EDGE, {"k": Field("e", "k"), "v": Field("e", "v")}), emits="path"),
    replace(rule("longer", STEP, {"k": Field("p", "k"), "v": Field("e", "v")}), emits="path"),
)


@given(traces(types="a", least=3, fields=KEYED))
def test_a_rule_that_feeds_itself_finds_every_path_and_no_other(trace: list[Event]) -> None:
    found = Counter((one.start, one.end, frozenset(one.evidence)) for one in run(trace, *CLOSURE))
    paths = [[event] for event in trace]
    for path in paths:
        paths += [[*path, event] for event in trace if _follows(path[-1], event)]
    assert found == Counter((path[0].start, path[-1].end, frozenset(e.id for e in path)) for path in paths)


def _follows(one: Event, two: Event) -> bool:
    return one.end < two.start and one.get("v") is not None and one.get("v") == two.get("k")


@given(traces(longest=2, fields=KEYED), st.integers(-3, 3), st.integers(-3, 3))
def test_a_rule_dates_its_events_and_emits_none_that_ends_before_it_starts(
    trace: list[Event], first: int, last: int
) -> None:
    dated = replace(
        rule("r", EDGE), start=Call("+", (FROM, Literal(first))), end=Call("+", (Field("e", "v"), Literal(last)))
    )
    expected = [
        ("r", event.start + first, value + last, frozenset({event.id}))
        for event in trace
        if event.type == "a" and isinstance(value := event.get("v"), int) and event.start + first <= value + last
    ]
    assert told(run(trace, dated), "r") == Counter(expected)


@given(st.sets(st.integers(0, 9), max_size=5), st.integers(0, 5))
def test_positions_count_the_derived_events_that_a_rule_reads(times: set[int], records: int) -> None:
    """Every event is followed by its echo: the events have the even positions, the echoes the odd ones."""
    window = Difference(end("$1", Axis.POSITION), start("$0", Axis.POSITION), 1, records)
    both = rule("r", Join((Atom("x", frozenset("b")), Atom("y", frozenset({"echo"}))), (window,)))
    trace = [point("b", time, time) for time in times]
    expected = [
        frozenset({one, other})
        for place, one in enumerate(sorted(times))
        for other_place, other in enumerate(sorted(times))
        if 1 <= (2 * other_place + 1) - 2 * place <= records
    ]
    found = run(trace, both, rule("echo", Atom("x", frozenset("b"))))
    assert Counter(frozenset(one.evidence) for one in found if one.name == "r") == Counter(expected)


@given(
    traces(types="a", least=2, fields=KEYED),
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 3)), min_size=2, max_size=4),
)
def test_a_table_answers_with_its_first_row_of_that_key(trace: list[Event], rows: list[tuple[int, int]]) -> None:
    table = Table(("key", "answer"), tuple(rows), 1)
    answer, known = Lookup("t", (Field("e", "v"),), "answer"), Lookup("t", (Field("e", "v"),))
    found = run(trace, rule("r", Restrict(EDGE, where=known), {"answer": answer}), tables={"t": table})
    answers = dict(reversed(rows))
    expected = [
        (event.id, answers[value])
        for event in trace
        if event.type == "a" and isinstance(value := event.get("v"), int) and value in answers
    ]
    assert Counter((*one.evidence, one.values["answer"]) for one in found) == Counter(expected)
