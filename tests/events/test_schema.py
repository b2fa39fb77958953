"""A schema holds for events or says where it does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.diagnostics import CepheidError, DataPlace
from cepheid.events import (
    Attribute,
    Kind,
    Schema,
    StreamSchema,
    Value,
    infer_schema,
    infer_stream_schema,
    point,
)
from tests.events.value_strategies import VALUES

ROWS: st.SearchStrategy[list[dict[str, Value]]] = st.lists(
    st.dictionaries(st.sampled_from("xyz"), VALUES, max_size=3), min_size=1, max_size=5
)


@given(ROWS)
def test_the_samples_satisfy_the_schema_inferred_from_them(rows: list[dict[str, Value]]) -> None:
    schema = infer_schema(rows)
    for row in rows:
        schema.check(row)


@given(ROWS)
def test_each_type_has_its_own_schema(rows: list[dict[str, Value]]) -> None:
    events = [point("ab"[number % 2], number, number, row) for number, row in enumerate(rows)]
    found = infer_stream_schema(events)
    assert found.types == {
        name: infer_schema([event.fields for event in events if event.type == name])
        for name in {event.type for event in events}
    }
    for event in events:
        found.check(event)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2], "int"),
        ([1, 0.5], "float"),
        ([1, None], "int?"),
        ([True, False], "bool"),
        ([True, 1], "any"),
        (["x", None], "string?"),
        (["x", 1, 0.5], "any"),
        ([None], "any?"),
        ([(1, 2)], "any"),
    ],
)
def test_the_narrowest_kind_is_inferred(values: list[Value], expected: str) -> None:
    assert str(infer_schema([{"v": value} for value in values])) == f"v: {expected}"


def test_a_field_that_is_missing_somewhere_is_nullable() -> None:
    assert str(infer_schema([{"x": 1}, {"x": 2, "y": "a"}])) == "x: int, y: string?"


@pytest.mark.parametrize(
    ("kind", "accepted", "refused"),
    [
        (Kind.BOOL, [True], [1, "true", None]),
        (Kind.INT, [1], [True, 1.0, "1"]),
        (Kind.FLOAT, [1.0, 1], [True, "1.0"]),
        (Kind.STRING, ["x"], [1, ("x",)]),
        (Kind.TIME, [1], [1.5, "2024-05-17"]),
        (Kind.ANY, [1, "x", (1,), {"x": 1}], [None]),
    ],
)
def test_kinds_hold_what_they_say(kind: Kind, accepted: list[Value], refused: list[Value]) -> None:
    schema = Schema({"v": Attribute(kind)})
    for value in accepted:
        schema.check({"v": value, "other": object.__name__})
    for value in refused:
        with pytest.raises(CepheidError):
            schema.check({"v": value})


def test_a_mismatch_names_the_path_and_the_line() -> None:
    kinds = {"amount": Kind.INT, "user": Kind.STRING, "note": Kind.ANY}
    schema = Schema({name: Attribute(kind) for name, kind in kinds.items()})
    with pytest.raises(CepheidError) as raised:
        schema.check({"amount": "12", "user": {"name": "ann"}}, DataPlace("trades.jsonl", 7))
    assert str(raised.value) == (
        "error[wrong-kind]: expected `int`, got `str` at `$.amount` (trades.jsonl:7)\n"
        "  = hint: mend the data, or declare what it holds: `amount: any`\n\n"
        "error[wrong-kind]: expected `string`, got `record` at `$.user` (trades.jsonl:7)\n"
        "  = hint: mend the data, or declare what it holds: `user: any`\n\n"
        "error[wrong-kind]: expected `any`, got `null` at `$.note` (trades.jsonl:7)\n"
        "  = hint: declare that it may be null: `note: any?`"
    )


def test_a_path_goes_on_from_where_the_fields_stand() -> None:
    schema = Schema({"amount": Attribute(Kind.INT)})
    with pytest.raises(CepheidError, match=r"got `float` at `\$\.body\.amount`\n.*`amount: float`"):
        schema.check({"amount": 0.5}, DataPlace(path=("body",)))


def test_a_type_without_a_schema_goes_unchecked() -> None:
    stream = StreamSchema({"a": Schema({"v": Attribute(Kind.INT)})})
    stream.check(point("b", 1, 1, {"v": "x"}))
    with pytest.raises(CepheidError):
        stream.check(point("a", 1, 1, {"v": "x"}))
