"""Pipes over events and over matches: what a stream is, and what the matches of a rule are, whatever the history."""

from collections.abc import Sequence
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra import pipe_semantics, semantics
from cepheid.algebra.expressions import Call, Field, Literal, Moment
from cepheid.algebra.matches import told_order
from cepheid.algebra.patterns import Atom, Join
from cepheid.algebra.pipes import Detect, Map, Pipe, Source
from cepheid.algebra.programs import HULL, Program, Rule
from cepheid.algebra.relations import after, end, start
from cepheid.events import Event, Value, interval, sort_events
from tests.algebra.pipes.pipe_strategies import FIRST, SECOND, call


def _rule(name: str, emits: str, one: str, other: str) -> Rule:
    parts = (Atom("x", frozenset({one})), Atom("y", frozenset({other})))
    gap = Call("-", (Field("y", "v"), Field("x", "v")))
    fields = {"gap": gap, "kind": Literal(name)}
    pattern = Join(parts, (after("$1", "$0"),))
    return Rule(name, pattern, emits, Moment(start(HULL)), Moment(end(HULL)), fields)


RULES = (_rule("ab", "pair", "a", "b"), _rule("bc", "pair", "b", "c"), _rule("ac", "d", "a", "c"))
STREAMS = ("a", "d", "pair", "")


@st.composite
def histories(draw: st.DrawFn) -> list[Event]:
    """Events of four types, some of them lasting; no two end together."""
    events, time = [], 0
    for number in range(draw(st.integers(0, 6))):
        time += draw(st.integers(1, 3))
        length, kind = draw(st.integers(0, 2)), draw(st.sampled_from("abcd"))
        events.append(interval(kind, time - length, time, number, {"v": draw(st.integers(0, 3))}))
    return events


def given_by(pipe: Pipe, events: Sequence[Event]) -> list[Value]:
    return pipe_semantics.trace_of(Program(RULES, pipes={"it": pipe}), "it", events)


@given(histories(), st.randoms(use_true_random=False))
def test_a_stream_is_the_events_of_a_type_in_order_however_they_come(events: list[Event], random: Random) -> None:
    records = [dict(event.fields) for event in sort_events(events) if event.type == "b"]
    random.shuffle(events)
    assert given_by(Source(stream="b"), events) == records


@given(histories())
def test_the_stream_without_a_name_is_all_input_with_its_types(events: list[Event]) -> None:
    assert given_by(Source(stream=""), events) == [{**event.fields, "type": event.type} for event in events]


@given(histories(), st.sampled_from(["ab", "bc"]))
def test_a_detection_is_the_matches_of_its_rule_with_their_start_and_end(events: list[Event], rule: str) -> None:
    matches = [match for match in semantics.matches(Program(RULES), events) if match.name == rule]
    told = sorted(matches, key=told_order)
    expected = [{**match.values, "start": match.start, "end": match.end} for match in told]
    assert given_by(Detect(rule=rule), events) == expected


@given(histories())
def test_the_stream_of_a_derived_type_has_what_its_rules_emit(events: list[Event]) -> None:
    matches = [match for match in semantics.matches(Program(RULES), events) if match.name in ("ab", "bc")]
    ends: list[Value] = [match.end for match in sorted(matches, key=lambda match: (match.end, match.id))]
    kinds = given_by(Map((Source(stream="pair"),), Field("$0", "kind")), events)
    timed = pipe_semantics.outputs(Source(stream="pair"), pipe_semantics.Context(Program(RULES), tuple(events)))
    assert [item.time for item in timed] == ends
    assert sorted(map(str, kinds)) == sorted(match.name for match in matches)


@given(histories())
def test_a_stream_holds_input_and_derived_events_of_its_type_in_one_order(events: list[Event]) -> None:
    timed = pipe_semantics.outputs(Source(stream="d"), pipe_semantics.Context(Program(RULES), tuple(events)))
    derived = [match for match in semantics.matches(Program(RULES), events) if match.name == "ac"]
    input_ends = [event.end for event in events if event.type == "d"]
    assert [item.time for item in timed] == sorted([*input_ends, *(match.end for match in derived)])


@given(histories(), st.integers(0, 6), st.sampled_from(STREAMS), st.sampled_from(["ab", "bc", "ac"]))
def test_a_longer_history_only_adds_outputs(events: list[Event], seen: int, stream: str, rule: str) -> None:
    both = Map((Source(stream=stream), Detect(rule=rule)), call("list", FIRST, SECOND))
    for pipe in (Source(stream=stream), Detect(rule=rule), both):
        before = given_by(pipe, events[:seen])
        assert given_by(pipe, events)[: len(before)] == before
