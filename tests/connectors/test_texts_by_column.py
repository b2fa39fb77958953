"""Comma-separated values and JSON lines say the same by column as by row, in all that is told of them."""

import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.connectors import (
    AnyChunk,
    Chunk,
    ColumnChunk,
    Reading,
    csv_blocks,
    csv_forms,
    csv_input,
    csv_rows,
    json_cells,
    json_lines,
    rows_of_chunk,
)
from cepheid.connectors.byte_streams import ByteStream
from cepheid.connectors.csv_input import csv_chunks
from cepheid.connectors.json_cells import column_of_json
from cepheid.connectors.json_lines import json_chunks
from cepheid.connectors.records import FormSeen
from cepheid.diagnostics import CepheidError
from cepheid.events import Rounding
from tests.connectors.texts import ODD_CELLS, InPortions, csv_text, events_told, json_text, some_reading

SEEDS = st.integers(0, 2**32)
MUCH = 1 << 40
SMALL = (
    (csv_input, "MOST_ROWS", 20),
    (csv_rows, "MOST_ROWS", 20),
    (csv_forms, "_SAMPLE", 4),
    (csv_forms, "_FEW", 1),
    (csv_forms, "WINDOW", 64),
    (csv_blocks, "WINDOW", 64),
    (json_cells, "_SAMPLE", 4),
    (json_cells, "_MANY", 1),
)
"""So that a short file has what only long ones have: pieces, and columns that look different in their first rows."""
Text = Callable[[Random], bytes]
Read = Callable[[ByteStream, str, Reading, FormSeen, int], Iterator[AnyChunk]]
READERS: dict[Text, Read] = {csv_text: csv_chunks, json_text: json_chunks}


def told(stream: ByteStream, read: Read, reading: Reading, least: int = 0) -> tuple[str, list[AnyChunk]]:
    """All that is told of a text, with the type of every value; blocks of `least` bytes are read by column."""
    form = FormSeen(reading.unit)
    with pytest.MonkeyPatch.context() as patch:
        for module in (csv_input, json_lines):
            patch.setattr(module, "LEAST", least)
        for module, name, value in SMALL:
            patch.setattr(module, name, value)
        try:
            chunks = list(read(stream, "text", reading, form, 3))
        except CepheidError as error:
            return str(error), []
    said = [(events_told(chunk, reading), [reject.to_dict() for reject in chunk.rejects]) for chunk in chunks]
    return "\n".join(map(repr, (*said, form.form, reading.rounding))), chunks


@pytest.mark.parametrize("text", READERS)
@given(SEEDS)
def test_columns_of_text_say_what_their_rows_say(text: Text, seed: int) -> None:
    random = Random(seed)
    data, size = text(random), random.choice((50, 300, 5000))
    reading = some_reading(random)
    by_column, chunks = told(InPortions(data, size), READERS[text], replace(reading, rounding=Rounding()))
    assert by_column == told(InPortions(data, size), READERS[text], replace(reading, rounding=Rounding()), MUCH)[0]
    for chunk in chunks:
        if isinstance(chunk, ColumnChunk):
            rows = chunk.as_rows()
            assert events_told(chunk, reading) == events_told(rows, reading)
            assert [one.to_dict() for one in chunk.rejects] == [one.to_dict() for one in rows.rejects]


FIRST_CELLS = {
    "whole": ["1", "-20", "300", ""],
    "numbers": ["1.5", "2", "-0.25", ""],
    "words": ["ann", "bob", "ann", ""],
    "truths": ["true", "false", "TRUE", ""],
    "nothing": ["", "", "", ""],
}
CELLS = st.one_of(
    st.text("+-0123456789.eExX_nNaAiIfFtTrRuUlLsSyY' \t", max_size=6),
    st.sampled_from(ODD_CELLS),
    st.integers(-(2**65), 2**65).map(str),
    st.floats().map(repr),
)


@given(
    st.sampled_from(sorted(FIRST_CELLS)),
    st.lists(CELLS, min_size=1, max_size=6),
    st.sampled_from(",;\t|"),
    st.sampled_from(["", "type", "all"]),
    st.booleans(),
)
def test_a_cell_says_the_same_in_a_column_of_numbers(
    kind: str, cells: list[str], separator: str, quoted: str, apart: bool
) -> None:
    """Whatever comes after a block in which a column was one of numbers, or of something else."""
    fit = [cell for cell in cells if not set(cell) & set(f'{separator}"\r\n\0') or quoted == "all"]
    rows = [["A", str(number), cell] for number, cell in enumerate((*FIRST_CELLS[kind], *fit))]
    shown = [[_shown(cell, quoted == "all" or (quoted and not at)) for at, cell in enumerate(row)] for row in rows]
    lines = [separator.join(("type", "time", "f0")), *(separator.join(row) for row in shown), ""]
    head = "\n".join(lines[: 1 + len(FIRST_CELLS[kind])]) + "\n" if apart else ""
    data = "\n".join(lines).encode("utf-8", "surrogatepass")
    by_column, by_row = (
        told(InPortions(data, len(head.encode()) or len(data)), csv_chunks, Reading(), least) for least in (0, MUCH)
    )
    assert by_column[0] == by_row[0]


