"""An expression over columns has in every row the value that the definition gives it there."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Lookup, Moment
from cepheid.algebra.instances import of_event
from cepheid.algebra.programs import Table
from cepheid.algebra.relations import end
from cepheid.engine.kernels.columns.arrow_columns import column_from_arrow, type_codes
from cepheid.engine.kernels.columns.column_evaluation import Frame, column_for, where_true
from cepheid.engine.kernels.columns.columns import Column, Kind, as_objects, column_of, values_of
from cepheid.engine.kernels.columns.words import Words
from cepheid.events import Event, Value, point, values

INTEGERS = st.sampled_from([0, 1, -1, 3, 2**53 + 1, 2**62, 2**63 - 1, -(2**63)])
FLOATS = st.sampled_from([0.0, -0.0, 1.5, -2.0, 2.0**53, 1e308, float("inf"), float("-inf"), float("nan")])
TEXTS = st.sampled_from(["", "a", "b", "1"])
BOOLEANS = st.booleans()
MIXED: st.SearchStrategy[Value] = st.one_of(st.none(), INTEGERS, FLOATS, TEXTS, BOOLEANS, st.just((1, None)))
KINDS: list[st.SearchStrategy[Value]] = [
    INTEGERS,
    FLOATS,
    TEXTS,
    BOOLEANS,
    st.one_of(st.none(), INTEGERS),
    st.one_of(st.none(), FLOATS),
    st.one_of(st.none(), BOOLEANS),
    MIXED,
    st.none(),
]
BINARY = ["+", "-", "*", "/", "//", "%", "==", "!=", "<", "<=", ">", ">=", "and", "or", "min", "coalesce"]
UNARY = ["neg", "not", "abs", "is_null", "string"]
TABLE = Table(("key", "value"), ((1, "one"), ("a", 2)), 1)
PAIRS = Table(
    ("left", "right", "value"),
    ((1, "a", 5), (1.0, "a", 6), ("a", 1, None), (3, 3, "three"), (True, "b", 7), (None, "a", 8), (-1, 2**62, 9.5)),
    2,
)
TABLES = {"table": TABLE, "pairs": PAIRS, "empty": Table(("key",), (), 1)}


def expressions() -> st.SearchStrategy[Expr]:
    leaves: st.SearchStrategy[Expr] = st.one_of(
        st.sampled_from([Field("e", "x"), Field("e", "y"), Field("e", "none"), Field("other", "x")]),
        MIXED.map(Literal),
        st.just(Moment(end("e"))),
        st.sampled_from([IsBound("e"), IsBound("other")]),
    )
    return st.recursive(
        leaves,
        lambda below: st.one_of(
            st.builds(lambda name, left, right: Call(name, (left, right)), st.sampled_from(BINARY), below, below),
            st.builds(lambda name, one: Call(name, (one,)), st.sampled_from(UNARY), below),
            st.builds(lambda key: Lookup("table", (key,), "value"), below),
            st.builds(lambda key, name: Lookup(name, (key,), None), below, st.sampled_from(["table", "empty"])),
            st.builds(lambda a, b, name: Lookup("pairs", (a, b), name), below, below, st.sampled_from([None, "value"])),
        ),
        max_leaves=4,
    )


@st.composite
def rows(draw: st.DrawFn) -> list[Event]:
    count = draw(st.integers(0, 5))
    kinds = {name: draw(st.sampled_from(KINDS)) for name in ("x", "y")}
    return [point("E", time, time, {name: draw(kind) for name, kind in kinds.items()}) for time in range(count)]


def frame_of(some: list[Event], words: Words) -> Frame:
    def read(part: str, name: str) -> Column | None:
        return column_of([row.fields.get(name) for row in some], words) if part == "e" else None

    times = Column(Kind.INT, np.array([row.end for row in some], np.int64))
    return Frame(len(some), words, read, lambda _: times, frozenset({"e"}), TABLES)


def defined(expression: Expr, some: list[Event]) -> list[Value]:
    return [evaluate(expression, Scope({"e": of_event(row, 0)}, tables=TABLES)) for row in some]


def same(left: Value, right: Value) -> bool:
    return type(left) is type(right) and repr(left) == repr(right)


@given(expressions(), rows())
def test_every_row_has_its_value(expression: Expr, some: list[Event]) -> None:
    words = Words()
    found = values_of(column_for(expression, frame_of(some, words)), words)
    expected = defined(expression, some)
    assert all(same(one, other) for one, other in zip(found, expected, strict=True)), (found, expected)


@given(expressions(), rows())
def test_a_condition_holds_where_it_is_true(condition: Expr, some: list[Event]) -> None:
    held = where_true(condition, frame_of(some, Words()))
    assert held is not None
    assert held.tolist() == [value is True for value in defined(condition, some)]


@pytest.mark.parametrize(
    "array",
    [
        pa.array([1, None, 3], pa.int32()),
        pa.array([0.5, None, float("nan")]),
        pa.array(["a", None, "b"]),
        pa.array(["a", None, "b"]).dictionary_encode(),
        pa.array([True, None, False]),
        pa.array([2**63, 1], pa.uint64()),
        pa.array([[1, 2], None]),
        pa.nulls(2),
        pa.chunked_array([[1], [2, None]]),
    ],
    ids=str,
)
def test_an_arrow_array_keeps_its_values(array: pa.Array) -> None:
    words = Words()
    found = values_of(column_from_arrow(array, words), words)
    expected = [
        None if value == 2**63 else tuple(value) if isinstance(value, list) else value for value in array.to_pylist()
    ]
    assert [values.key_of(one) for one in found] == [values.key_of(one) for one in expected]


def test_types_have_codes_and_no_type_has_one_too() -> None:
    codes, names = type_codes(pa.array(["b", None, "a", "b"]))
    assert [names[code] for code in codes.tolist()] == ["b", None, "a", "b"]


def test_nulls_of_texts_need_no_words() -> None:
    column = Column(Kind.TEXT, np.zeros(2, np.int64), np.zeros(2, np.bool_))
    assert as_objects(column, Words()).data.tolist() == [None, None]
