"""Random terms of the detection algebra."""

from hypothesis import strategies as st

from tests.oracles.algebra_terms import (
    Conjunction,
    Disjunction,
    Negation,
    Primitive,
    Sequence,
    Term,
    Within,
)
from tests.properties.traces import TYPES

PRIMITIVES: st.SearchStrategy[Term] = st.sampled_from(TYPES).map(Primitive)
LENGTHS = st.integers(0, 4)


def _larger(terms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    kinds: list[st.SearchStrategy[Term]] = [
        st.builds(kind, terms, terms) for kind in (Disjunction, Conjunction, Negation, Sequence, Sequence)
    ]
    return st.one_of(*kinds, st.builds(Within, terms, LENGTHS))


TERMS: st.SearchStrategy[Term] = st.recursive(PRIMITIVES, _larger, max_leaves=4)
SMALL_TERMS: st.SearchStrategy[Term] = st.one_of(PRIMITIVES, _larger(PRIMITIVES))
