"""Traces and claims as users write them are the pipes and formulas they mean."""

import pytest
from hypothesis import given

from cepheid.algebra import processors
from cepheid.algebra.builder.formulas import Claim, Item, always, eventually, for_every, for_some, here, holds, next_
from cepheid.algebra.builder.pipes import Trace, choose, collate, detections, stream, total, transition, yield_
from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable
from cepheid.algebra.formulas import And, Exists, ForAll, Globally, Holds, Implies, Next, Not, Or, Until
from cepheid.algebra.machines import Transition, machine
from cepheid.algebra.pipes import Detect, Fold, Gate, Map, Pipe, Slice, Source, Verdict, Window
from cepheid.diagnostics import CepheidError
from cepheid.events import Duration
from tests.algebra.pipes.pipe_strategies import PIPES, timed, traces
from tests.algebra.pipes.pipe_strategies import Trace as Values

P, Q = stream("P"), stream("Q")
IS_A: Expr = Call("==", (Variable("$0"), Literal("a")))


def test_a_field_of_a_stream_is_a_map() -> None:
    assert P["price"].pipe == Map((Source(stream="P"),), Field("$0", "price"))
    assert P["price"]["net"].pipe == Map((Source(stream="P"),), Call("get", (Field("$0", "price"), Literal("net"))))
    assert P[0].pipe == Map((Source(stream="P"),), Call("get", (Variable("$0"), Literal(0))))


def test_operators_between_traces_are_one_map_over_what_they_read() -> None:
    gain = (P["high"] - P["low"]) / Q["price"] > 2
    difference = Call("-", (Field("$0", "high"), Field("$0", "low")))
    share = Call("/", (difference, Field("$1", "price")))
    assert gain.pipe == Map((Source(stream="P"), Source(stream="Q")), Call(">", (share, Literal(2))))