def _shown(cell: str, in_quotes: object) -> str:
    return f'"{cell}"' if in_quotes else cell


GOOD = 9 * ["A,2024-05-17T08:30:01Z,1.5"]


@pytest.mark.parametrize("rows", [["A,1,x", "B,2.5,y"], ["A,2024-05-17T08:30:00Z,1", "B,,2", "C,soon,1", "A,5", *GOOD]])
def test_good_rows_are_columns_beside_bad_ones(rows: list[str]) -> None:
    chunks = told(io.BytesIO("\n".join(("type,time,f0", *rows)).encode()), csv_chunks, Reading())[1]
    assert {type(chunk) for chunk in chunks} == {ColumnChunk}


def test_numbers_with_all_their_digits_are_columns() -> None:
    rows = ("type,time,f0", "A,1,0.16650676727294922", "A,2,-1.6650676727294922e-07", "A,3,0.5")
    chunks = told(io.BytesIO("\n".join(rows).encode()), csv_chunks, Reading())[1]
    assert {type(chunk) for chunk in chunks} == {ColumnChunk}
    assert [event.fields["f0"] for chunk in chunks for event in rows_of_chunk(chunk).events] == [
        0.16650676727294922,
        -1.6650676727294922e-07,
        0.5,
    ]


@pytest.mark.parametrize("row", ['A,1,"a\nb"', 'A,1,"a""b"', "", 'A,1,a"b', "A,1,\ufffd", "A,1,\0", "A,1e3,x"])
def test_what_columns_cannot_say_is_read_by_row(row: str) -> None:
    chunks = told(io.BytesIO(f"type,time,f0\nB,0,x\n{row}\nB,2,y\n".encode()), csv_chunks, Reading())[1]
    assert {type(chunk) for chunk in chunks} == {Chunk}


GOOD_LINE = '{"type": "A", "time": 1, "f0": "x"}'
BAD_LINES = ["{", "[]", "{}", GOOD_LINE[1:], GOOD_LINE.replace("1", '"soon"'), GOOD_LINE.replace('"A"', "null")]


def among_good_lines(line: str) -> io.BytesIO:
    return io.BytesIO(f"{GOOD_LINE}\n{GOOD_LINE}\n{line}\n{GOOD_LINE}\n".encode())


@pytest.mark.parametrize("line", BAD_LINES)
def test_good_lines_are_columns_beside_bad_ones(line: str) -> None:
    chunks = told(among_good_lines(line), json_chunks, Reading())[1]
    assert {type(chunk) for chunk in chunks} == {ColumnChunk}


ODD_LINES = [f" {GOOD_LINE}", "", *(GOOD_LINE.replace('"x"', odd) for odd in ("[]", '"\\n"', "NaN"))]


@pytest.mark.parametrize("line", ODD_LINES)
def test_lines_that_columns_cannot_say_are_read_one_by_one(line: str) -> None:
    chunks = told(among_good_lines(line), json_chunks, Reading())[1]
    assert {type(chunk) for chunk in chunks} == {Chunk}


@pytest.mark.parametrize(("odd", "value"), [("1", 1), ("-0.5", -0.5), ("1e3", 1000.0), ("true", True), ("null", None)])
def test_a_value_of_another_kind_stays_in_its_column(odd: str, value: object) -> None:
    chunks = told(among_good_lines(GOOD_LINE.replace('"x"', odd)), json_chunks, Reading())[1]
    assert {type(chunk) for chunk in chunks} == {ColumnChunk}
    events = [event for chunk in chunks for event in rows_of_chunk(chunk).events]
    assert [(type(event.fields["f0"]), event.fields["f0"]) for event in events] == [
        (type(one), one) for one in ("x", "x", value, "x")
    ]


@pytest.mark.parametrize(
    "numbers", [["1", "-20", "0"], ["0.5", "-1.25", "10.0"], ["0.5", "2.5e-07", "-1e10"], ["1", "1.5"]]
)
def test_numbers_are_whole_or_broken_as_they_are_written(numbers: list[str]) -> None:
    lines = "\n".join(GOOD_LINE.replace('"x"', number) for number in numbers)
    chunks = told(io.BytesIO(lines.encode()), json_chunks, Reading())[1]
    assert {type(chunk) for chunk in chunks} == {ColumnChunk}
    values = [event.fields["f0"] for chunk in chunks for event in rows_of_chunk(chunk).events]
    assert [(type(one), one) for one in values] == [(type(one), one) for one in map(json.loads, numbers)]


