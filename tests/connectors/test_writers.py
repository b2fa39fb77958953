"""Matches are written as JSON lines, as comma-separated values, as a table and as Parquet; rejects as JSON lines."""

import io
import json
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.algebra.matches import Match
from cepheid.api.portions import Portion, Telling
from cepheid.connectors import (
    ArrowLayout,
    Calendar,
    ColumnFileWriter,
    CsvWriter,
    Form,
    JsonLinesWriter,
    Layout,
    ParquetLayout,
    Reject,
    RejectsWriter,
    TableWriter,
    Writer,
    column_files,
    open_text,
    reports,
    text_lines,
    writers,
)
from cepheid.diagnostics import DataPlace, Diagnostic
from cepheid.engine import Words, found_of_matches
from cepheid.events import MAX_TIME, Value
from tests.connectors import plain_writers

LAYOUTS: list[tuple[Layout, Callable[[Path], pa.Table]]] = [
    (ParquetLayout(), pq.read_table),
    (ArrowLayout(), lambda path: feather.read_table(path, memory_map=False)),
]
MATCHES = [
    Match("Rise", 1_000_000, 2_500_000, {"delta": 2.5, "legs": (1, None)}, (1, 3), "abc", 3_000_000),
    Match("Rise", 2_000_000, 4_000_000, {"delta": float("nan"), "legs": None}, (2, 4), "def", MAX_TIME),
]


def some(matches: Sequence[Match] = MATCHES, form: Form = "s") -> Portion:
    """Matches of a rule with values of every name that they have."""
    names = dict.fromkeys(name for match in matches for name in match.values)
    a = cepheid.event("A", name="a")
    rules = [cepheid.query(a, name=rule, values=dict.fromkeys(names, a.x)) for rule in {m.name: 0 for m in matches}]
    return Portion(list(matches), Telling(cepheid.compile(cepheid.program(*rules)).plan, form))


def written(writer: Writer, stream: io.StringIO) -> str:
    writer.write(some())
    writer.close()
    return stream.getvalue()


def in_file(layout: Layout, path: Path, *portions: Portion) -> None:
    writer = ColumnFileWriter(path, layout)
    for portion in portions:
        writer.write(portion)
    writer.close()


def test_a_name_that_is_no_text_goes_into_every_file(tmp_path: Path) -> None:
    match = Match("Odd", 1, 2, {"v": "\udfff", "\ud801": ("\ud802",)}, (1, "\ud803"), "i", 2)
    odd = some([match])
    with open_text(str(tmp_path / "a.jsonl")) as stream:
        JsonLinesWriter(stream).write(odd)
    written = json.loads((tmp_path / "a.jsonl").read_text())
    assert (written["values"], written["evidence"]) == ({"v": "\udfff", "\ud801": ["\ud802"]}, [1, "\ud803"])
    for layout, read in LAYOUTS:
        in_file(layout, tmp_path / "a.columns", odd)
        [row] = read(tmp_path / "a.columns").to_pylist()
        assert (row["v"], json.loads(row["\\ud801"]), row["evidence"]) == ("\\udfff", ["\ud802"], ["1", "\\ud803"])


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
    JsonLinesWriter(stream).write(some(MATCHES[:1], Calendar.NAIVE))
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
    writer.write(some(MATCHES * writers._ROWS_THAT_DECIDE))
    assert len(stream.getvalue().splitlines()) == 1 + 2 * writers._ROWS_THAT_DECIDE
    writer.write(some())
    writer.close()
    assert len(stream.getvalue().splitlines()) == 3 + 2 * writers._ROWS_THAT_DECIDE


def test_an_empty_table_is_nothing() -> None:
    stream = io.StringIO()
    TableWriter(stream).close()
    assert stream.getvalue() == ""


def test_files_of_columns_have_numbers_or_timestamps(tmp_path: Path) -> None:
    path = tmp_path / "a.columns"
    for layout, read in LAYOUTS:
        in_file(layout, path, some())
        [first, second] = read(path).to_pylist()
        assert (first["end"], second["known"], first["evidence"]) == (2.5, None, [1, 3])
        assert (first["delta"], json.loads(first["legs"]), second["legs"]) == (2.5, [1, None], None)
        in_file(layout, path, some(form=Calendar.ISO))
        assert read(path)["end"][0].as_py() == datetime(1970, 1, 1, 0, 0, 2, 500_000, tzinfo=UTC)


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**64), 2**64),
    st.floats(),
    st.text(max_size=3),
    st.sampled_from(["\x9b", "é"]),
)
VALUES = st.one_of(SCALARS, st.lists(SCALARS, max_size=2).map(tuple), st.dictionaries(st.text(max_size=2), SCALARS))
FORMS: st.SearchStrategy[Form] = st.sampled_from(["s", "ms", "us", "ns", *Calendar])


