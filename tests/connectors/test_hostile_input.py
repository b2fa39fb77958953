"""Input that nobody expects: what is wrong in it is set aside or told, and all the rest is read."""

import io
import json
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import cepheid
from cepheid import api
from cepheid.api import finite
from cepheid.connectors import Calendar, Columns, Reading, rows_of_file, source_of
from cepheid.diagnostics import CepheidError
from cepheid.events import point
from tests.connectors.reading import read, read_text, reasons, told

Write = Callable[[Path, pa.Table], Path]
ODD_NAMES = ["a.b", "a`b", "x__end", "__end", "", "a b", 'qu"ote', "é", "\x1b[2J"]


def as_parquet(folder: Path, table: pa.Table) -> Path:
    pq.write_table(table, folder / "events.parquet")
    return folder / "events.parquet"


def as_arrow_file(folder: Path, table: pa.Table) -> Path:
    with pa.ipc.new_file(folder / "events.arrow", table.schema) as file:
        file.write_table(table)
    return folder / "events.arrow"


def as_arrow_stream(folder: Path, table: pa.Table) -> Path:
    with pa.ipc.new_stream(folder / "events.arrows", table.schema) as file:
        file.write_table(table)
    return folder / "events.arrows"


binary = pytest.mark.parametrize("write", [as_parquet, as_arrow_file, as_arrow_stream])


def test_a_text_among_numbers_of_time_costs_its_own_row_alone() -> None:
    for bad in (0, 1, 2):
        lines = [f'{{"type": "A", "time": {time}}}\n' for time in (1, 2, 3)]
        lines[bad] = '{"type": "A", "time": "soon"}\n'
        source = source_of(io.BytesIO("".join(lines).encode()))
        events, rejects = read(source)
        assert [event.end for event in events] == [time * 10**6 for time in (1, 2, 3) if time != bad + 1]
        assert (reasons(rejects), source.form) == (
            [f"bad-time: `soon` is not a time at `$.time` (stream:{bad + 1})"],
            "s",
        )


def test_the_first_time_says_the_form_through_every_door() -> None:
    given = ["soon", 1, 2]
    csv = io.BytesIO("".join(["type,time\n", *(f"A,{time}\n" for time in given)]).encode())
    frame = pa.table({"type": ["A"] * 3, "time": [None, "2024-05-17", "soon"]})
    objects = [{"type": "A", "time": time} for time in given]
    for source, form in ((source_of(csv), "s"), (source_of(objects), "s"), (source_of(frame), Calendar.ISO)):
        assert len(read(source)[1]) in (1, 2)
        assert source.form == form


@pytest.mark.parametrize("name", ODD_NAMES)
def test_columns_may_have_any_name(tmp_path: Path, name: str) -> None:
    table = pa.table({"type": ["A", "B"], name: [1, 2], f"{name}2": ["u", "v"]})
    doors = [as_parquet(tmp_path, table), as_arrow_file(tmp_path, table), as_arrow_stream(tmp_path, table), table]
    rows = "".join(f"{json.dumps(row)}\n" for row in table.to_pylist())
    for given in (*doors, io.BytesIO(rows.encode()), table.to_pylist()):
        events, rejects = read(source_of(given, Reading(Columns(time=name))))
        assert ([event.end for event in events], rejects) == ([1_000_000, 2_000_000], [])
        assert [event.fields[f"{name}2"] for event in events] == ["u", "v"]


