"""Laws of single nodes, over patterns of every kind below them."""

from collections import Counter
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Moment
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Distinct, Either, Instant, Join, Pattern, Restrict, Select
from cepheid.algebra.policies import LATEST_START
from cepheid.algebra.relations import Axis, Difference, end, length, start
from cepheid.algebra.semantics import instances
from cepheid.algebra.traversal import named_parts, rename
from cepheid.events import Event
from cepheid.testing.cases import Kind, Shape
from cepheid.testing.strategies import patterns, traces
from tests.properties.results import whole

BELOW = Shape(depth=2, kinds=frozenset(Kind) - {Kind.INSTANT})
TRACES = traces(least=4, most=8)
CONDITIONS: st.SearchStrategy[Expr] = st.sampled_from(
    [
        Call("<", (Moment(start("$pattern")), Moment(end("$pattern")))),
        Call(">", (Field("e1", "value"), Field("e1", "key"))),
        Call("==", (Field("e1", "value"), Field("e2", "value"))),
        IsBound("e2"),
    ]
)


def told(found: Iterable[Instance]) -> Counter[tuple[object, ...]]:
    return Counter((one.start, one.end, one.low, one.high, one.identity, one.support) for one in found)


@given(patterns(BELOW), CONDITIONS, TRACES)
def test_a_condition_is_true_false_or_null_and_only_what_is_true_stays(
    pattern: Pattern, condition: Expr, trace: list[Event]
) -> None:
    answers = (condition, Call("not", (condition,)), Call("is_null", (condition,)))
    parts = [told(instances(Restrict(pattern, where=answer), trace)) for answer in answers]
    assert parts[0] + parts[1] + parts[2] == told(instances(pattern, trace))


@given(patterns(BELOW), st.integers(0, 4), st.integers(0, 4), TRACES)
def test_a_restriction_keeps_what_lies_between_its_bounds(
    pattern: Pattern, low: int, more: int, trace: list[Event]
) -> None:
    bound = Difference(end("$pattern"), start("$pattern"), low, low + more)
    kept = [one for one in instances(pattern, trace) if low <= one.end - one.start <= low + more]
    assert told(instances(Restrict(pattern, (bound,)), trace)) == told(kept)


@given(patterns(BELOW), st.integers(1, 5), TRACES)
def test_a_window_of_records_counts_positions(pattern: Pattern, records: int, trace: list[Event]) -> None:
    window = length("$pattern", "$pattern", records - 1, Axis.POSITION)
    found = instances(pattern, trace)
    kept = [one for one in found if one.low is not None and one.high is not None and one.high - one.low < records]
    assert told(instances(Restrict(pattern, (window,)), trace)) == told(kept)


@given(patterns(BELOW), patterns(BELOW), TRACES)
def test_either_has_all_matches_of_each_branch(one: Pattern, other: Pattern, trace: list[Event]) -> None:
    either = Either((one, rename(other, {name: f"other_{name}" for name in named_parts(other)})))
    assert told(instances(either, trace)) == told(instances(one, trace)) + told(instances(other, trace))


@given(patterns(BELOW), patterns(BELOW), TRACES)
def test_names_of_the_branch_not_taken_are_unbound(one: Pattern, other: Pattern, trace: list[Event]) -> None:
    apart = rename(other, {name: f"other_{name}" for name in named_parts(other)})
    for found in instances(Either((one, apart)), trace):
        from_other = [name.startswith("other_") for name in found.parts]
        assert all(from_other) or not any(from_other)


X, Y = Atom("x", frozenset("AB")), Atom("y", frozenset("BC"))
OF_Y: list[Restrict] = [
    Restrict(Either((X, Y)), where=IsBound("y")),
    Restrict(Either((X, Y)), (Difference(end("y"), start("y"), low=0),)),
    Restrict(Either((X, Y)), where=Call("is_null", (Moment(end("x")),))),
]


@given(st.sampled_from(OF_Y), TRACES)
def test_a_branch_is_known_by_what_it_binds(of_y: Restrict, trace: list[Event]) -> None:
    assert told(instances(of_y, trace)) == told(instances(Y, trace))


@given(TRACES)
def test_distinct_distinguishes_ends_that_points_of_time_make(trace: list[Event]) -> None:
    tick = Instant("t", Call("every", (Literal(1), Literal(0))))
    pattern = Join((X, tick), (Difference(start("$1"), end("$0"), low=0),))
    assert told(instances(Distinct(pattern), trace)) == told(instances(pattern, trace))


@given(patterns(BELOW), TRACES)
def test_distinct_keeps_one_match_of_each_hull_and_support_and_no_other(pattern: Pattern, trace: list[Event]) -> None:
    every, kept = whole(instances(pattern, trace)), whole(instances(Distinct(pattern), trace))
    assert len(kept) == len(set(kept))
    assert set(kept) == set(every)


@given(patterns(BELOW), st.sampled_from(["key", "value"]), traces(least=4, most=8, plain=True))
def test_distinct_by_a_value_keeps_the_first_of_each(pattern: Pattern, name: str, trace: list[Event]) -> None:
    part = next(iter(named_parts(pattern)), "e1")
    by = (Field(part, name), Moment(end(part)))
    firsts: dict[object, Instance] = {}
    for one in instances(pattern, trace):
        bound = one.parts.get(part)
        key = (bound.fields.get(name), bound.end) if bound else None
        firsts.setdefault(key, one)
    assert told(instances(Distinct(pattern, by), trace)) == told(firsts.values())


@given(patterns(BELOW), TRACES)
def test_select_keeps_the_latest_start_of_every_end(pattern: Pattern, trace: list[Event]) -> None:
    every, kept = instances(pattern, trace), instances(Select(pattern, LATEST_START), trace)
    latest = {end: max(one.start for one in every if one.end == end) for end in {one.end for one in every}}
    assert sorted((one.end, one.start) for one in kept) == sorted(latest.items())
    assert told(kept) <= told(every)
