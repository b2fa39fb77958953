"""Any node at all, sensible or not: what the JSON form and the text form must keep.

Names are often words of the text form or no identifiers, relations are often those that have a name, and constructs
may be empty. For queries that mean something see `cepheid.testing`.
"""

from collections.abc import Callable, Mapping
from typing import TypeVar

from hypothesis import strategies as st

from cepheid.algebra.expressions import (
    Aggregate,
    Call,
    Expr,
    Field,
    IsBound,
    Literal,
    Lookup,
    Moment,
    Variable,
)
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
from cepheid.algebra.functions import function_names
from cepheid.algebra.intervals import INTERVALS, between, inside, within
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Equalities,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Step,
    Suppress,
    Unless,
)
from cepheid.algebra.pipes import Detect, Fold, Gate, Map, Pipe, Resample, Slice, Source, Verdict, Window
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.programs import Arrival, Program, Rule, Stream, Table
from cepheid.algebra.relations import MEASURED, Difference, Edge, Endpoint, Relation, end, length, start
from cepheid.algebra.text.words import WORDS
from tests.events.value_strategies import VALUES

T = TypeVar("T")

NAMES = st.one_of(
    st.sampled_from(["a", "b", "value", "Login", "$0", "$1", "$event", "$total", "é", "_", "s", "min"]),
    st.sampled_from(sorted(WORDS)),
    st.sampled_from(["", " ", "two words", "`", '"', "\\", "\n", "1", "$", "a.b", "#", "*", "items", "latest-start"]),
    st.text(max_size=3),
)
PARTS = st.one_of(st.sampled_from(["a", "b", "$0", "$1", "$2", "$pattern", "$absent", "$first", "$last"]), NAMES)
TICKS = st.one_of(
    st.integers(-3, 3),
    st.sampled_from([1000, 1500, -250_000, 5_000_000, 90_000_000, 3_600_000_000, 129_600_000_000, 2**63 * 1000]),
    st.integers(),
)
COUNTS = st.integers(-1, 12)
ENDPOINTS = st.builds(Endpoint, PARTS, st.sampled_from(Edge), st.sampled_from(MEASURED))
DIFFERENCES = st.builds(Difference, ENDPOINTS, ENDPOINTS, st.none() | TICKS, st.none() | TICKS)


def nested(
    leaves: st.SearchStrategy[T], larger: Callable[[st.SearchStrategy[T]], st.SearchStrategy[T]], depth: int = 2
) -> st.SearchStrategy[T]:
    """Nodes of at most `depth` levels above a leaf."""
    return leaves if depth == 0 else st.one_of(leaves, larger(nested(leaves, larger, depth - 1)))


def named(values: st.SearchStrategy[Expr]) -> st.SearchStrategy[Mapping[str, Expr]]:
    return st.dictionaries(NAMES, values, max_size=2)


def _some(values: st.SearchStrategy[Expr], most: int = 2) -> st.SearchStrategy[tuple[Expr, ...]]:
    return st.lists(values, max_size=most).map(tuple)


_MOMENTS = ENDPOINTS.map(Moment)
_OPERATORS = st.sampled_from(["+", "-", "*", "/", "//", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "in"])


def _larger(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.builds(Call, _OPERATORS, st.tuples(inner, inner)),
        st.builds(Call, st.sampled_from(["not", "neg"]), st.tuples(inner)),
        st.builds(Call, st.one_of(st.sampled_from(function_names()), NAMES), _some(inner, 3)),
        st.builds(Aggregate, st.one_of(st.sampled_from(["sum", "count", "list"]), NAMES), st.none() | inner),
        st.builds(Lookup, NAMES, _some(inner), st.none() | NAMES),
    )


_LEAVES: st.SearchStrategy[Expr] = st.one_of(
    st.builds(Literal, VALUES),
    st.builds(Literal, TICKS),
    st.builds(Field, PARTS, NAMES),
    _MOMENTS,
    st.builds(Call, st.sampled_from(["-", "<"]), st.tuples(_MOMENTS, _MOMENTS)),
    st.builds(Variable, PARTS),
    st.builds(IsBound, PARTS),
)
EXPRESSIONS: st.SearchStrategy[Expr] = nested(_LEAVES, _larger)
CONDITIONS = st.none() | EXPRESSIONS


def _windows(first: str, last: str) -> st.SearchStrategy[Relation]:
    return st.builds(lambda longest, axis: (length(first, last, longest, axis),), TICKS, st.sampled_from(MEASURED))


_INTERVALS = st.builds(
    lambda name, left, right: INTERVALS[name](left, right), st.sampled_from(sorted(INTERVALS)), PARTS, PARTS
)
_CHAINED = st.builds(
    lambda name, count: tuple(
        difference for index in range(count) for difference in INTERVALS[name](f"${index}", f"${index + 1}")
    ),
    st.sampled_from(sorted(INTERVALS)),
    st.integers(1, 2),
)
_BLOCKS: st.SearchStrategy[Relation] = st.one_of(
    DIFFERENCES.map(lambda difference: (difference,)),
    _INTERVALS,
    _CHAINED,
    _windows("$first", "$last"),
    _windows("$pattern", "$pattern"),
    st.builds(lambda longest, order: within(2, longest, in_order=order), TICKS, st.booleans()),
    st.builds(lambda longest, order: within(3, longest, in_order=order), TICKS, st.booleans()),
    st.builds(lambda left, right: between("$absent", left, right), PARTS, PARTS),
    st.just(inside("$absent", "$pattern")),
)
RELATIONS: st.SearchStrategy[Relation] = st.lists(_BLOCKS, max_size=3).map(lambda blocks: sum(blocks, ()))
EQUALITIES: st.SearchStrategy[Equalities] = st.lists(st.tuples(EXPRESSIONS, EXPRESSIONS), max_size=2).map(tuple)
POLICIES = st.builds(Policy, st.sampled_from(Choice), _some(EXPRESSIONS), _some(EXPRESSIONS))


