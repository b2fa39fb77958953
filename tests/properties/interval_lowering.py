"""Operators on intervals as joins: each row of the table is a named relation of two intervals."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from hypothesis import strategies as st

from cepheid.algebra import intervals
from cepheid.algebra.patterns import Atom, Either, Join, Pattern, Restrict, Unless
from cepheid.algebra.relations import Relation, length
from cepheid.events import Event
from tests.oracles.interval_operators import OPERATORS, Interval, combine, limited, without_between
from tests.properties.traces import TYPES

RELATIONS: Mapping[str, Relation] = {
    "SEQ": intervals.then(),
    "AND": (),
    "PAR": intervals.par(),
    "EQUALS": intervals.equals(),
    "MEETS": intervals.meets(),
    "DURING": intervals.during(),
    "STARTS": intervals.starts(),
    "FINISHES": intervals.finishes(),
}


@dataclass(frozen=True)
class Type:
    """The events of one type."""

    name: str


@dataclass(frozen=True)
class Binary:
    """`left OPERATOR right`, or `left OR right`."""

    operator: str
    left: "IntervalTerm"
    right: "IntervalTerm"


@dataclass(frozen=True)
class Not:
    """`NOT(absent).[first, last]`."""

    absent: "IntervalTerm"
    first: Type
    last: Type


@dataclass(frozen=True)
class Limit:
    """`(term).longest`."""

    term: "IntervalTerm"
    longest: int


IntervalTerm: TypeAlias = Type | Binary | Not | Limit


def by_table(term: IntervalTerm, trace: list[Event]) -> list[Interval]:
    """Return the intervals of a term as the table of the operators gives them."""
    match term:
        case Type(name):
            return [(event.start, event.end) for event in trace if event.type == name]
        case Binary("OR", left, right):
            return by_table(left, trace) + by_table(right, trace)
        case Binary(operator, left, right):
            return combine(operator, by_table(left, trace), by_table(right, trace))
        case Not(absent, first, last):
            return without_between(by_table(absent, trace), by_table(first, trace), by_table(last, trace))
        case Limit(inner, longest):
            return limited(by_table(inner, trace), longest)


def by_nodes(term: IntervalTerm, numbers: Iterator[int] | None = None) -> Pattern:
    """Return the term as a pattern."""
    numbers = count() if numbers is None else numbers
    match term:
        case Type(name):
            return Atom(f"{name}{next(numbers)}", frozenset({name}))
        case Binary("OR", left, right):
            return Either((by_nodes(left, numbers), by_nodes(right, numbers)))
        case Binary(operator, left, right):
            return Join((by_nodes(left, numbers), by_nodes(right, numbers)), RELATIONS[operator])
        case Limit(inner, longest):
            return Restrict(by_nodes(inner, numbers), (length("$pattern", "$pattern", longest),))
        case Not(absent, first, last):
            return _without_between(by_nodes(absent, numbers), first, last, numbers)


def _without_between(absent: Pattern, first: Type, last: Type, numbers: Iterator[int]) -> Pattern:
    one = Atom(f"{first.name}{next(numbers)}", frozenset({first.name}))
    two = Atom(f"{last.name}{next(numbers)}", frozenset({last.name}))
    return Unless(Join((one, two), RELATIONS["SEQ"]), absent, intervals.between("$absent", one.name, two.name))


TYPE_TERMS = st.sampled_from(TYPES).map(Type)


def _larger(terms: st.SearchStrategy[IntervalTerm]) -> st.SearchStrategy[IntervalTerm]:
    return st.one_of(
        st.builds(Binary, st.sampled_from(["OR", *OPERATORS]), terms, terms),
        st.builds(Not, terms, TYPE_TERMS, TYPE_TERMS),
        st.builds(Limit, terms, st.integers(0, 4)),
    )


INTERVAL_TERMS: st.SearchStrategy[IntervalTerm] = st.recursive(TYPE_TERMS, _larger, max_leaves=4)
