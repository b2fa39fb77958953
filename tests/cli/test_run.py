"""`cepheid run` writes matches to its output, and everything else to standard error."""

import io
import json
import subprocess
import sys
from pathlib import Path

import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from cepheid import api
from cepheid.cli.progress import watched
from tests.cli.console import cepheid

ALARM = "Alarm = (Button ; Button) within 2 s - (Pressure | Temperature)"
EVENTS = (
    '{"type": "Button", "time": 1}\n{"type": "Button", "time": 2.5}\n{"type": "Pressure", "time": 3}\n'
    '{"type": "Button", "time": 4}\n'
)
TABLE = "match  start  end  known     evidence\nAlarm  1      2.5  2.500001  1 2\n"


@pytest.fixture
def events(tmp_path: Path) -> str:
    path = tmp_path / "events.jsonl"
    path.write_text(EVENTS)
    return str(path)


def test_matches_are_json_lines(events: str) -> None:
    answer = cepheid("run", ALARM, "--language", "algebra", "--input", events)
    [match] = map(json.loads, answer.output.splitlines())
    assert list(match) == ["match", "start", "end", "known", "values", "evidence", "id"]
    assert (match["match"], match["start"], match["end"], match["evidence"]) == ("Alarm", 1, 2.5, [1, 2])
    assert (answer.status, answer.said) == (0, "4 events, 1 match\n")


def test_a_query_can_be_a_file(events: str, tmp_path: Path) -> None:
    query = tmp_path / "alarm.alg"
    query.write_text(ALARM)
    assert cepheid("run", str(query), "-i", events) == cepheid("run", ALARM, "--language", "algebra", "-i", events)


@pytest.mark.parametrize("given", [EVENTS, "time,type\n1,Button\n2.5,Button\n3,Pressure\n4,Button\n"])
def test_standard_input_is_read_by_default(given: str) -> None:
    assert cepheid("run", ALARM, "--language", "algebra", "--format", "table", "-q", given=given).output == TABLE
    assert (
        cepheid("run", ALARM, "--language", "algebra", "--format", "table", "-q", "-i", "-", given=given).output
        == TABLE
    )


