"""Comma-separated values: cells become values by column, and a broken row is set aside with its line."""

import io

import pytest

from cepheid.connectors import Columns, Reading, csv_rows, rows_of_chunk, source_of
from cepheid.connectors.csv_columns import CellKind, kind_of_cells, values_of_cells
from cepheid.diagnostics import CepheidError
from tests.connectors.reading import read_text, reasons, told


def test_cells_have_the_kind_of_their_column() -> None:
    text = "type,time,count,price,note,open,code,none\nA,1,3,2,x,true,007,\nB,2.5,,0.5,7,FALSE,8,\n"
    events, rejects = read_text(text)
    assert told(events) == [
        (1, "A", 1_000_000, 1_000_000, _fields(3, 2.0, "x", True, "007")),
        (2, "B", 2_500_000, 2_500_000, _fields(None, 0.5, "7", False, "8")),
    ]
    assert rejects == []


def _fields(count: int | None, price: float, note: str, is_open: bool, code: str) -> dict[str, object]:
    return {"count": count, "price": price, "note": note, "open": is_open, "code": code, "none": None}


@pytest.mark.parametrize("separator", [";", "\t", "|"])
def test_other_separators_are_seen_in_the_first_line(separator: str) -> None:
    events, _ = read_text(f"type{separator}time\nA{separator}1\n")
    assert told(events) == [(1, "A", 1_000_000, 1_000_000, {})]


def test_a_cell_in_quotes_may_hold_anything_and_lines_are_counted() -> None:
    text = 'type,time,note\nA,1,"a, ""b""\nc"\n\nB,x,d\n'
    events, rejects = read_text(text)
    assert told(events) == [(1, "A", 1_000_000, 1_000_000, {"note": 'a, "b"\nc'})]
    assert reasons(rejects) == ["bad-time: `x` is not a time at `$.time` (stream:5)"]
    assert rejects[0].raw == {"type": "B", "time": "x", "note": "d"}


def test_a_broken_row_is_set_aside() -> None:
    text = b'type,time,note\nA,1\nB,2,"x"y\nC,3,x\nD,4,\xff\n,5,x\n'
    events, rejects = read_text(text)
    assert [(event.id, event.type) for event in events] == [(3, "C")]
    assert reasons(rejects) == [
        "bad-row: expected 3 cells, got 2 (stream:2)",
        "bad-row: something follows the closing quote of a cell (stream:3)",
        "bad-row: its bytes are not UTF-8 (stream:5)",
        "bad-event: expected a type, got `null` at `$.type` (stream:6)",
    ]


@pytest.fixture
def small_portions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "MOST_ROWS", 2)


def test_the_first_rows_decide_what_a_column_holds(small_portions: None) -> None:
    text = "type,time,count,open,note\nA,1,1,true,\nA,2,2,true,\nA,3,2.5,false,x\nA,4,x,true,7\nA,5,3,maybe,8\n"
    events, rejects = read_text(text)
    assert [(event.get("count"), event.get("note")) for event in events] == [(1, None), (2, None), (2.5, "x")]
    assert reasons(rejects) == [
        "bad-event: expected a `number`, got `x` at `$.count` (stream:5)",
        "bad-event: expected a `bool`, got `maybe` at `$.open` (stream:6)",
    ]


def test_ids_are_whole_numbers_or_text() -> None:
    reading = Reading(Columns(id="key"))
    numbers, _ = read_text("type,time,key\nA,1,7\nA,2,8\n", reading)
    texts, _ = read_text("type,time,key\nA,1,7.5\nA,2,8\n", reading)
    assert ([event.id for event in numbers], [event.id for event in texts]) == ([7, 8], ["7.5", "8"])


def test_a_missing_column_is_an_error_that_names_the_others() -> None:
    with pytest.raises(CepheidError) as raised:
        read_text("Type,ts\nA,1\n")
    assert str(raised.value) == (
        "error[missing-column]: no row has a column `type` (stream)\n"
        "  = note: there is `Type`, `ts`\n"
        '  = hint: say which column it is: `--type-column Type`, or in Python `type_column="Type"`'
    )
    with pytest.raises(CepheidError, match="`--order-by type`"):
        read_text("type,time\nA,1\n", Reading(Columns(order_by=("rank",))))


def test_no_rows_are_no_events() -> None:
    assert read_text("type,time\n") == ([], [])
    assert read_text("") == ([], [])


def test_rows_are_handed_out_as_soon_as_they_are_there() -> None:
    class Slow(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            return self.readline(size)

    chunks = source_of(Slow(b"type,time\nA,1\nB,2\n")).chunks()
    assert [[event.type for event in rows_of_chunk(chunk).events] for chunk in chunks] == [["A"], ["B"]]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["-3", "12"], CellKind.INT),
        (["1e3", "2"], CellKind.NUMBER),
        (["0", "0.5"], CellKind.NUMBER),
        (["-01"], CellKind.TEXT),
    ],
)
def test_the_kind_is_the_narrowest_that_holds_all(cells: list[str], kind: CellKind) -> None:
    assert kind_of_cells(cells) is kind
    assert values_of_cells(cells, kind, "x")[1] == {}
