"""Operators mean what the published table says, and with them all of Allen's relations can be expressed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.programs import Program
from cepheid.algebra.semantics import matches
from cepheid.events import Event, interval, sort_events
from cepheid.languages.etalis import parse
from tests.engine_runner import EngineRunner
from tests.oracles.incremental_choices import Item, chosen
from tests.oracles.interval_operators import OPERATORS, combine, limited, without_between
from tests.properties.traces import TYPES, traces

Interval = tuple[int, int]

ALLEN: Final[dict[str, tuple[str, Callable[[Interval, Interval], bool]]]] = {
    "before": ("a(I) SEQ b(J)", lambda a, b: a[1] < b[0]),
    "after": ("b(J) SEQ a(I)", lambda a, b: b[1] < a[0]),
    "meets": ("a(I) MEETS b(J)", lambda a, b: a[1] == b[0]),
    "met by": ("b(J) MEETS a(I)", lambda a, b: b[1] == a[0]),
    "overlaps": ("b(J) FINISHES (a(I) STARTS (a(I) PAR b(J)))", lambda a, b: a[0] < b[0] < a[1] < b[1]),
    "overlapped by": ("a(I) FINISHES (b(J) STARTS (a(I) PAR b(J)))", lambda a, b: b[0] < a[0] < b[1] < a[1]),
    "starts": ("a(I) STARTS b(J)", lambda a, b: a[0] == b[0] and a[1] < b[1]),
    "started by": ("b(J) STARTS a(I)", lambda a, b: a[0] == b[0] and a[1] > b[1]),
    "finishes": ("a(I) FINISHES b(J)", lambda a, b: a[1] == b[1] and a[0] > b[0]),
    "finished by": ("b(J) FINISHES a(I)", lambda a, b: a[1] == b[1] and a[0] < b[0]),
    "during": ("a(I) DURING b(J)", lambda a, b: b[0] < a[0] and a[1] < b[1]),
    "contains": ("b(J) DURING a(I)", lambda a, b: a[0] < b[0] and b[1] < a[1]),
    "equals": ("a(I) EQUALS b(J)", lambda a, b: a == b),
}
LASTING = st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 6), st.integers(1, 5)), max_size=7).map(
    lambda rows: [
        interval(kind, start, start + length, number, {"arg1": number})
        for number, (kind, start, length) in enumerate(rows)
    ]
)


def _pairs(trace: Sequence[Event], holds: Callable[[Interval, Interval], bool]) -> list[tuple[object, object]]:
    return sorted(
        (a.id, b.id)
        for a in trace
        for b in trace
        if (a.type, b.type) == ("a", "b") and holds((a.start, a.end), (b.start, b.end))
    )


@cache
def _expressed(relation: str) -> tuple[Program, Callable[[Interval, Interval], bool]]:
    pattern, holds = ALLEN[relation]
    return parse(f"e(I, J) <- {pattern}."), holds


@pytest.mark.parametrize("relation", ALLEN)
@given(LASTING)
def test_a_relation_of_two_intervals_can_be_expressed(relation: str, trace: list[Event]) -> None:
    program, holds = _expressed(relation)
    for found in (matches(program, trace), EngineRunner().run(program, sort_events(trace)).matches):
        assert sorted((one.values["arg1"], one.values["arg2"]) for one in found) == _pairs(trace, holds)


@given(LASTING)
def test_two_intervals_stand_in_one_relation(trace: list[Event]) -> None:
    every = [pair for _, holds in ALLEN.values() for pair in _pairs(trace, holds)]
    assert sorted(every) == _pairs(trace, lambda _a, _b: True)


@dataclass(frozen=True)
class Written:
    """A pattern as it is written, and the intervals that the published table gives it."""

    text: str
    intervals: Callable[[Sequence[Event]], list[Interval]]


def _atom(kind: str) -> Written:
    return Written(kind, lambda trace: [(event.start, event.end) for event in trace if event.type == kind])


def _binary(operator: str, left: Written, right: Written) -> Written:
    def found(trace: Sequence[Event]) -> list[Interval]:
        some, others = left.intervals(trace), right.intervals(trace)
        return [*some, *others] if operator == "OR" else combine(operator, some, others)

    return Written(f"({left.text} {operator} {right.text})", found)


def _absence(absent: Written, first: Written, last: Written) -> Written:
    text = f"NOT({absent.text}).[{first.text}, {last.text}]"
    parts = (absent, first, last)
    return Written(text, lambda trace: without_between(*(part.intervals(trace) for part in parts)))


def _limit(inner: Written, longest: int) -> Written:
    return Written(f"({inner.text}).{longest} us", lambda trace: limited(inner.intervals(trace), longest))


def _larger(patterns: st.SearchStrategy[Written]) -> st.SearchStrategy[Written]:
    return st.one_of(
        st.builds(_binary, st.sampled_from(["OR", *OPERATORS]), patterns, patterns),
        st.builds(_absence, patterns, patterns, patterns),
        st.builds(_limit, patterns, st.integers(0, 4)),
    )


PATTERNS = st.recursive(st.sampled_from(TYPES).map(_atom), _larger, max_leaves=5)


@given(PATTERNS, traces(least=3, longest=3))
def test_a_pattern_has_the_intervals_of_the_table(pattern: Written, trace: list[Event]) -> None:
    program = parse(f"e <- {pattern.text}.")
    for found in (matches(program, trace), EngineRunner().run(program, sort_events(trace)).matches):
        assert sorted((one.start, one.end) for one in found) == sorted(pattern.intervals(trace))


LONGEST = 4
# Of the greatest, too, the shortest is taken.
TIES: Final[dict[str, Callable[[Event], int]]] = {
    "shorter": lambda event: event.start - event.end,
    "longer": lambda event: event.end - event.start,
    "greatest arg1": lambda event: int(str(event.fields["arg1"])) * (LONGEST + 1) + event.start - event.end,
}
RELATED: Final[dict[str, Callable[[Item, Item], bool]]] = {
    "SEQ": lambda left, right: left.end < right.start,
    "AND": lambda _left, _right: True,
    "PAR": lambda left, right: max(left.start, right.start) < min(left.end, right.end),
}


def _items(kind: str, trace: Sequence[Event], tie: Callable[[Event], int]) -> list[Item]:
    return [
        Item(one.start, one.end, 0, 0, ((one.end, one.id),), str(one.id), tie=tie(one))
        for one in sort_events(trace)
        if one.type == kind
    ]


@cache
def _choosing(operator: str, policy: str, tie: str) -> Program:
    return parse(f"e <- a(_) {operator} b(_) policy {policy} tie {tie}.")


@pytest.mark.parametrize("policy", ["recent", "chronological"])
@pytest.mark.parametrize("operator", RELATED)
@given(traces(types="ab", longest=LONGEST, fields={"arg1": st.integers(0, 2)}), st.sampled_from(sorted(TIES)))
def test_a_policy_takes_what_one_at_a_time_takes(policy: str, operator: str, trace: list[Event], tie: str) -> None:
    program = _choosing(operator, policy, tie)
    left, right = (_items(kind, trace, TIES[tie]) for kind in "ab")
    taken = chosen(policy, left, right, RELATED[operator])
    wanted = sorted(tuple(sorted((int(one.name), int(other.name)))) for one, other in taken)
    for found in (matches(program, trace), EngineRunner().run(program, sort_events(trace)).matches):
        assert sorted(tuple(sorted(map(int, one.evidence))) for one in found) == wanted