def test_the_command_is_a_program(events: str) -> None:
    command = [
        sys.executable,
        "-m",
        "cepheid",
        "run",
        ALARM,
        "--language",
        "algebra",
        "--input",
        events,
        "--format",
        "table",
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (ran.stdout, ran.stderr) == (TABLE, "4 events, 1 match\n")


def test_the_output_says_its_format_by_its_name(events: str, tmp_path: Path) -> None:
    for name in ("a.jsonl", "a.csv", "a.parquet", "a.arrow"):
        answer = cepheid("run", ALARM, "--language", "algebra", "-i", events, "-o", str(tmp_path / name))
        assert (answer.status, answer.output) == (0, "")
    assert json.loads((tmp_path / "a.jsonl").read_text())["end"] == 2.5
    assert (tmp_path / "a.csv").read_text().splitlines()[1].startswith('Alarm,1,2.5,2.500001,"[1, 2]",')
    assert pq.read_table(tmp_path / "a.parquet").to_pylist()[0]["evidence"] == [1, 2]
    assert feather.read_table(tmp_path / "a.arrow").equals(pq.read_table(tmp_path / "a.parquet"))


def test_an_empty_input_has_no_matches(tmp_path: Path) -> None:
    answer = cepheid("run", ALARM, "--language", "algebra", "-o", str(tmp_path / "none.parquet"))
    assert (answer.status, answer.said) == (0, "0 events, 0 matches\n")
    assert pq.read_table(tmp_path / "none.parquet").num_rows == 0
    assert (
        cepheid("run", ALARM, "--language", "algebra", "--format", "csv").output
        == "match,start,end,known,evidence,id\n"
    )


def test_dates_go_out_as_they_came() -> None:
    given = "type,time\nButton,2024-05-17T08:30:00Z\nButton,2024-05-17T08:30:01.5Z\n"
    [match] = map(json.loads, cepheid("run", ALARM, "--language", "algebra", given=given).output.splitlines())
    assert (match["start"], match["end"]) == ("2024-05-17T08:30:00Z", "2024-05-17T08:30:01.5Z")


def test_columns_units_and_order_can_be_set() -> None:
    given = '{"kind": "A", "at": 1000, "key": "x", "n": 1}\n{"kind": "B", "at": 2500, "key": "y", "n": 2}\n'
    answer = cepheid(
        "run", "(A ; B) within 2 s", "--language", "algebra",
        "--type-column", "kind", "--time-column", "at", "--id-column", "key",
        "--order-by", "n", "--time-unit", "ms", given=given,
    )  # fmt: skip
    [match] = map(json.loads, answer.output.splitlines())
    assert (match["start"], match["end"], match["evidence"]) == (1000, 2500, ["x", "y"])


def test_events_may_last() -> None:
    given = "type,from,time\nA,1,2\nB,3,4\n"
    answer = cepheid("run", "(A ; B) within 5 s", "--language", "algebra", "--start-column", "from", given=given)
    [match] = map(json.loads, answer.output.splitlines())
    assert (match["start"], match["end"]) == (1, 4)


def test_the_number_of_matches_can_be_limited(events: str) -> None:
    for limit, matches in ((0, 0), (2, 2), (9, 4)):
        answer = cepheid("run", "Button | Pressure", "--language", "algebra", "-i", events, "--limit", str(limit))
        assert len(answer.output.splitlines()) == matches
        assert answer.said.endswith(f" {matches} matches\n")
        assert answer.status == 0


def test_evidence_can_be_left_out(events: str) -> None:
    [match] = map(
        json.loads, cepheid("run", ALARM, "--language", "algebra", "-i", events, "--no-evidence").output.splitlines()
    )
    assert match["evidence"] == []


def test_rows_that_say_no_event_are_set_aside(tmp_path: Path) -> None:
    rejects = tmp_path / "rejects.jsonl"
    answer = cepheid(
        "run",
        ALARM,
        "--language",
        "algebra",
        "--rejects",
        str(rejects),
        given=EVENTS + 'nonsense\n{"type": "Button"}\n',
    )
    assert answer.status == 0
    assert answer.said == (
        "warning[rejected-rows]: 2 of 6 rows were rejected; the first: this is not JSON: a value is missing at column "
        "1 (standard input:5)\n"
        '  = hint: write one object per line, for example `{"type": "A", "time": 12}`\n'
        f"4 events, 1 match, 2 rows rejected in {rejects} (1 bad-event, 1 bad-json)\n"
    )
    assert [json.loads(line) for line in rejects.read_text().splitlines()] == [
        {
            "code": "bad-json",
            "reason": "this is not JSON: a value is missing at column 1",
            "place": "standard input:5",
            "path": None,
            "raw": "nonsense",
        },
        {
            "code": "bad-event",
            "reason": "there is no `time`",
            "place": "standard input:6",
            "path": None,
            "raw": '{"type": "Button"}',
        },
    ]


def test_a_strict_run_ends_at_the_first_of_them() -> None:
    answer = cepheid("run", ALARM, "--language", "algebra", "--strict", given=EVENTS + "nonsense\n")
    assert (answer.status, answer.said) == (
        2,
        "error[bad-json]: this is not JSON: a value is missing at column 1 (standard input:5)\n"
        '  = hint: write one object per line, for example `{"type": "A", "time": 12}`\n',
    )


def test_a_run_that_reads_nothing_at_all_has_failed() -> None:
    answer = cepheid(
        "run", ALARM, "--language", "algebra", given="nonsense\n{}\n".replace("nonsense", '{"type": 7, "time": 1}')
    )
    assert answer.status == 1
    assert "2 of 2 rows were rejected" in answer.said
    assert cepheid("run", ALARM, "--language", "algebra", given="").status == 0


def test_with_a_disorder_the_input_is_a_stream() -> None:
    given = '{"type": "A", "time": 5}\n{"type": "B", "time": 4}\n{"type": "A", "time": 3}\n'
    for disorder in ("1", "1 s"):
        answer = cepheid("run", "(A ; B) within 9 s", "--language", "algebra", "--disorder", disorder, given=given)
        assert answer.said.splitlines()[-1] == "2 events, 0 matches, 1 row rejected (1 late-event)"
    assert cepheid("run", "(A ; B) within 9 s", "--language", "algebra", given=given).said == "3 events, 1 match\n"


def test_a_type_that_is_spelled_otherwise_is_a_warning() -> None:
    answer = cepheid("run", "(Buton ; Pressure) within 9 s", "--language", "algebra", given=EVENTS)
    assert (answer.status, answer.output) == (0, "")
    assert answer.said == (
        "warning[unknown-type]: the query reads `Buton`, and the input has none\n"
        " --> <query>:1:2\n"
        "  |\n"
        "1 | (Buton ; Pressure) within 9 s\n"
        "  |  ^^^^^\n"
        "  = hint: did you mean `Button`?\n"
        "4 events, 0 matches\n"
    )


def test_events_that_come_faster_than_declared_are_a_warning_or_an_error(events: str) -> None:
    answer = cepheid(
        "run", ALARM, "--language", "algebra", "-i", events, "--rate", "Button=1/s", "--rate", "Pressure=1 per 9 s"
    )
    assert (answer.status, answer.said) == (0, "4 events, 1 match\n")
    rate = ("--rate", "Button=1 per 2 s")
    answer = cepheid("run", ALARM, "--language", "algebra", "-i", events, *rate)
    assert answer.status == 0
    assert answer.said.startswith("warning[rate-exceeded]: more than 1 `Button` events come within 2 s\n")
    assert answer.said.endswith("\n4 events, 1 match\n")
    answer = cepheid("run", ALARM, "--language", "algebra", "-i", events, *rate, "--on-excess", "fail")
    assert answer.status == 2
    assert answer.said.startswith("error[rate-exceeded]: more than 1 `Button` events come within 2 s\n")


def test_progress_is_shown_where_somebody_looks(events: str, monkeypatch: pytest.MonkeyPatch) -> None:
    class Screen(io.StringIO):
        def isatty(self) -> bool:
            return True

    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    run = api.load(ALARM, language="algebra").run(events)
    assert sum(len(batch) for batch in watched(run.portions(), run)) == 1
    assert "4 events" in screen.getvalue()
    assert "1 matches" in screen.getvalue()


def test_quiet_says_nothing() -> None:
    assert (
        cepheid(
            "run", "(Buton ; Pressure) within 9 s", "--language", "algebra", "--quiet", given=EVENTS + "nonsense\n"
        ).said
        == ""
    )


def test_input_may_be_a_pattern_and_several_paths(events: str, tmp_path: Path) -> None:
    inside = tmp_path / "logs"
    inside.mkdir()
    for name in ("a.jsonl", "b.jsonl"):
        (inside / name).write_text(Path(events).read_text())
    whole = cepheid("run", "Button", "--language", "algebra", "-i", f"{inside}/*.jsonl", "-q").output
    assert [json.loads(line)["evidence"] for line in whole.splitlines()] != []
    assert (
        whole
        == cepheid(
            "run", "Button", "--language", "algebra", "-i", f"{inside}/a.jsonl", "-i", f"{inside}/b.jsonl", "-q"
        ).output
    )
    assert whole == cepheid("run", "Button", "--language", "algebra", "-i", str(inside), "-q").output


def test_what_is_waited_for_is_read_alone(events: str) -> None:
    assert cepheid("run", "Button", "--language", "algebra", "-i", events, "-i", "-").said == (
        "error[conflicting-options]: `--input -` waits for its bytes, and is read alone\n"
        "  = hint: leave out the others: `--input -`\n"
    )
    assert cepheid("run", "Button", "--language", "algebra", "-i", events, "-i", events, "--on", "spark").said == (
        "error[conflicting-options]: Spark reads one path\n"
        "  = hint: put the files into a directory: `--input events/`\n"
    )


def test_the_values_of_a_pipe_are_written(tmp_path: Path) -> None:
    (tmp_path / "trades.csv").write_text("type,time,price\nTrade,1,10\nTrade,2,20\nTrade,9,5\n")
    text = "pipe mean = source Trade | window within 5 s { input | fold $total + $0.price from 0 }"
    done = cepheid("run", text, "-i", str(tmp_path / "trades.csv"), "--values", "mean")
    assert (done.output, done.said) == ("10\n30\n5\n", "3 events, 0 matches\n")
    wrong = cepheid("run", text, "-i", str(tmp_path / "trades.csv"), "--values", "men")
    assert "did you mean `mean`?" in wrong.said