def test_files_of_one_directory_may_have_their_columns_in_any_order(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_text("type,time,user\nA,1,ann\n")
    (tmp_path / "2.csv").write_text("user;time;type\nbob;2;B\n")
    (tmp_path / "3.csv").write_text("extra,user,type,time\n7,cid,A,3\n")
    assert told(read(source_of(tmp_path))[0]) == [
        (1, "A", 1_000_000, 1_000_000, {"user": "ann"}),
        (2, "B", 2_000_000, 2_000_000, {"user": "bob"}),
        (3, "A", 3_000_000, 3_000_000, {"extra": 7, "user": "cid"}),
    ]


@pytest.mark.parametrize("depth", [101, 500, 2000, 100_000])
@pytest.mark.parametrize("brackets", ["[]", "{}"])
def test_values_that_are_nested_too_deep_are_set_aside(depth: int, brackets: str) -> None:
    left = "[" if brackets == "[]" else '{"a":'
    deep = left * depth + "1" + brackets[1] * depth
    events, [reject] = read_text(f'{{"type": "A", "time": 1, "x": {deep}}}\n{{"type": "B", "time": 2}}\n')
    assert [event.type for event in events] == ["B"]
    assert reject.code in ("bad-json", "bad-event")
    value: object = 1
    for _ in range(depth):
        value = [value] if brackets == "[]" else {"a": value}
    given = point("A", 1, 1, {"x": value})  # type: ignore[dict-item]  # a list, as users have it
    _, [reject, other] = read(source_of([{"type": "A", "time": 1, "x": value}, given]))
    assert reasons([reject]) == ["bad-event: values are nested more than 100 deep at `$[0].x`"]
    assert other.code == "bad-event"
    assert json.dumps([reject.to_dict(), other.to_dict()])


def test_values_within_the_limit_are_read() -> None:
    [event], rejects = read_text('{"type": "A", "time": 1, "x": ' + "[" * 99 + "]" * 99 + "}\n")
    assert rejects == []
    assert isinstance(event.fields["x"], tuple)


@pytest.mark.parametrize("time", ["1e9999999999999999999", "-1e99999999999999999999", "9" * 5000, "1e400"])
def test_times_that_are_too_large_are_set_aside_through_every_door(time: str) -> None:
    for text in (f'{{"type": "A", "time": "{time}"}}\n', f"type,time\nA,{time}\n"):
        events, [reject] = read_text(text)
        assert (events, reject.code) == ([], "bad-time")
        assert len(reject.diagnostic.message) < 200


def test_objects_of_any_size_are_set_aside_or_read() -> None:
    odd = [10**5000, Decimal("1e9999999"), Decimal("sNaN"), Decimal("NaN"), float("inf")]
    events, rejects = read(source_of([{"type": "A", "time": time} for time in odd]))
    assert (events, [reject.code for reject in rejects]) == ([], ["bad-time"] * 5)
    given = {"u": UUID(int=5), "d": Decimal("sNaN"), "l": timedelta.max, "n": 10**5000}
    taken = [{"type": "A", "time": 1, name: value} for name, value in given.items()]
    events, rejects = read(source_of(taken))
    assert [event.fields.get("u") for event in events] == ["00000000-0000-0000-0000-000000000005", None]
    assert [reject.code for reject in rejects] == ["bad-event", "bad-event"]
    assert json.dumps([reject.to_dict() for reject in rejects])


@pytest.mark.parametrize("column", ["type", "time", "x", "id"])
def test_half_of_a_character_is_set_aside(column: str) -> None:
    row = {"type": "A", "time": 1, "x": "x", "id": "i"} | {column: "a\ud800"}
    reading = Reading(Columns(id="id"))
    good = {"type": "B", "time": 2, "id": "j"}
    for source in (
        source_of([row, good], reading),
        source_of(io.BytesIO(f"{json.dumps(row)}\n{json.dumps(good)}\n".encode()), reading),
    ):
        events, [reject] = read(source)
        assert ([event.type for event in events], reject.code) == (["B"], "bad-event")
        assert "`a\\ud800` holds half of a character" in reject.diagnostic.message
    pair = json.dumps(row | {column: "\U0001f600" if column != "time" else 1})
    assert len(read(source_of(io.BytesIO(pair.encode()), reading))[0]) == 1


def test_half_of_a_character_in_the_name_of_a_field_is_set_aside() -> None:
    row: dict[str, object] = {"type": "A", "time": 1, "\ud800": 1}
    for source in (source_of([row]), source_of(io.BytesIO(json.dumps(row).encode() + b"\n"))):
        assert [reject.code for reject in read(source)[1]] == ["bad-event"]
    assert [reject.code for reject in read(source_of([point("\ud800", 1, 1), point("A", 1, "\ud800")]))[1]] == [
        "bad-event",
        "bad-event",
    ]


@binary
@pytest.mark.parametrize(
    ("times", "codes"),
    [
        (pa.array([0, 2**31 - 1], pa.int32()).cast(pa.date32()), ["bad-time"]),
        (pa.array([0, 2**62], pa.int64()).cast(pa.timestamp("us")), []),
        (pa.array([0, -(2**63)], pa.int64()).cast(pa.timestamp("us")), ["bad-time"]),
        (pa.array([1, 2], pa.duration("s")), ["bad-event"] * 2),
        (pa.array([1, 2**62], pa.int64()).cast(pa.duration("us")), ["bad-event"] * 2),
        (pa.array([1, 2], pa.time64("us")), ["bad-event"] * 2),
        (pa.array([b"0123456789abcdef"] * 2, pa.uuid()), ["bad-time"] * 2),
        (pa.array([[1], [2]]), ["bad-event"] * 2),
    ],
    ids=str,
)
def test_times_of_any_type_are_read_or_set_aside(
    write: Write, tmp_path: Path, times: pa.Array, codes: list[str]
) -> None:
    path = write(tmp_path, pa.table({"type": ["A", "B"], "time": times}))
    events, rejects = read(source_of(path))
    assert [reject.code for reject in rejects] == codes
    assert len(events) + len(rejects) == 2
    assert json.dumps([reject.to_dict() for reject in rejects])


@binary
def test_fields_of_any_type_are_read_or_set_aside(write: Write, tmp_path: Path) -> None:
    far = pa.array([0, 2**31 - 1], pa.int32()).cast(pa.date32())
    seconds = pa.array([[0], [2**62]], pa.list_(pa.timestamp("us")))
    identifiers = pa.array([b"0123456789abcdef", None], pa.uuid())
    for field, value, codes in (
        (far, 0, ["bad-event"]),
        (seconds, (0,), ["bad-event"]),
        (identifiers, "30313233-3435-3637-3839-616263646566", []),
    ):
        events, rejects = read(source_of(write(tmp_path, pa.table({"type": ["A"] * 2, "time": [1, 2], "x": field}))))
        assert (events[0].fields["x"], [reject.code for reject in rejects]) == (value, codes)
        assert json.dumps([reject.to_dict() for reject in rejects])


@binary
def test_a_column_that_is_there_twice_is_refused_where_somebody_reads_it(write: Write, tmp_path: Path) -> None:
    arrays = [pa.array(["A", "B"]), pa.array([1, 2]), pa.array([5, 6]), pa.array([7, 8])]
    path = write(tmp_path, pa.Table.from_arrays(arrays, names=["type", "time", "x", "x"]))
    with pytest.raises(CepheidError, match="duplicate-column"):
        read(source_of(path))
    assert len(read(source_of(path, Reading(fields=frozenset())))[0]) == 2


@binary
def test_a_name_that_is_no_text_is_told(write: Write, tmp_path: Path) -> None:
    table = pa.Table.from_arrays([pa.array(["A"]), pa.array([1]), pa.array([5])], names=["type", "time", b"\xff"])
    with pytest.raises(CepheidError, match="unreadable-input"):
        read(source_of(write(tmp_path, table)))
    with pytest.raises(CepheidError, match="unreadable-input"):
        read(source_of(table))


def test_csv_with_carriage_returns() -> None:
    for text, count in (("type,time\rA,1\rB,2\r", 2), ("type,time,x\r\nA,1,\r\nB,2,c\r\n", 2)):
        events, rejects = read_text(text)
        assert (len(events), rejects) == (count, [])
    events, rejects = read_text("type,time,x\nA,1,a\rb\nB,2,c\n")
    assert [event.type for event in events] == ["B"]
    assert reasons(rejects) == ["bad-row: a carriage return stands in a cell without quotes (stream:2)"]
    [event], _ = read_text('type,time,x\nA,1,"a\rb"\n')
    assert event.fields["x"] == "a\rb"


def test_a_quote_that_nothing_closes_costs_its_own_line_alone() -> None:
    events, _ = read_text('type,time,x\nA,1,"a\nB,2,c\nA,3,"d\ne"\nB,4,f\n')
    assert [(event.type, event.end) for event in events][-1] == ("B", 4_000_000)
    events, [reject] = read_text('type,time,x\nA,1,"a\n' + "B,2,c\n" * 50_000)
    assert (len(events), reject.to_dict()["raw"]) == (50_000, ['A,1,"a'])
    assert str(reject.diagnostic.place) == "(stream:2)"
    assert [event.id for event in events[:2]] == [2, 3]


def spoiled(folder: Path, write: Write, change: Callable[[bytearray], None]) -> Path:
    texts = pa.array(["first value", "second value"])
    path = write(folder, pa.table({"type": ["A", "B"], "time": [1, 2], "x": texts}))
    data = bytearray(path.read_bytes())
    change(data)
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("write", [as_arrow_file, as_arrow_stream])
@pytest.mark.parametrize("offset", [2**31 - 1, 2**20, 0xFFFFFFFF])
def test_an_offset_that_was_changed_is_told_and_ends_nothing(write: Write, offset: int, tmp_path: Path) -> None:
    def change(data: bytearray) -> None:
        offsets = b"".join(number.to_bytes(4, "little") for number in (0, 11, 23))
        at = data.index(offsets) + 8
        data[at : at + 4] = offset.to_bytes(4, "little")

    path = spoiled(tmp_path, write, change)
    for given in (lambda: read(source_of(path)), lambda: rows_of_file(path)):
        with pytest.raises(CepheidError) as raised:
            given()
        assert str(raised.value).startswith(f"error[unreadable-input]: `{path}` cannot be read: ")


@pytest.mark.parametrize("write", [as_arrow_file, as_arrow_stream])
def test_text_that_is_no_utf_8_costs_its_own_row_alone(write: Write, tmp_path: Path) -> None:
    def change(data: bytearray) -> None:
        at = data.index(b"second")
        data[at : at + 1] = b"\xff"

    events, rejects = read(source_of(spoiled(tmp_path, write, change)))
    assert [event.fields["x"] for event in events] == ["first value"]
    assert [(reject.code, reject.diagnostic.message) for reject in rejects] == [("bad-event", "this text is not UTF-8")]


def test_a_table_in_memory_is_checked_too() -> None:
    offsets = pa.py_buffer(b"".join(number.to_bytes(4, "little") for number in (0, 2**20, 2)))
    texts = pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"ab")])
    with pytest.raises(CepheidError, match="the column `x` is broken"):
        read(source_of(pa.table({"type": ["A", "B"], "time": [1, 2], "x": texts})))


