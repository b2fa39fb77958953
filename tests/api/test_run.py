"""A run reads, sorts, sets aside and reports; however the input is given and cut, the matches are the same."""

import io
import json
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cepheid
from cepheid.algebra.semantics import matches as matches_by_definition
from cepheid.api import Reject
from cepheid.connectors import byte_streams
from cepheid.diagnostics import CepheidError, draw
from cepheid.events import point
from cepheid.testing import Case
from cepheid.testing.strategies import cases
from tests.kernels.plain_kernels import usually_plain

ALARM = cepheid.compile("Alarm = (Button ; Button) within 2 s - (Pressure | Temperature)", language="algebra")
PAIR = cepheid.compile("(A ; B) within 5 s - C", language="algebra")
ROWS: list[dict[str, object]] = [{"type": "A", "time": 1}, {"type": "B", "time": 2.5}]
TRACES = st.lists(st.tuples(st.sampled_from("ABC"), st.integers(0, 12)), max_size=12)


def json_lines(rows: list[dict[str, object]]) -> bytes:
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def rows_of(trace: list[tuple[str, int]]) -> list[dict[str, object]]:
    return [{"type": kind, "time": time} for kind, time in trace]


def told(run: cepheid.Run) -> list[tuple[object, ...]]:
    return sorted((match.start, match.end, match.evidence) for match in run)


@given(TRACES)
def test_a_run_finds_what_the_definition_says(trace: list[tuple[str, int]]) -> None:
    events = [point(kind, time * 10**6, position) for position, (kind, time) in enumerate(trace, start=1)]
    expected = matches_by_definition(PAIR.program, events)
    found = told(PAIR.run(rows_of(trace)))
    assert found == sorted((match.start // 10**6, match.end // 10**6, match.evidence) for match in expected)


@given(TRACES, st.integers(20, 90), st.integers(1, 20))
def test_the_cut_of_the_input_does_not_matter(trace: list[tuple[str, int]], block: int, buffer: int) -> None:
    rows = sorted(rows_of(trace), key=lambda row: str(row["time"]).zfill(2))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(byte_streams, "BLOCK", block)
        found = told(PAIR.run(io.BytesIO(json_lines(rows)), sort_buffer=buffer))
    assert found == told(PAIR.run(rows))


@given(TRACES)
def test_a_stream_within_its_disorder_is_as_good_as_sorted(trace: list[tuple[str, int]]) -> None:
    stream = cepheid.compile("(A ; B) within 5 s - C", disorder="12 s", language="algebra")
    assert told(stream.run(rows_of(trace))) == told(PAIR.run(rows_of(trace)))


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ((1, 2.5), (1, 2.5)),
        (("1", "2.5"), (1, 2.5)),
        (("1970-01-01T00:00:01Z", "1970-01-01 00:00:02.5+00:00"), ("1970-01-01T00:00:01Z", "1970-01-01T00:00:02.5Z")),
        (
            (datetime(1970, 1, 1, 0, 0, 1), datetime(1970, 1, 1, 0, 0, 2, 500_000)),
            (datetime(1970, 1, 1, 0, 0, 1), datetime(1970, 1, 1, 0, 0, 2, 500_000)),
        ),
    ],
)
def test_times_come_out_as_they_went_in(times: tuple[object, object], expected: tuple[object, object]) -> None:
    [match] = PAIR.run([{"type": kind, "time": time} for kind, time in zip("AB", times, strict=True)])
    assert (match.start, match.end) == expected
    assert match.evidence == (1, 2)


def test_every_kind_of_input_gives_the_same_matches(tmp_path: Path) -> None:
    (tmp_path / "events.jsonl").write_bytes(json_lines(ROWS))
    table = pa.Table.from_pylist(ROWS)
    for events in (
        ROWS,
        iter(ROWS),
        tmp_path,
        str(tmp_path / "events.jsonl"),
        table,
        table.to_batches(),
        table.to_pandas(),
    ):
        assert told(PAIR.run(events)) == [(1, 2.5, (1, 2))]


