"""`run.write`: matches go from columns to a file, and no object is made for one on the way."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

import cepheid
from cepheid.api import Run, finite, portions
from cepheid.connectors import arrow_rows, column_files
from cepheid.diagnostics import CepheidError
from tests.connectors import plain_writers
from tests.kernels.plain_kernels import usually_plain

NAMES = ["match", "start", "end", "known", "evidence", "id", "k", "values.end"]


@pytest.fixture(autouse=True, scope="module")
def _few_are_many() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, usually_plain():
        patch.setattr(finite, "MANY", 1)
        patch.setattr(arrow_rows, "MOST_ROWS", 50)
        patch.setattr(column_files, "ROW_GROUP", 20)
        patch.setattr(portions, "MOST_TOLD", 7)
        yield


def query() -> cepheid.CompiledQuery:
    a, b = cepheid.event("A"), cepheid.event("B")
    pairs = cepheid.query((a >> b).within("2 s").by("k"), name="Pair", values={"k": a.k, "end": b.v})
    return cepheid.compile(cepheid.program(pairs, cepheid.query(b[b.v > 5], name="High", values={"end": b.k})))


def table(count: int = 300) -> pa.Table:
    rows = range(count)
    columns = {
        "type": ["ABC"[row % 3] for row in rows],
        "time": [row / 4 for row in rows],
        "v": [row % 9 for row in rows],
    }
    return pa.table({**columns, "k": ["xy"[row % 5 > 2] for row in rows]})


def run(*, once: bool = False, engine: str = "auto", ids: bool = False) -> Run:
    given = table()
    events = pa.RecordBatchReader.from_batches(given.schema, given.to_batches()) if once else given
    return query().run(events, engine=engine, ids=ids)  # type: ignore[arg-type]  # one of its words


@pytest.mark.parametrize("engine", ["kernels", "interpreter"])
def test_files_of_columns_are_the_table(engine: str, tmp_path: Path) -> None:
    expected = run(engine=engine, ids=True).to_arrow()
    assert run(engine=engine).write(tmp_path / "a.parquet") == expected.num_rows > 60
    assert run(engine=engine).write(str(tmp_path / "a.arrow")) == expected.num_rows
    assert expected.column_names == NAMES
    assert pq.read_table(tmp_path / "a.parquet").equals(expected)
    assert feather.read_table(tmp_path / "a.arrow").equals(expected)
    assert pq.ParquetFile(tmp_path / "a.parquet").num_row_groups > 3


@pytest.mark.parametrize("engine", ["kernels", "interpreter"])
def test_files_of_text_are_as_told_match_by_match(engine: str, tmp_path: Path) -> None:
    reports = list(run(engine=engine))
    assert (
        run(engine=engine).write(tmp_path / "a.jsonl") == run(engine=engine).write(tmp_path / "a.csv") == len(reports)
    )
    assert (tmp_path / "a.jsonl").read_text() == plain_writers.json_lines(reports)
    assert (tmp_path / "a.csv").read_text() == plain_writers.comma_separated(reports, query().fields)


def test_no_object_is_made_for_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise AssertionError("somebody asked for objects")

    monkeypatch.setattr(portions, "reports", refused)
    monkeypatch.setattr("cepheid.engine.kernels.emitting.match_batches.Match", refused)
    for ending in ("parquet", "arrow", "csv", "jsonl"):
        assert run(engine="kernels").write(tmp_path / f"a.{ending}") > 60


def test_a_type_that_becomes_wider_is_right_from_the_first_row_on(tmp_path: Path) -> None:
    a = cepheid.event("A")
    seen = cepheid.compile(cepheid.query(a, name="Seen", values={"v": a.v}))
    values: list[object] = [*[None] * 30, *range(30), *[0.5] * 30, *["a"] * 30]
    events = [{"type": "A", "time": time, "v": value} for time, value in enumerate(values)]
    for last, kind in ((30, pa.null()), (60, pa.int64()), (90, pa.float64()), (120, pa.string())):
        seen.run(events[:last]).write(tmp_path / "a.parquet")
        written = pq.read_table(tmp_path / "a.parquet")
        assert (written.schema.field("v").type, written.num_rows) == (kind, last)
    read = [None if value is None else json.loads(value) for value in written["v"].to_pylist()]
    assert read == values
    assert os.listdir(tmp_path) == ["a.parquet"]


def test_no_match_is_a_file_too(tmp_path: Path) -> None:
    none = query().run(table().slice(0, 1))
    assert [none.write(tmp_path / f"a.{ending}") for ending in ("parquet", "arrow", "csv", "jsonl")] == [0] * 4
    assert pq.read_table(tmp_path / "a.parquet").column_names == NAMES
    assert (tmp_path / "a.csv").read_text() == "match,start,end,known,k,values.end,evidence,id\n"
    assert (tmp_path / "a.jsonl").read_text() == ""


def test_evidence_that_nobody_wants_is_no_column(tmp_path: Path) -> None:
    query().run(table(), evidence=False).write(tmp_path / "a.parquet")
    assert pq.read_schema(tmp_path / "a.parquet").names == [name for name in NAMES if name != "evidence"]


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    events = [{"type": "AB"[time % 2], "time": time, "k": "x", "v": 1} for time in range(50)]
    for ending in ("parquet", "arrow", "csv", "jsonl"):
        target = tmp_path / f"a.{ending}"
        target.write_text("of yesterday")
        with pytest.raises(CepheidError):
            query().run([*events, {"type": "A"}], strict=True).write(target)
        assert target.read_text() == "of yesterday"
    assert len(os.listdir(tmp_path)) == 4


def test_files_have_ids_whatever_was_asked_before(tmp_path: Path) -> None:
    for once in (False, True):
        one = run(once=once)
        assert "id" not in one.to_arrow().column_names
        one.write(tmp_path / "a.parquet")
        expected = run(ids=True).to_arrow()["id"]
        assert pq.read_table(tmp_path / "a.parquet")["id"].to_pylist() == expected.to_pylist()


def test_a_pipe_gets_the_bytes_of_a_file(tmp_path: Path) -> None:
    run().write(tmp_path / "a.parquet")
    os.mkfifo(tmp_path / "pipe.parquet")
    with os.fdopen(os.open(tmp_path / "pipe.parquet", os.O_RDWR | os.O_NONBLOCK), "rb") as pipe:
        run().write(tmp_path / "pipe.parquet")
        received = os.read(pipe.fileno(), 1 << 20)
    assert received == (tmp_path / "a.parquet").read_bytes()


@pytest.mark.parametrize(("name", "reads"), [("a.pq", pq.read_table), ("a.feather", feather.read_table)])
def test_other_endings_of_the_same_formats_are_known(
    name: str, reads: Callable[[Path], pa.Table], tmp_path: Path
) -> None:
    run = cepheid.compile("A", language="cep").run([{"type": "A", "time": 1}])
    run.write(str(tmp_path / name))
    assert reads(tmp_path / name).num_rows == 1
