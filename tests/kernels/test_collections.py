"""Windowed folds in kernels: what they tell is what the definition tells, to the last bit."""

from dataclasses import replace

import pytest

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, Literal, Moment
from cepheid.algebra.keyed import keyed
from cepheid.algebra.patterns import Atom, Collect, Pattern, Restrict
from cepheid.algebra.programs import HULL, Program, Rule
from cepheid.algebra.relations import Difference, end, start
from cepheid.algebra.traversal import rename, walk
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine.kernels import Shape, shapes_of
from cepheid.engine.kernels.plans.pattern_stages import StagedShape
from cepheid.events import Event, Value, point
from cepheid.testing.cases import Draw, random_cuts, random_disordered, seeded
from tests.kernels.plain_kernels import plain_kernels
from tests.kernels.random_rules import KEYS, TYPES, VALUES, RandomRule
from tests.kernels.test_agreement import disagreements

FLOATS = (0.1, 0.2, 0.3, -0.7, 1e16, -1e16, 2.5)
AGGREGATES = ("count", "sum", "avg", "min", "max", "first", "last", "list")


def random_collection(draw: Draw) -> RandomRule:
    """Return a rule that tells folds over a window, now and then only where one of them is large or small."""
    fold = draw.pick(AGGREGATES)
    argument = None if fold == "count" and draw.chance(60) else Field("item", "value")
    folds: dict[str, Expr] = {"fold": Aggregate(fold, argument), "number": Aggregate("count")}
    if draw.chance(20):
        folds["later"] = Aggregate("sum", Call("-", (Field("item", "value"), Field("anchor", "value"))))
    anchor = Atom("anchor", frozenset({draw.pick(TYPES)}))
    item = Atom("item", frozenset({draw.pick(TYPES)}), _condition(draw, "item") if draw.chance(20) else None)
    high = draw.weighted({0: 40, -1: 20, 2: 20, 6: 20})
    relation = (Difference(start("$item"), start("$anchor"), high - draw.integer(0, 8), high),)
    where = (
        Call(draw.pick(["!=", ">"]), (Field("item", "value"), Field("anchor", "value"))) if draw.chance(25) else None
    )
    pattern: Pattern = Collect("seen", anchor, item, relation, where=where, folds=folds)
    pattern = keyed(pattern, ["key"]) if draw.chance(50) else pattern
    if draw.chance(25) and isinstance(pattern, Collect):
        pattern = _twice(draw, pattern)
    for name in folds:
        if draw.chance(30):
            limit = Literal(draw.pick([0, 1, 2, 0.5, 0.6]))
            pattern = Restrict(pattern, where=Call(draw.pick(["<", "<=", ">", ">="]), (Field("seen", name), limit)))
    fields: dict[str, Expr] = {name: Field("seen", name) for name in folds}
    if any(isinstance(node, Collect) and node.name == "again" for node in walk(pattern)):
        fields["most"] = Field("again", "most")
    rule = Rule("match", pattern, "match", Moment(start(HULL)), Moment(end(HULL)), fields)
    trace = _trace(draw)
    disorder = draw.integer(0, 3)
    arrivals = random_disordered(draw, trace, disorder)
    return RandomRule(Program((rule,)), tuple(trace), tuple(arrivals), disorder, random_cuts(draw, len(arrivals)))


def _twice(draw: Draw, collect: Collect) -> Pattern:
    """Return a collection of the same items under other names, in which the first stands, now and then restricted."""
    again = rename(replace(collect, folds={"most": Aggregate("max", Field("item", "value"))}), {"item": "other"})
    few = Restrict(collect, where=Call("<", (Field("seen", "number"), Literal(draw.pick([2, 3])))))
    return replace(again, name="again", anchor=few if draw.chance(50) else collect)


def _condition(draw: Draw, name: str) -> Expr:
    return Call(">", (Field(name, "value"), Literal(draw.pick([0, 0.2, 1]))))


def _trace(draw: Draw) -> list[Event]:
    values: tuple[Value, ...] = draw.pick([FLOATS, VALUES, (1, 2, 3, 2**62)])
    time, found = 0, []
    for number in range(draw.integer(4, 30)):
        time += draw.weighted({0: 30, 1: 50, 3: 20})
        fields = {"value": draw.pick(values), "key": draw.pick(KEYS[:3])}
        found.append(point(draw.pick(TYPES), time, number + 1, fields))
    return found


@pytest.mark.one_in(3)
@pytest.mark.parametrize("first", range(0, 160, 40))
def test_random_collections(first: int) -> None:
    with plain_kernels():
        cases = {seed: random_collection(seeded(seed)) for seed in range(first, first + 40)}
        assert {seed: wrong for seed, case in cases.items() if (wrong := disagreements(case))} == {}


@pytest.mark.parametrize("seed", [0, 5, 9])
def test_random_collections_in_machine_code(seed: int) -> None:
    assert disagreements(random_collection(seeded(seed))) == []


def test_all_of_these_have_a_shape_and_only_where_nothing_may_be_told_run_as_stages() -> None:
    shapes = [shape for seed in range(80) for shape in shapes_of(plan_of(random_collection(seeded(seed)).program))]
    staged = [shape for shape in shapes if isinstance(shape, StagedShape)]
    assert not [shape for shape in shapes if isinstance(shape, str)]
    assert 0 < len(staged) < len(shapes) / 2
    assert any(shape.collect.tests for shape in shapes if isinstance(shape, Shape) and shape.collect is not None)
