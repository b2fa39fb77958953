"""Any value at all: what the properties of this room range over."""

from hypothesis import strategies as st

from cepheid.events import GREATEST_INTEGER, LEAST_INTEGER, Value

INTEGERS = st.one_of(
    st.integers(-3, 3),
    st.integers(LEAST_INTEGER, GREATEST_INTEGER),
    st.sampled_from([LEAST_INTEGER, GREATEST_INTEGER, 2**53, 2**53 + 1]),
)
FLOATS = st.one_of(st.floats(), st.integers(-3, 3).map(float), st.just(float(2**53)))
NUMBERS = st.one_of(INTEGERS, FLOATS)
STRINGS = st.one_of(st.text(max_size=3), st.sampled_from(["", "1", "-2.5", "true", "nan", "inf", "9" * 30]))
SCALARS: st.SearchStrategy[Value] = st.one_of(st.none(), st.booleans(), NUMBERS, STRINGS)


def _nested(parts: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    tuples: st.SearchStrategy[Value] = st.lists(parts, max_size=3).map(tuple)
    records: st.SearchStrategy[Value] = st.dictionaries(st.sampled_from("xyz"), parts, max_size=2)
    return st.one_of(tuples, records)


VALUES: st.SearchStrategy[Value] = st.recursive(SCALARS, _nested, max_leaves=4)
KNOWN: st.SearchStrategy[Value] = st.one_of(st.booleans(), NUMBERS, STRINGS)