def test_every_operator_calls_its_function() -> None:
    pairs = [
        (P + Q, "+"), (P - Q, "-"), (P * Q, "*"), (P / Q, "/"), (P // Q, "//"), (P % Q, "%"),
        (P == Q, "=="), (P != Q, "!="), (P < Q, "<"), (P <= Q, "<="), (P > Q, ">"), (P >= Q, ">="),
        (P & Q, "and"), (P | Q, "or"),
    ]  # fmt: skip
    for trace, function in pairs:
        assert trace.pipe == Map((P.pipe, Q.pipe), Call(function, (Variable("$0"), Variable("$1"))))
    for trace, function in [(-P, "neg"), (abs(P), "abs"), (~P, "not")]:
        assert trace.pipe == Map((P.pipe,), Call(function, (Variable("$0"),)))
    for trace, function in [(1 + P, "+"), (1 - P, "-"), (2 * P, "*"), (1 / P, "/")]:
        assert isinstance(trace.pipe, Map)
        assert isinstance(trace.pipe.function, Call)
        assert trace.pipe.function.function == function
        assert trace.pipe.function.arguments[1] == Variable("$0")


@given(PIPES, PIPES, traces())
def test_reading_through_maps_changes_nothing(left: Pipe, right: Pipe, values: Values) -> None:
    fused = (Trace(left) + Trace(right)) == Trace(left)
    added = Map((left, right), Call("+", (Variable("$0"), Variable("$1"))))
    expected = Map((added, left), Call("==", (Variable("$0"), Variable("$1"))))
    assert timed(fused.pipe, values) == timed(expected, values)


def test_methods_are_the_processors() -> None:
    source = Source(stream="P")
    assert P.turn_into(1).pipe == processors.turn_into(source, 1)
    assert P.cumulate("+", 0).pipe == processors.cumulate(source, "+", 0)
    assert P.freeze().pipe == processors.freeze(source)
    assert P.trim(2).pipe == processors.trim(source, 2)
    assert P.first(2).pipe == processors.prefix(source, 2)
    assert P.every(2).pipe == processors.decimate(source, 2)
    assert P.stutter(2).pipe == processors.stutter(source, 2)
    assert P.count().pipe == processors.count(source)
    assert P.sum().pipe == processors.total(source)
    assert P.avg().pipe == processors.average(source)
    assert P.minimum().pipe == processors.minimum(source)
    assert P.maximum().pipe == processors.maximum(source)
    assert P.peaks().pipe == processors.peaks(source)


def test_functions_are_terms_or_make_them() -> None:
    doubled = Map((P.pipe,), Call("*", (Field("$0", "price"), Literal(2))))
    assert P.map(here.price * 2).pipe == doubled
    assert P.map(lambda trade: trade["price"] * 2).pipe == doubled
    assert P.fold(total + here, 0, total * 2).pipe == Fold(
        (P.pipe,),
        Call("+", (Variable("$total"), Variable("$0"))),
        Literal(0),
        Call("*", (Variable("$total"), Literal(2))),
    )


def test_windows_are_of_values_or_of_time() -> None:
    body = processors.total(Source())
    assert P.window(3, Trace.sum).pipe == Window((P.pipe,), body, count=3)
    assert P.window("2 s", Trace.sum).pipe == Window((P.pipe,), body, length=2_000_000)
    assert P.window(Duration.parse("2 s"), Trace.sum).pipe == Window((P.pipe,), body, length=2_000_000)
    assert P.slice(here.user, Trace.sum, "set").pipe == Slice((P.pipe,), body, Field("$0", "user"), "set")


def test_a_filter_takes_a_trace_a_term_or_a_claim() -> None:
    cheap = Map((P.pipe,), Call("<", (Field("$0", "price"), Literal(5))))
    assert P.where(P["price"] < 5).pipe == Gate((P.pipe, cheap))
    assert P.where(here.price < 5).pipe == Gate((P.pipe, cheap))
    claim = eventually(here == "a")
    assert P.where(claim).pipe == Gate((P.pipe, Verdict((P.pipe,), claim.formula)))
    assert P.knowledge(claim).pipe == Verdict((P.pipe,), claim.formula, three_valued=True)


def test_traces_beside_each_other() -> None:
    assert choose(P, Q, P).pipe == processors.choose(P.pipe, Q.pipe, P.pipe)
    assert yield_(3, P, Q, P).pipe == processors.yield_(3, P.pipe, Q.pipe, P.pipe)
    assert collate(P, Q).pipe == processors.collate(P.pipe, Q.pipe)
    assert collate(low=P, high=Q).pipe == processors.collate(P.pipe, Q.pipe, names=("low", "high"))
    assert detections("alarm").pipe == Detect(rule="alarm")


def test_a_machine_is_written_with_terms() -> None:
    going = transition("off", "on", here > 3, count=total.count + 1)
    counted = Call("+", (Field("$total", "count"), Literal(1)))
    assert going == Transition("off", "on", Call(">", (Variable("$0"), Literal(3))), {"count": counted})
    expected = machine(P.pipe, "off", [going], {"on": Field("$total", "count")}, {"count": 0})
    assert P.machine("off", [going], {"on": total.count}, {"count": 0}).pipe == expected


def test_claims_are_formulas() -> None:
    a, b = holds(here == "a"), holds(here == "b")
    one, other = a.formula, b.formula
    assert one == Holds(IS_A)
    assert (a & b).formula == And(one, other)
    assert (a | b).formula == Or(one, other)
    assert (~a).formula == Not(one)
    assert a.implies(b).formula == Implies(one, other)
    assert a.until(here == "b").formula == Until(one, other)
    assert next_(here == "a").formula == Next(one)
    assert always(a, within=3).formula == Globally(one, 3)


def test_quantified_variables_are_called_as_the_function_calls_them() -> None:
    claim = for_every(here.items, lambda item: for_some(item.parts, lambda part: here.part == part))
    inner = Exists("part", Field("item", "parts"), Holds(Call("==", (Field("$0", "part"), Variable("part")))))
    assert claim.formula == ForAll("item", Field("$0", "items"), inner)


def test_an_inner_variable_never_hides_an_outer_one_that_is_read() -> None:
    def unlike(outer: Item) -> Claim:
        return for_every(here.items, lambda item: item != outer)

    claim = for_every(here.items, lambda item: unlike(item))
    inner = ForAll("item2", Field("$0", "items"), Holds(Call("!=", (Variable("item2"), Variable("item")))))
    assert claim.formula == ForAll("item", Field("$0", "items"), inner)


def test_a_trace_has_no_truth_and_no_end() -> None:
    with pytest.raises(CepheidError, match="a trace is not true or false as a whole"):
        bool(P > 1)
    with pytest.raises(TypeError, match="not iterable"):
        iter(P)
