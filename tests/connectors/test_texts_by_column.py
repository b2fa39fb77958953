"""Comma-separated values say the same whether they are read by column or by row, in everything that is told of them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cepheid.connectors import AnyChunk, Chunk, ColumnChunk, Reading, csv_input
from cepheid.connectors.csv_input import csv_chunks
from cepheid.connectors.records import FormSeen
from cepheid.diagnostics import CepheidError
from tests.connectors.texts import InPortions, csv_text, events_told, some_reading

SEEDS = st.integers(0, 2**32)
MUCH = 1 << 40


def told(data: bytes, random: Random, least: int) -> tuple[str, list[AnyChunk]]:
    """All that is told of a text, with the type of every value; blocks of `least` bytes are read by column."""
    reading, size = some_reading(random), random.choice((50, 300, 5000))
    form = FormSeen(reading.unit)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(csv_input, "LEAST", least)
        try:
            chunks = list(csv_chunks(InPortions(data, size), "text", reading, form, 3))
        except CepheidError as error:
            return str(error), []
    said = [(events_told(chunk), [reject.to_dict() for reject in chunk.rejects]) for chunk in chunks]
    return "\n".join(map(repr, (*said, form.form, reading.rounding))), chunks


@given(SEEDS)
def test_columns_of_text_say_what_their_rows_say(seed: int) -> None:
    data = csv_text(Random(seed))
    by_column, chunks = told(data, Random(seed), 0)
    assert by_column == told(data, Random(seed), MUCH)[0]
    for chunk in chunks:
        if isinstance(chunk, ColumnChunk):
            rows = chunk.as_rows()
            assert events_told(chunk) == events_told(rows)
            assert [one.to_dict() for one in chunk.rejects] == [one.to_dict() for one in rows.rejects]


GOOD = 9 * ["A,2024-05-17T08:30:01Z,1.5"]


@pytest.mark.parametrize("rows", [["A,1,x", "B,2.5,y"], ["A,2024-05-17T08:30:00Z,1", "B,,2", "C,soon,1", "A,5", *GOOD]])
def test_good_rows_are_columns_beside_bad_ones(rows: list[str]) -> None:
    chunks = told("\n".join(("type,time,f0", *rows)).encode(), Random(0), 0)[1]
    assert {type(chunk) for chunk in chunks} == {ColumnChunk}


@pytest.mark.parametrize("row", ['A,1,"a\nb"', 'A,1,"a""b"', "", 'A,1,a"b', "A,1,\ufffd", "A,1,\0", "A,1e3,x"])
def test_what_columns_cannot_say_is_read_by_row(row: str) -> None:
    chunks = told(f"type,time,f0\nB,0,x\n{row}\nB,2,y\n".encode(), Random(3), 0)[1]
    assert {type(chunk) for chunk in chunks} == {Chunk}


def test_pieces_of_many_short_lines_are_columns_too() -> None:
    text = "type,time\n" + "".join(f"A,{row % 10}\n" for row in range(120_000))
    chunks = list(csv_chunks(InPortions(text.encode(), 1 << 20), "text", Reading(), FormSeen("s"), 0))
    assert {type(chunk) for chunk in chunks} == {ColumnChunk}
    assert [len(chunk.events) for chunk in chunks] == [50_000, 50_000, 20_000]
    events = [event for chunk in chunks if isinstance(chunk, ColumnChunk) for event in chunk.events.objects()]
    assert [event.id for event in events] == list(range(1, 120_001))