def test_a_file_that_is_cut_short_while_it_is_read_is_told(tmp_path: Path) -> None:
    many = pa.table({"type": ["A"] * 5000, "time": range(5000)})
    with pa.ipc.new_file(tmp_path / "events.arrow", many.schema) as file:
        file.write_table(many, max_chunksize=500)
    run = api.compile("A", disorder="0 s", language="algebra").run(tmp_path / "events.arrow").batches()
    next(run)
    (tmp_path / "events.arrow").write_bytes(b"ARROW1\0\0")
    with pytest.raises(CepheidError, match="unreadable-input"):
        list(run)


@pytest.mark.parametrize("path", ["a\0b", "a" * 5000, "a\udc80b", "no/such/file.jsonl"])
def test_names_that_no_file_has(path: str) -> None:
    with pytest.raises(CepheidError, match="unreadable-input"):
        list(api.compile("A", language="algebra").run(path))


def test_a_column_that_is_said_to_be_stored_as_two_types_is_refused(tmp_path: Path) -> None:
    path = as_parquet(tmp_path, pa.table({"type": ["A", "B"], "time": [1, 2]}))
    before, stored_as, after = path.read_bytes().rpartition(b"\x15\x04\x19")  # 64 bits, before the list of encodings
    assert stored_as
    path.write_bytes(before + b"\x15\x06\x19" + after)
    with pytest.raises(CepheidError) as raised:
        list(api.compile("A ; B within 5 s", language="algebra").run(path))
    assert raised.value.diagnostics[0].code == "unreadable-input"


