"""Any trace, any formula and any pipe over the input `*`: what the properties of pipes range over."""

from hypothesis import strategies as st

from cepheid.algebra import pipe_semantics
from cepheid.algebra.expressions import Call, Expr, Literal, Variable
from cepheid.algebra.formulas import (
    And,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Globally,
    Holds,
    Implies,
    Next,
    Not,
    Or,
    Until,
)
from cepheid.algebra.pipe_semantics import Timed
from cepheid.algebra.pipes import Fold, Gate, Map, Pipe, Resample, Slice, Source, Verdict, Window
from cepheid.events import Value

Trace = tuple[Timed, ...]

HERE = Source()
FIRST, SECOND, TOTAL = Variable("$0"), Variable("$1"), Variable("$total")

NUMBERS: st.SearchStrategy[Value] = st.integers(-3, 3)
VALUES: st.SearchStrategy[Value] = st.one_of(NUMBERS, st.sampled_from([None, True, False, "a", "#", (1, 2), ()]))


@st.composite
def traces(draw: st.DrawFn, values: st.SearchStrategy[Value] = VALUES, most: int = 7) -> Trace:
    """Values with times that never go back."""
    steps = draw(st.lists(st.tuples(st.integers(0, 3), values), max_size=most))
    time, trace = 0, []
    for step, value in steps:
        time += step
        trace.append(Timed(time, value))
    return tuple(trace)


def call(function: str, *arguments: Expr) -> Expr:
    return Call(function, arguments)


def timed(pipe: Pipe, trace: Trace) -> list[Timed]:
    """Return what `pipe` gives where its input `*` is `trace`."""
    return pipe_semantics.outputs(pipe, pipe_semantics.Context(input=trace))


def given_by(pipe: Pipe, trace: Trace) -> list[Value]:
    return [item.value for item in timed(pipe, trace)]


def values_of(trace: Trace) -> list[Value]:
    return [item.value for item in trace]


LITERALS = st.builds(Literal, VALUES)
UNARY: st.SearchStrategy[Expr] = st.one_of(
    st.just(FIRST),
    LITERALS,
    st.sampled_from([call("is_null", FIRST), call("neg", FIRST), call("==", FIRST, Literal(1))]),
    st.builds(lambda bound: call(">", FIRST, Literal(bound)), NUMBERS),
)
BINARY: st.SearchStrategy[Expr] = st.sampled_from(
    [call("+", FIRST, SECOND), call("<", FIRST, SECOND), call("list", FIRST, SECOND), call("if", FIRST, SECOND, FIRST)]
)
STEPS: st.SearchStrategy[Expr] = st.sampled_from(
    [call("+", TOTAL, FIRST), call("coalesce", TOTAL, FIRST), call("-", FIRST, TOTAL), call("list", FIRST)]
)
KEYS: st.SearchStrategy[Expr] = st.one_of(UNARY, st.just(call("%", FIRST, Literal(2))))


def _grown(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    bounds = st.none() | st.integers(1, 3)
    domains = st.just(FIRST) | LITERALS
    return st.one_of(
        st.builds(Not, inner),
        st.builds(And, inner, inner),
        st.builds(Or, inner, inner),
        st.builds(Implies, inner, inner),
        st.builds(Next, inner),
        st.builds(Globally, inner, bounds),
        st.builds(Eventually, inner, bounds),
        st.builds(Until, inner, inner),
        st.builds(ForAll, st.just("x"), domains, inner),
        st.builds(Exists, st.just("x"), domains, inner),
    )


CONDITIONS: st.SearchStrategy[Formula] = st.builds(
    Holds, st.one_of(UNARY, st.just(call(">=", FIRST, Variable("x"))), st.just(call("==", FIRST, Variable("x"))))
)
FORMULAS: st.SearchStrategy[Formula] = st.recursive(CONDITIONS, _grown, max_leaves=4)

RESAMPLINGS = (st.integers(0, 2), st.integers(1, 3), st.none() | st.integers(0, 3), st.integers(1, 2))


def _windows(inputs: st.SearchStrategy[tuple[Pipe, ...]], body: st.SearchStrategy[Pipe]) -> st.SearchStrategy[Pipe]:
    return st.one_of(
        st.builds(Window, inputs, body, st.integers(1, 3), st.none()),
        st.builds(Window, inputs, body, st.none(), st.integers(0, 4)),
    )


def _piped(inner: st.SearchStrategy[Pipe]) -> st.SearchStrategy[Pipe]:
    one = st.tuples(inner)
    two = st.tuples(inner, inner)
    return st.one_of(
        st.builds(Map, one, UNARY),
        st.builds(Map, two, BINARY),
        st.builds(Fold, one, STEPS, LITERALS, st.none() | st.just(call("list", TOTAL, FIRST))),
        st.builds(Resample, one, *RESAMPLINGS),
        st.builds(Gate, two),
        _windows(one, inner),
        st.builds(Slice, one, inner, KEYS, st.sampled_from(["map", "set"])),
        st.builds(Verdict, one, FORMULAS, st.booleans()),
    )


PIPES: st.SearchStrategy[Pipe] = st.recursive(st.just(HERE), _piped, max_leaves=5)
