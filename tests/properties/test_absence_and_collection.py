"""What stands beside a match: things that must not be there, and things that are gathered."""

from collections import Counter
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Collect, Join, Pattern, Unless
from cepheid.algebra.relations import Axis, Difference, Endpoint, Relation, after, end, start
from cepheid.algebra.semantics import instances
from cepheid.events import Event
from tests.properties.results import in_order, whole
from tests.properties.traces import KEYED, traces

TRACES = traces(least=3, longest=2, fields=KEYED)
PRESENT: list[Pattern] = [
    Atom("x", frozenset("a")),
    Join((Atom("x", frozenset("a")), Atom("y", frozenset("b"))), (after("$1", "$0"),)),
]


@dataclass(frozen=True)
class Beside:
    """How a `z` stands to an `x`: distances of endpoints, whether keys agree, whether its value is smaller."""

    pattern: Pattern
    edges: tuple[bool, bool]
    low: int | None
    high: int | None
    keyed: bool
    smaller: bool
    axis: Axis

    def relation(self, one: str, other: str) -> Relation:
        later, earlier = (_edge(edge, part, self.axis) for edge, part in zip(self.edges, (other, one), strict=True))
        return (Difference(later, earlier, self.low, self.high),)

    @property
    def equal(self) -> tuple[tuple[Expr, Expr], ...]:
        return ((Field("x", "k"), Field("z", "k")),) if self.keyed else ()

    @property
    def where(self) -> Expr | None:
        return Call("<", (Field("z", "v"), Field("x", "v"))) if self.smaller else None

    def pairs(self) -> Join:
        """Return the join of both: all that stand beside each other."""
        return Join((self.pattern, Z), self.relation("$0", "$1"), self.equal, where=self.where)


def _edge(is_end: bool, part: str, axis: Axis) -> Endpoint:
    return end(part, axis) if is_end else start(part, axis)


Z = Atom("z", frozenset("bc"))
BESIDE = st.builds(
    Beside,
    st.sampled_from(PRESENT),
    st.tuples(st.booleans(), st.booleans()),
    st.sampled_from([None, -3, 0, 1]),
    st.sampled_from([None, 0, 1, 3]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([Axis.TIME, Axis.TIME, Axis.POSITION]),
)


def bound(found: Instance) -> tuple[object, ...]:
    return tuple((name, found.parts[name].identity) for name in ("x", "y") if name in found.parts)


@given(BESIDE, TRACES)
def test_a_match_stands_unless_it_stands_beside_something(beside: Beside, trace: list[Event]) -> None:
    absence = Unless(beside.pattern, Z, beside.relation("$pattern", "$absent"), beside.equal, beside.where)
    blocked = {bound(pair) for pair in instances(beside.pairs(), trace)}
    present = [one for one in instances(beside.pattern, trace) if bound(one) not in blocked]
    assert Counter(map(bound, instances(absence, trace))) == Counter(map(bound, present))


@given(BESIDE, TRACES)
def test_absence_takes_away_and_adds_nothing(beside: Beside, trace: list[Event]) -> None:
    absence = Unless(beside.pattern, Z, beside.relation("$pattern", "$absent"), beside.equal, beside.where)
    every = {
        (bound(one), one.start, one.end, one.support, tuple(one.parts)) for one in instances(beside.pattern, trace)
    }
    assert {
        (bound(one), one.start, one.end, one.support, tuple(one.parts)) for one in instances(absence, trace)
    } <= every


@given(st.integers(0, 3), TRACES)
def test_an_absence_sees_no_further_than_its_window(window: int, trace: list[Event]) -> None:
    follows = (Difference(end("$absent"), end("$pattern"), 0, window),)
    absence = Unless(PRESENT[1], Z, follows)
    found = whole(instances(absence, trace))
    for now in range(8):
        seen = [event for event in trace if event.end <= now]
        certain = [one for one in found if one[1] + window <= now]
        assert [one for one in whole(instances(absence, seen)) if one[1] + window <= now] == certain


FOLDS: dict[str, Expr] = {
    "count": Aggregate("count"),
    "sum": Aggregate("sum", Field("z", "v")),
    "mean": Aggregate("avg", Field("z", "v")),
    "list": Aggregate("list", Field("z", "v")),
    "above": Call("-", (Aggregate("max", Field("z", "v")), Field("x", "v"))),
}


@given(BESIDE, TRACES)
def test_a_collection_gathers_all_that_stands_beside_its_anchor(beside: Beside, trace: list[Event]) -> None:
    collect = Collect("g", beside.pattern, Z, beside.relation("$anchor", "$item"), beside.equal, beside.where, FOLDS)
    pairs = instances(beside.pairs(), trace)
    expected = [
        _expected(one, [pair for pair in pairs if bound(pair) == bound(one)]) for one in _anchors(beside, trace)
    ]
    assert Counter(map(_gathered, instances(collect, trace))) == Counter(expected)


def _anchors(beside: Beside, trace: list[Event]) -> list[Instance]:
    return instances(beside.pattern, trace)


def _gathered(found: Instance) -> tuple[object, ...]:
    group = found.parts["g"]
    hull = (found.start, found.end, found.low, found.high)
    return (bound(found), hull, (group.start, group.end, group.low, group.high), found.support, _folds(group))


def _folds(group: Instance) -> tuple[object, ...]:
    return tuple(group.fields[name] for name in FOLDS)


def _expected(anchor: Instance, pairs: list[Instance]) -> tuple[object, ...]:
    items = [pair.parts["z"] for pair in sorted(pairs, key=lambda pair: pair.parts["z"].order)]
    values = [value for item in items if isinstance(value := item.fields["v"], int)]
    base = anchor.parts["x"].fields["v"]
    above = max(values) - base if values and isinstance(base, int) else None
    mean = sum(values) / len(values) if values else None
    around = items or [anchor]
    hull = (
        min(item.start for item in around),
        max(item.end for item in around),
        min(item.low or 0 for item in around),
        max(item.high or 0 for item in around),
    )
    support = anchor.support.union(*(item.support for item in items))
    folds = (len(items), sum(values) if values else None, mean, tuple(values), above)
    return (bound(anchor), (anchor.start, anchor.end, anchor.low, anchor.high), hull, support, folds)


@given(BESIDE, TRACES)
def test_a_collection_has_exactly_one_match_for_each_anchor(beside: Beside, trace: list[Event]) -> None:
    found = instances(Collect("g", beside.pattern, Z, beside.relation("$anchor", "$item")), trace)
    hulls = in_order((one.start, one.end, one.support & {event.id for event in trace}) for one in found)
    anchors = whole(_anchors(beside, trace))
    assert [(first, last) for first, last, _ in hulls] == [(first, last) for first, last, _ in anchors]
