"""Files by their names, directories, and everything else events are read from; what cannot be read says why."""

import gzip
import io
from pathlib import Path

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

from cepheid.connectors import Reading, byte_streams, source_of
from cepheid.diagnostics import CepheidError
from cepheid.events import point
from tests.connectors.reading import as_arrow, as_json_lines, read, reasons, told

ROWS: list[dict[str, object]] = [{"type": "A", "time": 1, "user": "ann"}, {"type": "B", "time": 2, "user": "bob"}]
CSV = "type,time,user\nA,1,ann\nB,2,bob\n"
EVENTS = [(1, "A", 1_000_000, 1_000_000, {"user": "ann"}), (2, "B", 2_000_000, 2_000_000, {"user": "bob"})]


def write_all(directory: Path) -> list[Path]:
    """The same events as a file of every kind."""
    table = as_arrow(ROWS)
    (directory / "a.jsonl").write_bytes(as_json_lines(ROWS))
    (directory / "b.ndjson.gz").write_bytes(gzip.compress(as_json_lines(ROWS)))
    (directory / "c.csv").write_text(CSV)
    (directory / "d.tsv").write_text(CSV.replace(",", "\t"))
    pq.write_table(table, directory / "e.parquet")
    pyarrow.feather.write_feather(table, directory / "f.feather")
    with pa.ipc.new_stream(directory / "g.arrows", table.schema) as stream:
        stream.write_table(table)
    (directory / "h").write_bytes(as_json_lines(ROWS))
    return sorted(directory.iterdir())


@pytest.mark.parametrize("index", range(8))
def test_every_kind_of_file_is_read_and_can_be_read_again(tmp_path: Path, index: int) -> None:
    source = source_of(write_all(tmp_path)[index])
    assert told(read(source)[0]) == EVENTS
    assert read(source) == read(source)


def test_a_directory_is_all_its_known_files_by_name(tmp_path: Path) -> None:
    write_all(tmp_path)
    (tmp_path / "_SUCCESS").touch()
    (tmp_path / ".hidden.jsonl").write_text("?")
    (tmp_path / "notes.md").write_text("?")
    events, rejects = read(source_of(str(tmp_path)))
    assert [event.id for event in events] == list(range(1, 15))
    assert rejects == []


def test_a_row_is_called_by_its_own_file(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("type,time\nA,1\nB,x\n")
    (tmp_path / "b.jsonl").write_text('{"type": "C", "time": 3}\n{}\n')
    events, rejects = read(source_of(tmp_path))
    assert [(event.id, event.type) for event in events] == [(1, "A"), (3, "C")]
    assert reasons(rejects) == [
        f"bad-time: `x` is not a time at `$.time` ({tmp_path}/a.csv:3)",
        f"bad-event: there is no `type` ({tmp_path}/b.jsonl:2)",
    ]


def error_of(path: Path) -> str:
    with pytest.raises(CepheidError) as raised:
        read(source_of(path))
    return str(raised.value)


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    missing, empty, odd, broken = tmp_path / "no.csv", tmp_path / "empty", tmp_path / "a.txt", tmp_path / "b.parquet"
    empty.mkdir()
    odd.write_text("hello\n")
    broken.write_text("PAR1 but no more")
    assert error_of(missing) == f"error[unreadable-input]: `{missing}` cannot be read: there is no such file"
    assert error_of(empty) == (
        f"error[unreadable-input]: `{empty}` cannot be read: there are no events in this directory\n"
        "  = hint: give its files the ending `.jsonl`, `.csv`, `.parquet` or `.arrow`"
    )
    assert error_of(odd) == (
        f"error[unknown-format]: it is not clear what `{odd}` holds\n"
        "  = hint: give its name the ending `.jsonl`, `.csv`, `.parquet` or `.arrow`\n"
        "  = hint: say how its lines are read: `--pattern '%{TIMESTAMP_ISO8601:time} %{GREEDYDATA:line}'`"
    )
    assert error_of(broken).startswith(f"error[unreadable-input]: `{broken}` cannot be read: ")


@pytest.mark.parametrize("name", ["a.arrow", "a.jsonl.gz"])
def test_a_broken_file_is_an_error(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("nonsense")
    assert error_of(tmp_path / name).startswith(f"error[unreadable-input]: `{tmp_path / name}` cannot be read: ")


def test_a_line_without_end_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(byte_streams, "LONGEST_LINE", 1 << 20)
    with pytest.raises(CepheidError) as raised:
        read(source_of(io.BytesIO(b"{" + b" " * (3 << 20))))
    assert str(raised.value) == "error[unreadable-input]: a line is longer than 1 MiB (stream)"


def test_a_stream_says_what_it_is(tmp_path: Path) -> None:
    for path in write_all(tmp_path):
        if path.suffix in (".jsonl", ".csv", ".tsv", ".arrows"):
            assert told(read(source_of(io.BytesIO(path.read_bytes())))[0]) == EVENTS
    with pytest.raises(CepheidError) as raised:
        read(source_of(io.BytesIO((tmp_path / "e.parquet").read_bytes())))
    assert str(raised.value) == (
        "error[unreadable-input]: `stream` cannot be read: a Parquet or Arrow file cannot be read from its start\n"
        "  = hint: name the file: `--input FILE`"
    )


def test_objects_are_events_as_they_are_or_records() -> None:
    given = [point("A", 7, "x"), {"type": "B", "time": 1}, 3, {"type": "C", "time": 1, "value": object()}]
    source = source_of(given)
    events, rejects = read(source)
    assert told(events) == [("x", "A", 7, 7, {}), (2, "B", 1_000_000, 1_000_000, {})]
    assert reasons(rejects) == [
        "bad-event: expected an event or a mapping, got `int` at `$[2]`",
        "bad-event: a `object` is no value of an event at `$[3].value`",
    ]
    assert (source.identified, source.form) == (True, "us")


def test_records_stay_as_they_were_given() -> None:
    record = {"type": "A", "time": 1, "legs": [1, 2]}
    [event], _ = read(source_of([record]))
    assert record == {"type": "A", "time": 1, "legs": [1, 2]}
    assert event.get("legs") == (1, 2)


def test_live_objects_are_handed_out_one_by_one() -> None:
    rows = [{"type": "A", "time": time} for time in range(3)]
    assert [len(chunk.events) for chunk in source_of(iter(rows), Reading(), live=True).chunks()] == [1, 1, 1]


@pytest.mark.parametrize("events", [{"type": "A"}, b"x", 3, io.StringIO("{}")])
def test_what_is_no_source_of_events_is_refused(events: object) -> None:
    with pytest.raises(CepheidError) as raised:
        source_of(events)  # type: ignore[arg-type]  # any object may be tried
    assert str(raised.value) == (
        f"error[unreadable-input]: events cannot be read from `{type(events).__name__}`\n"
        '  = hint: give a path, a frame or a list such as `[{"type": "A", "time": 12}]`'
    )