@st.composite
def found(draw: st.DrawFn) -> list[Match]:
    """Matches of two rules, whose values are of one kind or of any."""
    kinds = {name: draw(st.sampled_from([SCALARS, VALUES, st.integers(0, 9), st.floats(), st.text()])) for name in "xy"}
    ids = draw(st.sampled_from([st.integers(0, 99), st.one_of(st.integers(0, 9), st.text(max_size=2))]))
    matches = []
    for number in range(draw(st.integers(0, 8))):
        rule, start = (
            draw(st.sampled_from(["One", 'T"wo%s'])),
            draw(st.integers(0, 3)) * draw(st.sampled_from([1, 10**6])),
        )
        names = ["x", "id%s"] if rule == "One" else ["y", "x"]
        values = {name: draw(kinds.get(name, SCALARS)) for name in names}
        known = draw(st.sampled_from([start, None, MAX_TIME]))
        matches.append(
            Match(rule, start, start + 1, values, tuple(draw(st.lists(ids, max_size=3))), str(number), known)
        )
    return matches


@given(found(), FORMS, st.booleans(), st.sampled_from([1, 1, 100]))
def test_text_says_of_columns_what_it_says_of_matches(
    matches: list[Match], form: Form, in_columns: bool, few: int
) -> None:
    as_found = found_of_matches(matches, {"One": 0, 'T"wo%s': 1}, Words()) if in_columns else matches
    portion = replace(some([*matches], form), found=as_found)
    told, lines, rows = reports(matches, form), io.StringIO(), io.StringIO()
    fields = ["y", "id%s", "x", "none"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_lines, "FEW", few)  # more become lines at once
        JsonLinesWriter(lines).write(portion)
        CsvWriter(rows, fields).write(portion)
    assert lines.getvalue() == plain_writers.json_lines(told)
    assert rows.getvalue() == plain_writers.comma_separated(told, fields)


@given(found(), st.integers(0, 8))
def test_the_first_matches_are_the_first_of_all(matches: list[Match], count: int) -> None:
    whole = found_of_matches(matches, {"One": 0, 'T"wo%s': 1}, Words())
    assert [match.id for match in whole.slice(0, count).matches()] == [match.id for match in matches[:count]]
    assert [match.id for match in whole.slice(count, 9).matches()] == [match.id for match in matches[count:]]


def said(table: pa.Table) -> list[list[object]]:
    """What a table says, whatever the writing of numbers in its JSON."""
    return [[_said(value, field) for value in table[field.name].to_pylist()] for field in table.schema]


def _said(value: object, field: pa.Field) -> object:
    is_json = field.metadata is not None and b"content" in field.metadata and value is not None
    read = json.loads(str(value)) if is_json else value
    return repr(read) if isinstance(read, str | bool) else repr(float(read)) if isinstance(read, int | float) else read


@given(found(), st.lists(st.integers(0, 8), max_size=3).map(sorted), st.sampled_from(LAYOUTS))
def test_a_file_of_columns_is_as_if_all_types_had_been_known(
    matches: list[Match], cuts: list[int], how: tuple[Layout, Callable[[Path], pa.Table]]
) -> None:
    layout, read = how
    whole = some(matches or MATCHES)
    pieces = [matches[first:last] for first, last in pairwise([0, *cuts, len(matches)])]
    with TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(column_files, "ROW_GROUP", 2)
        in_file(layout, Path(folder) / "a", *(replace(whole, found=piece) for piece in pieces))
        table, expected = read(Path(folder) / "a"), replace(whole, found=matches).table()
        assert os.listdir(folder) == ["a"]
    assert table.schema.equals(expected.schema)
    assert said(table) == said(expected)


@pytest.mark.parametrize(
    ("values", "kind", "expected"),
    [
        ((None, 1, 2.5), pa.float64(), [None, 1.0, 2.5]),
        ((1, 2.5, "a"), pa.string(), ["1.0", "2.5", '"a"']),
        ((0.5, 2**60), pa.string(), ["0.5", str(2**60)]),
        ((2**60, 0.5), pa.string(), [str(2**60), "0.5"]),
        (("a", True), pa.string(), ['"a"', "true"]),
        ((None, None), pa.null(), [None, None]),
    ],
)
def test_what_was_written_becomes_wider(
    values: tuple[Value, ...],
    kind: pa.DataType,
    expected: list[object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(column_files, "ROW_GROUP", 1)
    portions = [some([Match("Seen", 0, 1, {"v": value}, (1,), "i")]) for value in values]
    for layout, read in LAYOUTS:
        in_file(layout, tmp_path / "a", *portions)
        column = read(tmp_path / "a")["v"]
        assert (column.type, column.to_pylist()) == (kind, expected)


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