@pytest.mark.parametrize("number", ["01", "-", "1.", ".5", "--1", "1-", "1.2.3", "-01.5", "1e", "+1", "00.5"])
def test_what_is_no_number_in_json_is_none_in_columns(number: str) -> None:
    column, doubtful = column_of_json(pa.array(["1.5", number, "2.5"]), mixed=False)
    assert doubtful.tolist() == [False, True, False]
    assert column[1] is None or column[1].as_py() is None


@pytest.mark.parametrize("mark", ["", '"'])
@pytest.mark.parametrize("row", [1, 500, 999])
@pytest.mark.parametrize(
    "cells", ["B,1 , 2", "B,0x1F,3", "B,5,+5", "B,6,007", "B,7,1_000", "B,8,inf", "B,9,9e99", "B,4"]
)
def test_a_row_that_arrow_reads_in_its_own_way_is_read_as_ever(cells: str, row: int, mark: str) -> None:
    rows = [f"{mark}A{mark},{number},{number % 7}.5" for number in range(1000)]
    rows[row] = cells.replace("B", f"{mark}B{mark}")
    data = "\n".join(("type,time,f0", *rows)).encode()
    for size in (len(data), 4000):
        by_column, by_row = (told(InPortions(data, size), csv_chunks, Reading(), least)[0] for least in (0, MUCH))
        assert by_column == by_row


NUMBERS = [f"A,{number},{number}" for number in range(9)]
FRACTIONS = [f"A,{number},{number}.5" for number in range(9)]
QUOTED = [f'"A",{number},{number}' for number in range(9)]


@pytest.mark.parametrize(
    "blocks",
    [
        [[*NUMBERS, "A,9,007"], NUMBERS],
        [[*NUMBERS, "A,9,-01"], NUMBERS],
        [[*NUMBERS, 'A,9,x"y'], NUMBERS],
        [FRACTIONS, [*FRACTIONS, "A,1,12345678901234567890"]],
        [FRACTIONS, [*FRACTIONS, "A,1,-98765432109876543210", "A,1,1e300"]],
        [NUMBERS, [*NUMBERS, "", "B,2", "C,3,4"]],
        [QUOTED, [*QUOTED, '"B","', '3",4', *QUOTED]],
        [QUOTED, [*QUOTED, '"B,3,4', *QUOTED]],
        [QUOTED, ['"A, B",1,2', *QUOTED, "C,3"]],
        [QUOTED, ['"A",1,2', 'A,2,"3"', *QUOTED, '"",3,4']],
        [NUMBERS, ['A,"1",2'], [*NUMBERS, 'A,"1"," 2"']],
    ],
)
@pytest.mark.parametrize("separator", [",", "\t", ";"])
def test_what_stands_far_down_is_noticed(blocks: list[list[str]], separator: str) -> None:
    parts = [["type,time,f0"], *blocks]
    data = ["\n".join((*part, "")).replace(",", separator).replace(" ", separator).encode() for part in parts]
    for some in (data, [b"".join(data)]):
        by_column, by_row = (told(Parts(some), csv_chunks, Reading(), least)[0] for least in (0, MUCH))
        assert by_column == by_row


class Parts:
    """A stream that hands out one part after the other."""

    def __init__(self, parts: list[bytes]) -> None:
        self._parts = iter(parts)

    def read(self, _: int, /) -> bytes:
        return next(self._parts, b"")


@pytest.mark.parametrize("quoted", [False, True])
def test_types_and_numbers_are_read_as_such(quoted: bool) -> None:
    kind = '"A"' if quoted else "A"
    text = "type,time,count,value,name\n" + "".join(f"{kind},{row},{row},{row}.5,ann\n" for row in range(3000))
    chunks = list(csv_chunks(InPortions(text.encode(), 1 << 15), "text", Reading(), FormSeen("s"), 0))
    words = pa.dictionary(pa.int32(), pa.string())
    assert len(chunks) > 2
    for chunk in chunks[:-1]:  # the last one is short
        assert isinstance(chunk, ColumnChunk)
        types = {name: column.type for name, column in chunk.events.fields.items()}
        assert types == {"count": pa.int64(), "value": pa.float64(), "name": words}
        assert (chunk.events.types.type, chunk.events.types.dictionary.to_pylist()) == (words, ["A"])


def test_pieces_of_many_short_lines_are_columns_too() -> None:
    text = "type,time\n" + "".join(f"A,{row % 10}\n" for row in range(150_000))
    chunks = list(csv_chunks(InPortions(text.encode(), 1 << 20), "text", Reading(), FormSeen("s"), 0))
    assert {type(chunk) for chunk in chunks} == {ColumnChunk}
    assert [len(chunk.events) for chunk in chunks] == [131_072, 18_928]
    events = [event for chunk in chunks if isinstance(chunk, ColumnChunk) for event in chunk.events.objects()]
    assert [event.id for event in events] == list(range(1, 150_001))
