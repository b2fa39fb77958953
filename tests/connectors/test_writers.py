"""Matches are written as JSON lines, as comma-separated values, as a table and as Parquet; rejects as JSON lines."""

import io
import json
from datetime import UTC, datetime
from pathlib import Path

import pyarrow.parquet as pq

from cepheid.algebra.matches import Match
from cepheid.connectors import (
    Calendar,
    CsvWriter,
    Form,
    JsonLinesWriter,
    ParquetWriter,
    Reject,
    RejectsWriter,
    Report,
    TableWriter,
    Writer,
    open_text,
    report,
    writers,
)
from cepheid.diagnostics import DataPlace, Diagnostic
from cepheid.events import MAX_TIME

MATCHES = [
    Match("Rise", 1_000_000, 2_500_000, {"delta": 2.5, "legs": (1, None)}, (1, 3), "abc", 3_000_000),
    Match("Rise", 2_000_000, 4_000_000, {"delta": float("nan"), "legs": None}, (2, 4), "def", MAX_TIME),
]


def reports(form: Form = "s") -> list[Report]:
    return [report(match, form) for match in MATCHES]


def written(writer: Writer, stream: io.StringIO) -> str:
    writer.write(reports())
    writer.close()
    return stream.getvalue()


def test_a_name_that_is_no_text_goes_into_every_file(tmp_path: Path) -> None:
    odd = Report("\ud800", 1, 2, 2, {"v": "\udfff"}, (1,), "i")
    with open_text(str(tmp_path / "a.jsonl")) as stream:
        JsonLinesWriter(stream).write([odd])
    written = json.loads((tmp_path / "a.jsonl").read_text())
    assert (written["match"], written["values"]) == ("\ud800", {"v": "\udfff"})
    writer = ParquetWriter(tmp_path / "a.parquet", "s", numbered=True)
    writer.write([odd])
    writer.close()
    [row] = pq.read_table(tmp_path / "a.parquet").to_pylist()
    assert (row["match"], json.loads(row["values"])) == ("\\ud800", {"v": "\udfff"})


def test_json_lines_have_times_as_they_came() -> None:
    stream = io.StringIO()
    assert written(JsonLinesWriter(stream), stream) == (
        '{"match": "Rise", "start": 1, "end": 2.5, "known": 3, "values": {"delta": 2.5, "legs": [1, null]}, '
        '"evidence": [1, 3], "id": "abc"}\n'
        '{"match": "Rise", "start": 2, "end": 4, "known": null, "values": {"delta": "NaN", "legs": null}, '
        '"evidence": [2, 4], "id": "def"}\n'
    )


def test_dates_are_written_as_text() -> None:
    stream = io.StringIO()
    JsonLinesWriter(stream).write(reports(Calendar.NAIVE)[:1])
    assert json.loads(stream.getvalue())["end"] == "1970-01-01T00:00:02.500000Z"


def test_comma_separated_values_have_a_column_for_each_value() -> None:
    stream = io.StringIO()
    assert written(CsvWriter(stream, ["delta", "legs", "id"]), stream) == (
        "match,start,end,known,delta,legs,values.id,evidence,id\n"
        'Rise,1,2.5,3,2.5,"[1, null]",,"[1, 3]",abc\n'
        'Rise,2,4,,nan,,,"[2, 4]",def\n'
    )


def test_a_table_has_aligned_columns() -> None:
    stream = io.StringIO()
    assert written(TableWriter(stream, ["delta", "legs"]), stream) == (
        "match  start  end  known  values                    evidence\n"
        "Rise   1      2.5  3      delta=2.5 legs=[1, null]  1 3\n"
        "Rise   2      4    -      delta=nan legs=None       2 4\n"
    )


def test_a_table_goes_on_after_its_first_rows() -> None:
    stream = io.StringIO()
    writer = TableWriter(stream)
    writer.write(reports() * writers._ROWS_THAT_DECIDE)
    assert len(stream.getvalue().splitlines()) == 1 + 2 * writers._ROWS_THAT_DECIDE
    writer.write(reports())
    writer.close()
    assert len(stream.getvalue().splitlines()) == 3 + 2 * writers._ROWS_THAT_DECIDE


def test_an_empty_table_is_nothing() -> None:
    stream = io.StringIO()
    TableWriter(stream).close()
    assert stream.getvalue() == ""


def test_parquet_has_numbers_or_timestamps(tmp_path: Path) -> None:
    for form, name in (("s", "numbers.parquet"), (Calendar.ISO, "dates.parquet")):
        writer = ParquetWriter(tmp_path / name, form, numbered=True)  # type: ignore[arg-type]  # one of each
        writer.write([report(match, form) for match in MATCHES])  # type: ignore[arg-type]
        writer.close()
    [first, second] = pq.read_table(tmp_path / "numbers.parquet").to_pylist()
    assert (first["end"], second["known"], first["evidence"]) == (2.5, None, [1, 3])
    assert json.loads(first["values"]) == {"delta": 2.5, "legs": [1, None]}
    [first, _] = pq.read_table(tmp_path / "dates.parquet").to_pylist()
    assert first["end"] == datetime(1970, 1, 1, 0, 0, 2, 500_000, tzinfo=UTC)


def test_a_reject_has_its_reason_its_place_and_what_stood_there() -> None:
    stream = io.StringIO()
    diagnostic = Diagnostic("bad-time", "`x` is not a time", place=DataPlace("a.jsonl", 3, ("time",)))
    RejectsWriter(stream).write([Reject(diagnostic, '{"time": "x"}')])
    assert json.loads(stream.getvalue()) == {
        "code": "bad-time",
        "reason": "`x` is not a time",
        "place": "a.jsonl:3",
        "path": "$.time",
        "raw": '{"time": "x"}',
    }