def test_a_frame_with_timestamps_gives_datetimes() -> None:
    frame = pd.DataFrame({"type": ["A", "B"], "time": pd.to_datetime([1, 2], unit="s", utc=True)})
    [match] = PAIR.run(frame)
    assert match.end == datetime(1970, 1, 1, 0, 0, 2, tzinfo=UTC)


def test_event_objects_are_in_ticks_and_keep_their_ids() -> None:
    [match] = PAIR.run([point("A", 1, "first"), point("B", 2, "second")])
    assert (match.start, match.end, match.evidence) == (1, 2, ("first", "second"))


def test_a_match_tells_all_about_itself() -> None:
    query = cepheid.compile("Rise = (a:A ; b:B) within 5 s emits delta = b.value - a.value", language="algebra")
    events = [{"type": "A", "time": 1, "value": 2}, {"type": "B", "time": 3, "value": 5}]
    [match] = query.run(events)
    assert match.name == "Rise"
    assert dict(match.values) == {"delta": 3}
    assert match.to_dict() == {
        "match": "Rise",
        "start": 1,
        "end": 3,
        "known": match.known,
        "values": {"delta": 3},
        "evidence": [1, 2],
        "id": match.id,
    }
    assert [again.id for again in query.run(events)] == [match.id]
    assert [bare.evidence for bare in query.run(events, evidence=False)] == [()]


def test_what_is_no_event_is_counted_and_handed_over() -> None:
    rejects: list[Reject] = []
    run = PAIR.run([*ROWS, {"type": "A"}, 7], on_reject=rejects.append)
    assert run.summary.events == 0
    assert len(list(run)) == 1
    assert (run.summary.events, run.summary.matches, run.summary.rejected) == (2, 1, 2)
    assert [reject.to_dict() for reject in rejects] == [
        {"code": "bad-event", "reason": "there is no `time`", "place": "", "path": "$[2]", "raw": {"type": "A"}},
        {
            "code": "bad-event",
            "reason": "expected an event or a mapping, got `int`",
            "place": "",
            "path": "$[3]",
            "raw": 7,
        },
    ]


def test_a_strict_run_stops_at_the_first() -> None:
    with pytest.raises(CepheidError) as raised:
        list(PAIR.run([*ROWS, {"type": "A"}], strict=True))
    assert str(raised.value) == ('error[bad-event]: there is no `time` at `$[2]`\n  = hint: add it: `"time": 1`')


def test_a_late_event_of_a_stream_is_set_aside() -> None:
    stream = cepheid.compile("(A ; B) within 5 s - C", disorder=2, language="algebra")
    rejects: list[Reject] = []
    run = stream.run([*ROWS, {"type": "C", "time": 0}], on_reject=rejects.append)
    assert told(run) == [(1, 2.5, (1, 2))]
    assert dict(run.summary.rejects) == {"late-event": 1}
    assert run.summary.events == 2
    assert draw(rejects[0].diagnostic) == (
        "error[late-event]: `C` of 0 came 2.5 s after a later event at `$[2]`\n"
        "  = hint: allow for it: `--disorder '2.5 s'`"
    )


@pytest.mark.parametrize("disorder", [None, "5 s"])
def test_a_second_event_of_an_id_is_set_aside(disorder: str | None) -> None:
    query = cepheid.compile("(A ; B) within 5 s - C", disorder=disorder, language="algebra")
    run = query.run([{**row, "key": "x"} for row in ROWS], id_column="key")
    assert list(run) == []
    assert dict(run.summary.rejects) == {"duplicate-event": 1}


def test_simultaneous_events_are_ordered_by_columns() -> None:
    rows = [{"type": "A", "time": 1, "rank": rank, "name": rank} for rank in (3, 1, 2)]
    query = cepheid.compile("Last = a:A emits name = a.name", language="algebra")
    [ranked], [plain] = query.run(rows, order_by=["rank"]), query.run(rows)
    assert (ranked.values["name"], plain.values["name"]) == (3, 2)


def test_events_that_last_need_a_query_for_them() -> None:
    rows = [
        {"type": "A", "from": 1, "time": 2},
        {"type": "B", "from": 3, "time": 6},
        {"type": "B", "from": 2, "time": 5},
    ]
    with pytest.raises(CepheidError) as raised:
        PAIR.run(rows, start_column="from")
    assert str(raised.value) == (
        "error[conflicting-options]: the query was compiled for events without a start of their own\n"
        "  = hint: write `compile(text, intervals=True)`"
    )
    query = cepheid.compile("(A ; B) within 5 s", intervals=True, language="algebra")
    assert told(query.run(rows, start_column="from")) == [(1, 6, (1, 2))]