@pytest.mark.parametrize("group", [5, 20])
@pytest.mark.parametrize("threads", [1, 2])
def test_rows_that_a_column_denies_are_not_left_out_in_silence(
    group: int, threads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finite, "MANY", 1)
    path = tmp_path / "events.parquet"
    table = pa.table({"type": ["A", "B"] * 10, "time": [*range(20)], "value": [0.5] * 20})
    pq.write_table(table, path, row_group_size=group)
    path.write_bytes(_denying_a_column(path.read_bytes(), group))
    a, b = cepheid.event("A"), cepheid.event("B")
    query = cepheid.compile(cepheid.query((a >> b).within("5 s"), values={"by": b.value}))
    with pytest.raises(CepheidError) as raised:
        query.run(path, threads=threads, engine="kernels").count()
    assert raised.value.diagnostics[0].code == "unreadable-input"


def _denying_a_column(data: bytes, group: int) -> bytes:
    """Return a Parquet file that says of its first group of rows that a column has no values; Arrow gives none then."""
    footer = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    count = b"\x16" + bytes([2 * group])  # Thrift: a long after the field before it
    place = data.index(count, footer)
    while True:
        changed = data[:place] + b"\x16\x00" + data[place + 2 :]
        with suppress(pa.ArrowException, OSError):
            file = pq.ParquetFile(io.BytesIO(changed))
            if file.metadata.row_group(0).num_rows == group and not list(file.iter_batches(row_groups=[0])):
                return changed
        place = data.index(count, place + 1)