@st.composite
def _atoms(draw: st.DrawFn) -> Atom:
    name = draw(NAMES)
    types = draw(st.one_of(st.just(frozenset({name})), st.frozensets(NAMES, max_size=2)))
    own = st.builds(Field, st.just(name), NAMES)
    where = draw(st.one_of(CONDITIONS, st.builds(Call, _OPERATORS, st.tuples(own, EXPRESSIONS))))
    return Atom(name, types, where)


ATOMS = _atoms()
_INSTANTS = st.builds(
    Instant, NAMES, st.one_of(EXPRESSIONS, st.builds(Call, st.just("every"), _some(st.builds(Literal, TICKS))))
)
_STEPS = st.builds(Step, ATOMS, named(EXPRESSIONS), st.none() | ATOMS, st.lists(NAMES, max_size=2).map(tuple))
_CHAINS = st.builds(
    Chain,
    st.dictionaries(NAMES, _STEPS, max_size=2),
    NAMES,
    named(EXPRESSIONS),
    RELATIONS,
    st.booleans(),
    st.none() | st.lists(NAMES, max_size=2).map(tuple),
)


def _composed(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    some = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Join, some, RELATIONS, EQUALITIES, CONDITIONS, POLICIES, CONDITIONS),
        st.builds(Join, some, RELATIONS),
        st.builds(Select, inner, POLICIES),
        st.builds(Collect, NAMES, inner, inner, RELATIONS, EQUALITIES, CONDITIONS, named(EXPRESSIONS)),
        st.builds(Either, some),
        st.builds(Restrict, inner, RELATIONS, CONDITIONS),
        st.builds(Unless, inner, inner, RELATIONS, EQUALITIES, CONDITIONS),
        _repeats(inner),
        st.builds(Distinct, inner, st.none() | _some(EXPRESSIONS)),
        st.builds(Suppress, inner, TICKS, _some(EXPRESSIONS)),
    )


def _repeats(inner: st.SearchStrategy[Pattern]) -> st.SearchStrategy[Pattern]:
    return st.builds(
        Repeat,
        NAMES,
        inner,
        COUNTS,
        st.none() | COUNTS,
        RELATIONS,
        CONDITIONS,
        RELATIONS,
        st.sampled_from(Choice),
        _some(EXPRESSIONS),
        named(EXPRESSIONS),
    )


PATTERNS: st.SearchStrategy[Pattern] = nested(st.one_of(ATOMS, _INSTANTS, _CHAINS), _composed)


def _formulas(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    pairs = [st.builds(kind, inner, inner) for kind in (And, Or, Implies, Until)]
    bounded = [st.builds(kind, inner, st.none() | COUNTS) for kind in (Globally, Eventually)]
    quantified = [st.builds(kind, NAMES, EXPRESSIONS, inner) for kind in (ForAll, Exists)]
    return st.one_of(st.builds(Not, inner), st.builds(Next, inner), *pairs, *bounded, *quantified)


FORMULAS: st.SearchStrategy[Formula] = nested(st.builds(Holds, EXPRESSIONS), _formulas)


def _pipes(inner: st.SearchStrategy[Pipe]) -> st.SearchStrategy[Pipe]:
    inputs = st.lists(inner, max_size=3).map(tuple)
    return st.one_of(
        st.builds(Source, inputs, NAMES),
        st.builds(Detect, inputs, NAMES),
        st.builds(Map, inputs, EXPRESSIONS),
        st.builds(Fold, inputs, EXPRESSIONS, EXPRESSIONS, CONDITIONS),
        st.builds(Resample, inputs, COUNTS, COUNTS, st.none() | COUNTS, COUNTS),
        st.builds(Gate, inputs),
        st.builds(Window, inputs, inner, st.none() | COUNTS, st.none() | TICKS),
        st.builds(Slice, inputs, inner, EXPRESSIONS, st.sampled_from(["map", "set"]) | NAMES),
        st.builds(Verdict, inputs, FORMULAS, st.booleans()),
    )


_SOURCES: st.SearchStrategy[Pipe] = st.one_of(
    st.builds(Source, st.just(()), st.sampled_from(["A", "*", ""])), st.builds(Gate)
)
PIPES: st.SearchStrategy[Pipe] = nested(_SOURCES, _pipes)

_HULL = st.sampled_from([Moment(start("$pattern")), Moment(end("$pattern"))])
_EVENT_FIELDS = st.builds(Field, st.just("$event"), NAMES)
RULES = st.builds(
    Rule,
    NAMES,
    PATTERNS,
    NAMES,
    _HULL | EXPRESSIONS,
    _HULL | EXPRESSIONS,
    named(EXPRESSIONS),
    _some(_EVENT_FIELDS | EXPRESSIONS),
)
_ARRIVALS = st.builds(Arrival, COUNTS, TICKS, st.booleans())
STREAMS = st.builds(
    Stream, NAMES, st.none() | _ARRIVALS, TICKS, st.lists(NAMES, max_size=2).map(tuple), st.none() | COUNTS
)
_ROWS = st.lists(VALUES, max_size=3).map(tuple)
TABLES = st.builds(Table, st.lists(NAMES, max_size=2).map(tuple), st.lists(_ROWS, max_size=2).map(tuple), COUNTS)
PROGRAMS = st.builds(
    Program,
    st.lists(RULES, max_size=2).map(tuple),
    st.lists(STREAMS, max_size=2).map(tuple),
    st.dictionaries(NAMES, PIPES, max_size=2),
    st.dictionaries(NAMES, TABLES, max_size=2),
    st.just(1) | TICKS,
)
