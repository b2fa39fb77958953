"""From a table to a table: columns say what objects say, with the same rejects, in the same order."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import cepheid
from cepheid.api import finite
from cepheid.connectors import PartBuffer, arrow_rows, sorted_runs, source_of
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, TieredDetector
from cepheid.events import point
from tests.columns_runner import columns_of
from tests.kernels.plain_kernels import usually_plain

FLAVOURS = ("types as a dictionary", "types twice in a dictionary", "times as timestamps", "times as floats", "plain")


@pytest.fixture(autouse=True, scope="module")
def _few_are_many() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch, usually_plain():
        patch.setattr(finite, "MANY", 1)
        patch.setattr(arrow_rows, "MOST_ROWS", 5)
        yield


def rising(policy: str = "all", within: str = "3 s") -> cepheid.CompiledQuery:
    """A, and then a greater B of the same key."""
    a, b = cepheid.event("A"), cepheid.event("B")
    pattern = (a >> b).within(within).by("k").where(b.v > a.v)
    values = {"k": a.k, "rise": b.v - a.v, "start": a.v}
    return cepheid.compile(cepheid.query(pattern, name="Rising", values=values, policy=policy))


def of_three_rules() -> cepheid.CompiledQuery:
    a, b = cepheid.event("A"), cepheid.event("B")
    rules = [
        cepheid.query((a >> b).within("3 s"), name="Pair", values={"v": b.v}),
        cepheid.query((b >> a).within("2 s"), name="Back", values={"v": b.k}),
        cepheid.query(a[a.v > 5], name="High"),
    ]
    return cepheid.compile(cepheid.program(*rules))


Row = tuple[str | None, int | None, str, int]
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["A", "B", "A", "B", "C", None]),
        st.one_of(st.integers(0, 12), st.integers(0, 12), st.integers(0, 12), st.none()),
        st.sampled_from(["x", "y"]),
        st.integers(0, 9),
    ),
    max_size=24,
)


def table_of(rows: Sequence[Row], flavour: str) -> pa.Table:
    kinds, times, keys, numbers = (list(column) for column in zip(*rows, strict=True)) if rows else ([], [], [], [])
    types = pa.array(kinds, pa.string())
    moments = pa.array(times, pa.int64())
    if flavour == "types as a dictionary":
        types = types.dictionary_encode()
    if flavour == "types twice in a dictionary":
        types = with_doubled_dictionary(types.dictionary_encode())
    if flavour == "times as timestamps":
        moments = moments.cast(pa.timestamp("s", "UTC"))
    if flavour == "times as floats":
        moments = moments.cast(pa.float64())
    columns = {"type": types, "time": moments, "k": pa.array(keys, pa.string()), "v": pa.array(numbers, pa.int64())}
    return pa.table(columns)


def with_doubled_dictionary(types: Any) -> Any:  # an array of Arrow
    """Return the same types, where every name stands twice in the dictionary, and rows take them in turn."""
    names, indices = types.dictionary, types.indices.to_pylist()
    taken = [None if one is None else one + row % 2 * len(names) for row, one in enumerate(indices)]
    return pa.DictionaryArray.from_arrays(pa.array(taken, pa.int32()), pa.concat_arrays([names, names]))


def ticks(times: Any) -> list[int | None]:  # a column of Arrow
    if pa.types.is_timestamp(times.type):
        return list(times.cast(pa.int64()).to_pylist())
    return [None if one is None else round(one * 10**6) for one in times.to_pylist()]


@given(ROWS, st.sampled_from(FLAVOURS), st.sampled_from(["all", "recent", "next"]))
def test_columns_say_what_objects_say(rows: Sequence[Row], flavour: str, policy: str) -> None:
    table, query = table_of(rows, flavour), rising(policy)
    rejects: tuple[list[object], list[object]] = ([], [])
    slow = query.run(table, engine="interpreter", on_reject=lambda one: rejects[0].append(one.to_dict()))
    expected = list(slow)
    run = query.run(table, ids=True, on_reject=lambda one: rejects[1].append(one.to_dict()))
    found = run.to_arrow()
    assert found.column_names == ["match", "start", "end", "known", "evidence", "id", "k", "rise", "values.start"]
    assert sorted(found["id"].to_pylist()) == sorted(match.id for match in expected)
    assert found["evidence"].to_pylist() == [list(match.evidence) for match in run]
    assert found["rise"].to_pylist() == [match.values["rise"] for match in run]
    assert (run.summary, rejects[1]) == (slow.summary, rejects[0])
    if rows and all(kind is not None and time is not None for kind, time, _, _ in rows):
        assert isinstance(run._detector, TieredDetector)


@given(ROWS, st.sampled_from(FLAVOURS))
@example([("A", 0, "x", 1), ("A", 1, "x", 1), ("A", 1, "x", 1), ("B", 2, "x", 1)], "types twice in a dictionary")
def test_what_comes_too_fast_is_said_of_columns_too(rows: Sequence[Row], flavour: str) -> None:
    a, b = cepheid.event("A"), cepheid.event("B")
    pattern = cepheid.query((a >> b).within("3 s"), name="Pair")
    query = cepheid.compile(pattern, rates={"A": "1 per 2 s", "B": "2 per 3 s"})
    slow, run = query.run(table_of(rows, flavour), engine="interpreter"), query.run(table_of(rows, flavour))
    assert run.to_arrow().num_rows == len(list(slow))
    assert run.warnings == slow.warnings


@given(ROWS, st.sampled_from(FLAVOURS))
def test_objects_are_those_of_the_table_in_its_order(rows: Sequence[Row], flavour: str) -> None:
    table, query = table_of(rows, flavour), of_three_rules()
    found, run = query.run(table, ids=True).to_arrow(), list(query.run(table))
    assert found["match"].to_pylist() == [match.name for match in run]
    assert found["id"].to_pylist() == [match.id for match in run]
    interpreted = list(query.run(table, engine="interpreter"))
    assert sorted(match.id for match in interpreted) == sorted(found["id"].to_pylist())
    assert [match.known for match in run] == [match.known for match in interpreted]


@given(ROWS)
def test_a_rule_has_a_table_of_its_own(rows: Sequence[Row]) -> None:
    table, query = table_of(rows, "plain"), of_three_rules()
    tables, whole = query.run(table).tables(), query.run(table).to_arrow()
    assert {name: one.column_names[5:] for name, one in tables.items()} == {"Pair": ["v"], "Back": ["v"], "High": []}
    for name, one in tables.items():
        own = [row for row in whole.to_pylist() if row["match"] == name]
        assert one["evidence"].to_pylist() == [row["evidence"] for row in own]
        assert ticks(one["end"]) == [round(row["end"] * 10**6) for row in own]


def test_values_of_one_name_have_a_type_in_the_table_of_their_rule() -> None:
    table = table_of([("A", 1, "x", 1), ("B", 2, "y", 2), ("A", 3, "x", 1)], "plain")
    tables, whole = of_three_rules().run(table).tables(), of_three_rules().run(table).to_arrow()
    assert (tables["Pair"].schema.field("v").type, tables["Back"].schema.field("v").type) == (pa.int64(), pa.string())
    assert whole["v"].to_pylist() == ["2", '"y"']


def test_times_are_told_as_the_input_has_them() -> None:
    rows = [("A", 1, "x", 1), ("B", 2, "x", 2)]
    by_type = {flavour: rising().run(table_of(rows, flavour)).to_arrow() for flavour in FLAVOURS}
    assert by_type["times as timestamps"]["end"].to_pylist() == [datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC)]
    assert by_type["plain"]["end"].to_pylist() == [2.0]
    micro = rising().run(table_of([("A", 1, "x", 1), ("B", 2, "x", 2)], "plain"), time_unit="us").to_arrow()
    assert micro["end"].type == pa.int64()


def test_no_match_is_a_table_too() -> None:
    table = pa.table({"type": pa.array(["C"]), "time": [1], "k": ["x"], "v": [1]})
    found = rising().run(table).to_arrow()
    assert (found.num_rows, found.schema.field("match").type.value_type) == (0, pa.string())
    assert rising().run(table).tables()["Rising"].num_rows == 0


@pytest.mark.parametrize("kind", [pa.timestamp("us", "UTC"), pa.timestamp("ns"), pa.date32()], ids=str)
@pytest.mark.parametrize("form", ["a table", "a file", "a lazy frame", "nulls"])
def test_columns_of_times_say_their_form_where_no_event_does(kind: Any, form: str, tmp_path: Path) -> None:
    rows = 2 if form == "nulls" else 0
    table = pa.table({"type": pa.array(["A"] * rows, pa.string()), "time": pa.nulls(rows, kind)})
    pq.write_table(table, tmp_path / "none.parquet")
    pq.write_table(pa.table({"type": ["A"], "time": pa.array([0], kind)}), tmp_path / "one.parquet")
    files: dict[str, object] = {"a file": str(tmp_path / "none.parquet")}
    files["a lazy frame"] = polars.scan_parquet(tmp_path / "none.parquet")
    found = rising().run(files.get(form, table)).to_arrow()  # type: ignore[arg-type]  # all of them are input
    expected = rising().run(tmp_path / "one.parquet").to_arrow()
    assert found.num_rows == 0
    assert found.schema.field("start").type == expected.schema.field("start").type
    assert pa.types.is_timestamp(found.schema.field("start").type)


def test_frames_of_other_libraries_come_out_too() -> None:
    table = table_of([("A", 1, "x", 1), ("B", 2, "x", 2)], "plain")
    assert rising().run(table).to_pandas()["rise"].tolist() == [1]
    assert rising().run(table).to_polars()["rise"].to_list() == [1]


def test_a_run_can_be_asked_more_than_once() -> None:
    run = rising().run(table_of([("A", 1, "x", 1), ("B", 2, "x", 2)], "plain"), ids=True)
    assert run.to_arrow().equals(run.to_arrow())
    assert run.count() == 1
    assert [match.id for match in run] == run.to_arrow()["id"].to_pylist()
    assert run.summary.matches == 1


def test_columns_that_only_rows_can_say_are_read_by_row(tmp_path: Path) -> None:
    rows = [{"type": "A", "time": time, "k": "x", "v": 1} for time in range(8)]
    table = pa.Table.from_pylist(rows)
    dates = table.set_column(1, "time", pa.array([None] * 4 + [0, 1, 2, 3], pa.date32()))
    query = rising(within="3 d")
    assert query.run(dates).count() == 0
    assert query.run(dates).summary == query.run(dates, engine="interpreter").summary


def test_a_file_of_parquet_is_read_in_columns(tmp_path: Path) -> None:
    rows = [("AB"[time % 2], time, "xy"[time % 3 > 1], time % 7) for time in range(60)]
    table, path = table_of(rows, "types as a dictionary"), tmp_path / "events.parquet"
    pq.write_table(table, path, row_group_size=7)
    run = rising().run(path)
    assert run.to_arrow().equals(rising().run(table).to_arrow())
    assert isinstance(run._detector, TieredDetector)


@given(ROWS, st.sampled_from(FLAVOURS), st.integers(1, 9))
def test_parquet_is_put_in_order_whatever_its_row_groups_are(rows: Sequence[Row], flavour: str, size: int) -> None:
    table = table_of(rows, flavour)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr(sorted_runs, "ROWS_OF_A_RUN", 6)
        patch.setattr(sorted_runs, "ROWS_AT_ONCE", 2)
        path = Path(folder) / "events.parquet"
        pq.write_table(table, path, row_group_size=size)
        found = rising().run(path, ids=True).to_arrow()
        assert not list(Path(tempfile.gettempdir()).glob("cepheid-sort-*"))
    interpreted = list(rising().run(table, engine="interpreter"))
    assert sorted(found["id"].to_pylist()) == sorted(match.id for match in interpreted)
    assert found["evidence"].to_pylist() == rising().run(table).to_arrow()["evidence"].to_pylist()


@given(st.lists(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 9)), max_size=9), max_size=6), st.integers(1, 12))
def test_runs_are_merged_by_time_and_position(pieces: list[list[tuple[int, int]]], size: int) -> None:
    with pytest.MonkeyPatch.context() as patch, sorted_runs.SortedRuns() as runs:
        patch.setattr(sorted_runs, "ROWS_OF_A_RUN", size)
        patch.setattr(sorted_runs, "ROWS_AT_ONCE", 3)
        first, expected = 1, []
        for piece in pieces:
            events = [point("A", time, first + row, {"v": value}) for row, (time, value) in enumerate(piece)]
            runs.add(columns_of(events))
            expected += events
            first += len(piece)
        found = [event for some in runs.merged() for event in some.objects()]
    assert found == sorted(expected, key=lambda event: (event.end, event.id))


def test_a_disk_that_is_full_while_input_is_sorted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "0.arrows").symlink_to("/dev/full")
    monkeypatch.setattr(tempfile, "TemporaryDirectory", lambda **_: nullcontext(str(tmp_path)))
    monkeypatch.setattr(sorted_runs, "ROWS_OF_A_RUN", 1)
    with pytest.raises(CepheidError) as raised, sorted_runs.SortedRuns() as runs:
        runs.add(columns_of([point("A", 1, 1)]))
    assert str(raised.value) == (
        f"error[unwritable-output]: `{tmp_path}/0.arrows` cannot be written: no space left on device\n"
        "  = hint: input that is out of order is sorted on disk; name a folder with more space: `TMPDIR=/large/folder`"
    )


def test_no_folder_to_sort_input_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", "/no/such/folder")
    monkeypatch.setattr(sorted_runs, "ROWS_OF_A_RUN", 1)
    with pytest.raises(CepheidError, match="`TMPDIR` cannot be written: no such file"):
        sorted_runs.SortedRuns().add(columns_of([point("A", 1, 1)]))


def test_parts_that_follow_each_other_are_sorted_one_by_one(tmp_path: Path) -> None:
    rows = [("AB"[time % 2], time ^ 3, "x", time % 5) for time in range(40)]
    path = tmp_path / "events.parquet"
    pq.write_table(table_of(rows, "times as timestamps"), path, row_group_size=8)
    source = source_of(path)
    outlook = source.outlook()
    assert outlook is not None
    assert (outlook.parts, outlook.in_order) == ((8, 8, 8, 8, 8), False)
    assert (outlook.least, outlook.greatest) == (0, 39 * 10**6)
    assert rising().run(path).to_arrow().equals(rising().run(table_of(rows, "times as timestamps")).to_arrow())


def test_statistics_that_are_not_true_are_found_out() -> None:
    buffer = PartBuffer((2, 2), "events.parquet")
    buffer.add(columns_of([point("A", time, number) for number, time in enumerate((5, 6, 4, 7), 1)]))
    with pytest.raises(CepheidError, match="its statistics say that its parts follow each other in time"):
        buffer.finish()


def test_input_that_is_too_far_out_of_order_is_refused_at_its_place() -> None:
    rows = [("A", time, "x", 1) for time in [*range(10, 40), 0]]
    with pytest.raises(CepheidError, match="stands more than 4 events behind its position") as caught:
        rising().run(iter_of(table_of(rows, "plain")), sort_buffer=4).to_arrow()
    place = caught.value.diagnostics[0].place
    assert place is not None
    assert place.line == 31


def test_a_time_far_away_is_left_to_the_interpreter() -> None:
    rows = [("A", 1, "x", 1), ("B", 2, "x", 2), ("A", 3 * 10**12, "x", 1), ("B", 3 * 10**12 + 1, "x", 2)]
    run = rising().run(table_of(rows, "plain"))
    assert len(list(run)) == 2
    assert isinstance(run._detector, Detector)


def iter_of(table: pa.Table) -> pa.RecordBatchReader:
    """A table that can be read once only."""
    return pa.RecordBatchReader.from_batches(table.schema, table.to_batches())