def test_texts_that_lie_anywhere_are_read_like_others() -> None:
    times, names = [3, 1, 2, 4], ["x", "y", None, "x"]
    table = pa.table({"type": ["B", "A", "A", "B"], "time": times, "name": names, "more": [["a"]] * 4})
    viewed = table.set_column(2, "name", table["name"].cast(pa.string_view()))
    viewed = viewed.set_column(3, "more", table["more"].cast(pa.list_(pa.string_view())))
    a, b = cepheid.event("A"), cepheid.event("B")
    query = cepheid.compile(cepheid.query((a >> b).within("5 s"), values={"name": b.name, "more": a.more}))
    assert query.run(viewed).to_arrow().to_pylist() == query.run(table).to_arrow().to_pylist()
    assert query.run(viewed).to_arrow().num_rows == 4


def test_texts_that_lie_anywhere_are_read_beside_one_that_is_not_utf_8() -> None:
    names = pa.array(["x", "y", "z"]).cast(pa.string_view())
    texts = pa.array([b"a", b"\xff", b"c"]).view(pa.string())
    table = pa.table({"type": ["B", "A", "A"], "time": [3, 2, 1], "name": names, "text": texts})
    a, b = cepheid.event("A"), cepheid.event("B")
    query = cepheid.compile(cepheid.query((a >> b).within("5 s"), values={"name": a.name, "text": b.text}))
    run = query.run(table)
    assert [match.values for match in run] == [{"name": "z", "text": "a"}]
    assert run.summary.rejected == 1
