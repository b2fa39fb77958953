"""What is said about an input: the type of rows without one, forms of times, years, and fields inside of records."""

import io
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import cepheid
from cepheid.connectors.written_times import WrittenTimes

A = cepheid.event("Reading", name="a")
QUERY = cepheid.compile(cepheid.query(A.where(A.value > 1), values={"value": A.value}))


def found(events: object, **options: object) -> list[tuple[object, object]]:
    run = QUERY.run(events, **options)  # type: ignore[arg-type]  # whatever a test gives
    return [(match.end, match.values["value"]) for match in run]


CSV = b"time,value\n1,1\n2,2\n3,3\n"
ROWS = [{"time": 1, "value": 1}, {"time": 2, "value": 2}, {"time": 3, "value": 3}]


@pytest.mark.parametrize(
    "events",
    [
        lambda: io.BytesIO(CSV),
        lambda: io.BytesIO("\n".join(map(json.dumps, ROWS)).encode()),
        lambda: io.BytesIO(json.dumps(ROWS).encode()),
        lambda: ROWS,
        lambda: pa.Table.from_pylist(ROWS),
    ],
    ids=["csv", "json lines", "json array", "objects", "arrow"],
)
def test_rows_without_a_type_get_one(events: object) -> None:
    assert callable(events)
    assert found(events(), type="Reading") == [(2, 2), (3, 3)]


@pytest.mark.parametrize("many", [1, 3000])
def test_rows_that_have_a_type_keep_it(many: int) -> None:
    rows: list[dict[str, object]] = [{"type": "Reading", "time": 1, "value": 2}, {"type": None, "time": 2, "value": 2}]
    rows *= many
    rows += [{"type": "Other", "time": 3, "value": 2}]
    assert len(found(rows, type="Reading")) == 2 * many
    text = "\n".join(map(json.dumps, rows)).encode()
    assert len(found(io.BytesIO(text), type="Reading")) == 2 * many
    assert len(found(pa.Table.from_pylist(rows), type="Reading")) == 2 * many
    csv = "type,time,value\n" + "".join(f"{row['type'] or ''},{row['time']},{row['value']}\n" for row in rows)
    assert len(found(io.BytesIO(csv.encode()), type="Reading")) == 2 * many


def test_long_input_without_types_stays_in_columns() -> None:
    rows = [{"time": number, "value": number % 3} for number in range(20_000)]
    text = "\n".join(map(json.dumps, rows)).encode()
    csv = "time,value\n" + "".join(f"{row['time']},{row['value']}\n" for row in rows)
    wanted = [(row["time"], 2) for row in rows if row["value"] == 2]
    assert found(io.BytesIO(text), type="Reading") == wanted
    assert found(io.BytesIO(csv.encode()), type="Reading") == wanted
    assert found(pa.Table.from_pylist(rows), type="Reading") == wanted


def test_without_a_type_the_hint_says_what_to_type() -> None:
    with pytest.raises(cepheid.CepheidError) as error:
        found(io.BytesIO(CSV))
    assert '`--type Reading`, or in Python `type="Reading"`' in str(error.value)


@pytest.mark.parametrize(
    ("form", "text", "told"),
    [
        ("%d/%b/%Y:%H:%M:%S %z", "17/May/2024:08:30:00 +0200", "2024-05-17T06:30:00Z"),
        ("%d.%m.%Y %H:%M", "17.5.2024 8:30", "2024-05-17T08:30:00Z"),
        ("%Y%m%d%H%M%S%f", "20240517083000250000", "2024-05-17T08:30:00.25Z"),
    ],
)
def test_times_in_a_form_of_their_own(form: str, text: str, told: str) -> None:
    rows = [{"type": "Reading", "time": text, "value": 2}]
    for events in (rows, pa.Table.from_pylist(rows), io.BytesIO(json.dumps(rows).encode())):
        assert found(events, time_format=form) == [(told, 2)]
    assert found(io.BytesIO(f"time,value\n{text},2\n".encode()), time_format=form, type="Reading") == [(told, 2)]


def test_a_time_that_is_written_otherwise_is_rejected() -> None:
    seen: list[str] = []
    rows = [{"type": "Reading", "time": "17.5.2024", "value": 2}]
    run = QUERY.run(rows, time_format="%Y-%m-%d", on_reject=lambda reject: seen.append(str(reject.diagnostic.message)))
    assert run.count() == 0
    assert seen == ["`17.5.2024` is not a time in the form `%Y-%m-%d`"]


def year_of(texts: list[str], year: int) -> list[int]:
    read = WrittenTimes(("%b %d %H:%M:%S",), year).reader(lambda _: 0)
    return [1970 + read(text) // (365_2425 * 86_400 * 100) for text in texts]


def test_years_follow_each_other() -> None:
    days = ["Dec 30", "Dec 31", "Jan  2", "Dec 31", "Jul 10", "Feb 10"]
    times = [f"{day} 10:00:00" for day in days]
    assert year_of(times, 2022) == [2022, 2022, 2023, 2022, 2022, 2022]
    assert year_of(["Feb 29 10:00:00"], 2024) == [2024]
    assert year_of(["Jan 10 10:00:00", "Dec 20 10:00:00"], 2024) == [2024, 2023]


NESTED = [
    {"type": "Reading", "time": 1, "geo": {"city": "Kyiv", "at": {"x": 5}}},
    {"type": "Reading", "time": 2, "geo": {"city": "Riga"}},
    {"type": "Reading", "time": 3, "geo": None},
    {"type": "Reading", "time": 4},
]


@pytest.mark.parametrize("engine", ["interpreter", "kernels"])
def test_fields_inside_of_records(engine: str, tmp_path: Path) -> None:
    query = cepheid.compile(cepheid.query(A.where(A["geo.city"].is_in("Kyiv", "Riga")), values={"x": A["geo.at.x"]}))
    pq.write_table(pa.Table.from_pylist(NESTED), tmp_path / "a.parquet")
    text = "\n".join(map(json.dumps, NESTED)).encode()
    for events in (NESTED, pa.Table.from_pylist(NESTED), io.BytesIO(text), str(tmp_path / "a.parquet")):
        run = query.run(events, engine=engine)  # type: ignore[arg-type]  # one of the two above
        assert [(match.end, match.values["x"]) for match in run] == [(1, 5), (2, None)]


def test_a_column_that_is_called_with_a_dot_is_itself() -> None:
    query = cepheid.compile(cepheid.query(A, values={"city": A["geo.city"]}))
    assert [match.values["city"] for match in query.run(io.BytesIO(b"type,time,geo.city\nReading,1,Kyiv\n"))] == [
        "Kyiv"
    ]


def test_types_and_times_may_stand_inside_of_records(tmp_path: Path) -> None:
    rows = [{"event": {"kind": "Reading"}, "meta": {"at": 7}, "value": 2}]
    options = {"type_column": "event.kind", "time_column": "meta.at"}
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "a.parquet")
    for events in (
        rows,
        pa.Table.from_pylist(rows),
        io.BytesIO(json.dumps(rows).encode()),
        str(tmp_path / "a.parquet"),
    ):
        assert found(events, **options) == [(7, 2)]
