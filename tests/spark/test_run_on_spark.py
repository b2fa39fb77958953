"""`cepheid run --on spark` writes what `cepheid run` writes."""

import json
from pathlib import Path

from pyspark.sql import SparkSession

from tests.cli.console import Answer, cepheid

QUERY = "Alarm = (a:Button ; b:Button) within 2 s by user emits floors = a.floor + b.floor"
LINES = [
    {"type": "Button", "time": 1, "id": "e1", "user": "ann", "floor": 1},
    {"type": "Button", "time": 2.5, "id": "e2", "user": "ann", "floor": 2},
    {"type": "Button", "time": 2.5, "id": "e3", "user": "bob", "floor": 1},
    {"type": "Other", "time": 3, "id": "e4", "user": "bob", "floor": 1},
    {"type": "Button", "time": 4, "id": "e5", "user": "bob", "floor": 5},
    {"type": "Button", "time": 4.25, "id": "e6", "user": "ann", "floor": 3},
]


def answered(directory: Path, *options: str) -> Answer:
    return cepheid("run", QUERY, "--language", "algebra", "--input", str(directory), "--id-column", "id", *options)


def test_the_same_comes_out(spark: SparkSession, tmp_path: Path) -> None:
    events = tmp_path / "events"
    events.mkdir()
    lines = [json.dumps(one) for one in LINES]
    (events / "1.jsonl").write_text("\n".join([*lines[:3], "{broken"]), encoding="utf-8")
    (events / "2.jsonl").write_text("\n".join(lines[3:]), encoding="utf-8")
    here, there = answered(events), answered(events, "--on", "spark", "--rejects", str(tmp_path / "rejects.jsonl"))
    assert there.status == 0
    assert sorted(there.output.splitlines()) == sorted(here.output.splitlines())
    assert len(here.output.splitlines()) == 3
    assert "6 events, 3 matches, 1 row rejected" in there.said
    [reject] = map(json.loads, (tmp_path / "rejects.jsonl").read_text(encoding="utf-8").splitlines())
    assert (reject["code"], reject["raw"], reject["place"]) == ("bad-event", "{broken", str(events / "1.jsonl"))


def said(*arguments: str) -> str:
    answer = cepheid("run", QUERY, "--language", "algebra", *arguments)
    assert answer.status == 2
    return answer.said


def test_spark_reads_files_only() -> None:
    assert said("--on", "spark") == (
        "error[conflicting-options]: Spark reads files, not standard input\n"
        "  = hint: name a directory: `--input events/`\n"
    )
    assert said("--master", "local[1]") == (
        "error[conflicting-options]: a cluster is named, and the query runs in this process\n"
        "  = hint: add `--on spark`\n"
    )


def test_a_directory_of_nothing_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    assert said("--on", "spark", "--input", str(tmp_path / "no")) == (
        f"error[unreadable-input]: `{tmp_path}/no` cannot be read: there is no such file\n"
    )
    assert said("--on", "spark", "--input", "x" * 300).startswith("error[unreadable-input]: ")
    (tmp_path / "a.csv").write_text("type,time\nButton,1\n", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text("", encoding="utf-8")
    assert said("--on", "spark", "--input", str(tmp_path)) == (
        f"error[unknown-format]: it is not clear what `{tmp_path}` holds\n"
        "  = note: there are files of csv and json\n"
        "  = hint: give all names the ending `.jsonl`, `.csv` or `.parquet`\n"
    )
    assert said("--on", "spark", "--input", str(tmp_path / "a.csv"), "--time-column", "tim") == (
        "error[missing-column]: no row has a column `tim`\n"
        "  = note: there is `type`, `time`\n"
        "  = hint: say which column it is: `--time-column time`\n"
    )