def test_sources_that_are_declared_may_come_as_one_input() -> None:
    pair = cepheid.query((cepheid.event("A") >> cepheid.event("B")).within("5 s"))
    streams = [cepheid.declare("A", sources=["left"]), cepheid.declare("B", sources=["right", "far right"])]
    query = cepheid.compile(cepheid.program(pair, streams=streams), time_unit="s")
    assert told(query.run(ROWS)) == [(1, 2.5, (1, 2))]


@given(cases())
def test_a_run_finds_what_the_definition_says_for_any_program(case: Case) -> None:
    query = cepheid.compile(case.program, allow_unbounded=True, intervals=True)
    with usually_plain():
        found = Counter((match.name, match.start, match.end) for match in query.run(case.arrivals))
    came = {event.id: number for number, event in reversed([*enumerate(case.arrivals)])}
    numbered = [replace(event, number=came[event.id]) for event in case.trace]
    expected = matches_by_definition(case.program, numbered)
    assert found == Counter((match.name, match.start, match.end) for match in expected)


def test_fields_are_read_from_frames_as_far_as_the_query_looks_at_them() -> None:
    query = cepheid.compile(
        "Rise = (a:A ; b:B[value > 1]) within 5 s emits delta = b.value - a.start_value", language="algebra"
    )
    rows = [{**row, "value": 3, "start_value": 1, "other": 2} for row in ROWS]
    [match] = query.run(pa.Table.from_pylist(rows))
    assert dict(match.values) == {"delta": 2}


def test_a_type_that_the_input_spells_otherwise_is_a_warning() -> None:
    run = PAIR.run([{"type": "A", "time": 1}, {"type": "b", "time": 2}])
    assert list(run) == []
    assert [draw(warning) for warning in run.warnings] == [
        "warning[unknown-type]: the query reads `B`, and the input has none\n"
        " --> <query>:1:6\n  |\n1 | (A ; B) within 5 s - C\n  |      ^\n"
        "  = hint: did you mean `b`?"
    ]


def test_a_query_that_reads_nothing_of_the_input_is_a_warning() -> None:
    run = ALARM.run([{"type": "buttons", "time": 1}, {"type": "valve", "time": 1}])
    assert list(run) == []
    assert [draw(warning) for warning in run.warnings] == [
        "warning[unknown-type]: the query reads `Button`, `Pressure`, `Temperature`, and the input has none of that\n"
        " --> <query>:1:10\n  |\n1 | Alarm = (Button ; Button) within 2 s - (Pressure | Temperature)\n"
        "  |          ^^^^^^\n"
        "  = note: the input has `buttons`, `valve`\n"
        "  = hint: did you mean `buttons` by `Button`?"
    ]


def test_no_events_are_no_matches_and_no_warning() -> None:
    run = PAIR.run([])
    assert (list(run), run.warnings, run.summary.events) == ([], [], 0)


def test_a_window_cuts_events_that_last() -> None:
    query = cepheid.compile("(A ; B) within 5 s - (C within 1 s)", intervals=True, language="algebra")
    events = [
        {"type": "A", "begin": 0, "time": 1},
        {"type": "C", "begin": 1.5, "time": 2.6},
        {"type": "B", "begin": 3, "time": 4},
        {"type": "B", "begin": 3, "time": 5.5},
    ]
    assert [(match.start, match.end) for match in query.run(events, start_column="begin")] == [(0, 4)]


def test_matches_have_the_ids_that_the_definition_gives_to_the_query_as_it_was_written() -> None:
    query = cepheid.compile("((A ; B) ; C) within 5 s", policy="all", language="algebra")
    events = [point("A", 1, "a"), point("B", 2, "b"), point("C", 3, "c")]
    assert query.rewritten != query.program
    assert [match.id for match in query.run(events)] == [
        match.id for match in matches_by_definition(query.program, events)
    ]
