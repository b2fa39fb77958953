"""Random watchpoints, and each of them as a chain."""

from collections.abc import Sequence

from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Moment, Variable, conjunction
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.algebra.relations import Axis, Relation, end, length, start
from tests.oracles.partial_matches import Check, Let, RecordSpec, State, Watchpoint

VARIABLES = ("m", "n")
FIELDS = ("k", "v", "index", "now")


def chain_of(watchpoint: Watchpoint, evidence: bool, observed: tuple[str, ...] | None = None) -> Chain:
    """Return the watchpoint as a chain of steps."""
    return Chain(
        {name: _step(name, state) for name, state in watchpoint.states.items()},
        watchpoint.first,
        {name: Literal(value) for name, value in watchpoint.initially},
        _window(watchpoint),
        reads_support=evidence,
        observed=observed,
    )


def _step(name: str, state: State) -> Step:
    lead = _atom(f"{name}_lead", state.lead)
    avoid = None if state.avoid is None else _atom(f"{name}_avoid", state.avoid)
    return Step(lead, {let.variable: _let(lead.name, let) for let in state.lets}, avoid, state.follow)


def _atom(name: str, spec: RecordSpec) -> Atom:
    return Atom(name, spec.types, conjunction(tuple(_check(name, check) for check in spec.tests)))


def _check(name: str, check: Check) -> Expr:
    against = Variable(check.against) if isinstance(check.against, str) else Literal(check.against)
    return Call(check.operator, (_read(name, check.field), against))


def _let(name: str, let: Let) -> Expr:
    value = _read(name, let.field)
    return value if let.base is None else Call("+", (Variable(let.base), value))


def _read(name: str, field: str) -> Expr:
    match field:
        case "index":
            return Moment(start(name, Axis.POSITION))
        case "now":
            return Moment(end(name))
        case _:
            return Field(name, field)


def _window(watchpoint: Watchpoint) -> Relation:
    time = () if watchpoint.longest is None else (length("$first", "$last", watchpoint.longest),)
    if watchpoint.records is None:
        return time
    return (*time, length("$first", "$last", watchpoint.records - 1, Axis.POSITION))


CHECKS = st.builds(
    Check,
    st.sampled_from(FIELDS),
    st.sampled_from(["==", "==", "<", "!="]),
    st.one_of(st.integers(0, 4), st.sampled_from(VARIABLES)),
)
LEADS = st.builds(
    RecordSpec,
    st.sampled_from(["", "ab", "b", "ab", "bc"]).map(frozenset),
    st.sampled_from([0, 0, 0, 1]).flatmap(lambda size: st.tuples(*[CHECKS] * size)),
)
AVOIDED = st.builds(
    RecordSpec,
    st.sampled_from(["a", "b", "c"]).map(frozenset),
    st.sampled_from([0, 0, 1]).flatmap(lambda size: st.tuples(*[CHECKS] * size)),
)
LETS = st.builds(Let, st.sampled_from(VARIABLES), st.sampled_from([None, *VARIABLES]), st.sampled_from(FIELDS))


def _states(follows: st.SearchStrategy[tuple[str, ...]]) -> st.SearchStrategy[State]:
    some = st.lists(LETS, min_size=1, max_size=2, unique_by=lambda let: let.variable).map(tuple)
    lets = st.one_of(st.just(()), some)
    return st.builds(State, LEADS, lets, st.one_of(st.none(), AVOIDED), follows)


def _subset(names: Sequence[str]) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(st.sampled_from(names), min_size=1, max_size=2, unique=True).map(tuple)


FOLLOWING = _subset(["two", "end", "stop"])
WATCHPOINTS = st.builds(
    lambda one, two, end, stop, initially, longest, records: Watchpoint(
        {"one": one, "two": two, "end": end, "stop": stop}, "one", initially, longest, records
    ),
    _states(st.one_of(FOLLOWING, FOLLOWING, st.just(()))),
    _states(FOLLOWING),
    _states(st.just(())),
    _states(st.just(())),
    st.sampled_from([(), (("m", 0),), (("m", 1), ("n", 0))]),
    st.sampled_from([None, None, 2, 4]),
    st.sampled_from([None, None, 3, 4]),
)
