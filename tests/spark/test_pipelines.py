"""A pipeline goes from its sources to its sinks, each result once, and says beforehand what it will do."""

import csv
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from cepheid.api import check_pipeline
from cepheid.spark.pipelines import BatchFigures
from tests.cli.console import cepheid

EXAMPLE = Path(__file__).parents[2] / "examples" / "pipeline"
PAYMENTS = [
    {"payment": "p8", "order": 6, "amount": 15.0, "time": "2024-05-17T11:40:00Z"},
    {"payment": "p9", "order": 9, "amount": 50.0, "time": "2024-05-17T14:00:00Z"},
]
ORDERS = "placed_at,order,amount,customer\n2024-05-17T14:00:00Z,7,10.0,fay\n"  # in another order than before


def rows(directory: Path) -> Iterator[dict[str, object]]:
    """Yield the results that lie in the batches of a sink."""
    for file in sorted(directory.glob("batch=*/part-*")):
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".csv":
            yield from csv.DictReader(text.splitlines(), escapechar="\\")
        else:
            yield from map(json.loads, text.splitlines())


def ran(path: Path) -> list[BatchFigures]:
    told: list[BatchFigures] = []
    check_pipeline(str(path)).run(told.append, once=True)
    return told


def ends(directory: Path) -> list[str]:
    return sorted(str(row["end"])[11:16] for row in rows(directory))


def test_each_result_is_written_once_also_where_a_batch_is_repeated(spark: SparkSession, tmp_path: Path) -> None:
    here = tmp_path / "pipeline"
    shutil.copytree(EXAMPLE, here)
    results = here / "results"
    [figures] = ran(here / "pipeline.toml")
    assert (figures.events, figures.matches, figures.corrupt, figures.late) == (11, 5, 2, 0)
    assert figures.promised is not None
    assert figures.used <= figures.promised
    before = {name: list(rows(results / name)) for name in ("paid", "twice", "aside")}
    assert ends(results / "paid") == ["08:05", "08:30", "08:31", "09:45"]
    assert [row["match"] for row in before["twice"]] == ["Twice"]
    assert {row["rejected"]["reason"] for row in before["aside"]} == {  # type: ignore[index]  # JSON that we wrote
        "`time` says no time",
        "the record is malformed",
    }
    # A crash after the batch was written, and before that was noted; meanwhile there is more to read.
    for name in ("0", ".0.crc"):
        (here / "state" / "checkpoint" / "commits" / name).unlink()
    (here / "payments" / "later.jsonl").write_text("\n".join(map(json.dumps, PAYMENTS)), encoding="utf-8")
    (here / "orders" / "later.csv").write_text(ORDERS, encoding="utf-8")
    assert [one.batch for one in ran(here / "pipeline.toml")] == [0, 1]
    assert ends(results / "paid") == ["08:05", "08:30", "08:31", "09:45", "11:30", "11:40"]
    for name in ("twice", "aside"):
        again = list(rows(results / name))
        assert [row for row in again if row in before[name]] == before[name]
    assert len(list(rows(results / "twice"))) == 2


def test_a_check_says_what_the_queries_cost_and_what_spark_will_do(spark: SparkSession, tmp_path: Path) -> None:
    here = tmp_path / "pipeline"
    shutil.copytree(EXAMPLE, here)
    answer = cepheid("pipeline", "check", str(here / "pipeline.toml"))
    assert (answer.status, answer.said) == (0, "")
    certificate, plan = answer.output.split("on Spark\n")
    assert "Paid: bounded" in certificate
    assert plan == (
        "  reads    `type`, `time`, `amount`, `customer`, `order`; "
        "and all others, to distinguish events that have no id column\n"
        "  takes    all of `Order`\n"
        "  takes    all of `Payment`\n"
        "  runs     Paid, Twice: dealt out by `order` into 4 buckets\n"
        "results\n"
        f"  paid: json in {here}/results/paid\n"
        f"  twice: csv in {here}/results/twice\n"
        f"  aside: json in {here}/results/aside\n"
    )
    assert not (here / "state").exists(), "a check leaves nothing behind"


HEAD = '[pipeline]\ncheckpoint = "checkpoint"\n'
SOURCE = """[sources.events]
format = "json"
path = "events"
schema = "kind string, at timestamp, seen boolean, floor int"
type_column = "kind"
time_column = "at"
"""
QUERY = '[queries.alarm]\ntext = "Alarm = (a:Button[floor > 1] ; b:Button) within 2 s"\nlanguage = "algebra"\n'
SINK = '[sinks.matches]\nformat = "json"\npath = "matches"\n'


def said(directory: Path, text: str) -> str:
    (directory / "events").mkdir(exist_ok=True)
    (directory / "pipeline.toml").write_text(text, encoding="utf-8")
    answer = cepheid("pipeline", "check", str(directory / "pipeline.toml"))
    assert answer.status == 2
    assert not (directory / "checkpoint").exists()
    return answer.said.replace(f"{directory}/", "")


def test_a_column_that_is_not_there(spark: SparkSession, tmp_path: Path) -> None:
    assert said(tmp_path, HEAD + SOURCE.replace('"at"', '"att"') + QUERY + SINK) == (
        "error[missing-column]: the source `events` has no column `att`\n"
        " --> pipeline.toml:8:1\n"
        "  |\n"
        '8 | time_column = "att"\n'
        "  | ^^^^^^^^^^^ there is `kind`, `at`, `seen`, `floor`\n"
        '  = hint: write `time_column = "at"`\n'
    )


def test_a_column_that_says_no_times(spark: SparkSession, tmp_path: Path) -> None:
    assert said(tmp_path, HEAD + SOURCE.replace('"at"', '"seen"') + QUERY + SINK) == (
        "error[bad-time-column]: the column `seen` is of type `boolean`, which says no time\n"
        " --> pipeline.toml:8:1\n"
        "  |\n"
        '8 | time_column = "seen"\n'
        "  | ^^^^^^^^^^^ no times here\n"
        "  = hint: name a column of timestamps, numbers or ISO 8601, or make one: "
        '`select = ["*", "to_timestamp(day) AS time"]`\n'
    )


def test_a_query_without_a_bound_needs_consent(tmp_path: Path) -> None:
    query = '[queries.alarm]\ntext = "a:Button ; b:Button"\nlanguage = "algebra"\npolicy = "all"\n'
    assert said(tmp_path, HEAD + SOURCE + query + SINK).startswith("error[unbounded-state]: ")


def test_a_sink_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    assert said(tmp_path, HEAD + SOURCE + QUERY + SINK.replace('"matches"', '"file/matches"')) == (
        "error[unwritable-output]: `file/matches` cannot be written: `file` is no directory\n"
        "  --> pipeline.toml:14:1\n"
        "   |\n"
        '14 | path = "file/matches"\n'
        "   | ^^^^ of the sink `matches`\n"
    )


def test_a_checkpoint_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    head = HEAD.replace('"checkpoint"', '"file/checkpoint"')
    assert said(tmp_path, head + SOURCE + QUERY + SINK).startswith(
        "error[unwritable-output]: `file/checkpoint` cannot be written: `file` is no directory\n"
        " --> pipeline.toml:2:1\n"
    )


def test_a_server_that_refuses(tmp_path: Path) -> None:
    sink = '[sinks.matches]\nformat = "postgresql"\nurl = "postgresql://127.0.0.1:1/none"\ntable = "matches"\n'
    drawn = said(tmp_path, HEAD + SOURCE + QUERY + sink)
    assert drawn.startswith("error[unwritable-output]: PostgreSQL refuses: ")
    assert "--> pipeline.toml:14:1\n" in drawn


def test_an_output_of_another_run(tmp_path: Path) -> None:
    (tmp_path / "matches").mkdir()
    (tmp_path / "matches" / "something").write_text("", encoding="utf-8")
    assert said(tmp_path, HEAD + SOURCE + QUERY + SINK).startswith(
        "error[foreign-output]: `matches` belongs to another"
    )


def test_a_query_file_that_is_not_there(tmp_path: Path) -> None:
    drawn = said(tmp_path, HEAD + SOURCE + '[queries.alarm]\nfile = "no.alg"\n' + SINK)
    assert drawn.startswith("error[unreadable-input]: `no.alg` cannot be read: there is no such file\n")


def test_a_pattern_of_paths_that_is_none(spark: SparkSession, tmp_path: Path) -> None:
    source = SOURCE.replace("schema =", "# schema =").replace('= "events"', '= "events{{s"')
    (tmp_path / "alarm.alg").write_text("Alarm = (a:Button ; b:Button) within 2 s", encoding="utf-8")
    text = HEAD + source + '[queries.alarm]\nfile = "alarm.alg"\n' + SINK
    assert said(tmp_path, text).startswith("error[unreadable-input]: the source `events` has no files yet")


@pytest.mark.parametrize("name", ["x" * 300, r"nul\u0000", "loop/x"])
@pytest.mark.parametrize(
    ("key", "code"),
    [
        ("checkpoint", "unwritable-output"),
        ("matches", "unwritable-output"),
        ("alarm.alg", "unreadable-input"),
        ("events", "unreadable-input"),
    ],
)
def test_a_name_that_no_file_can_have(spark: SparkSession, tmp_path: Path, key: str, code: str, name: str) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "alarm.alg").write_text("Alarm = (a:Button ; b:Button) within 2 s", encoding="utf-8")
    source = SOURCE.replace("schema =", "# schema =")
    text = HEAD + source + '[queries.alarm]\nfile = "alarm.alg"\n' + SINK
    assert said(tmp_path, text.replace(f'= "{key}"', f'= "{name}"')).startswith(f"error[{code}]: ")


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ('[sources.events]\nformat = "json"\npath = "none"\n', "error[unreadable-input]: `none` cannot be read"),
        (
            '[sources.events]\nformat = "json"\npath = "events"\n',
            "error[unreadable-input]: the source `events` has no files yet that would show its columns",
        ),
        ('[sources.events]\nformat = "nonsense"\n', "error[unreadable-input]: the source `events` cannot be read: "),
        (
            SOURCE.replace("kind string", "kind strng"),
            "error[bad-pipeline]: the schema of the source `events` cannot be read",
        ),
        (
            SOURCE + 'select = ["upper(nothing) AS kind", "at"]\n',
            "error[unreadable-input]: the source `events` cannot be read: ",
        ),
    ],
)
def test_a_source_that_spark_cannot_read(spark: SparkSession, tmp_path: Path, source: str, message: str) -> None:
    assert said(tmp_path, HEAD + source + QUERY + SINK).startswith(message)


def test_a_stream_without_a_key_is_warned_about_with_an_equality(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "pipeline.toml").write_text(HEAD + SOURCE + QUERY + SINK, encoding="utf-8")
    (tmp_path / "events").mkdir()
    answer = cepheid("pipeline", "check", str(tmp_path / "pipeline.toml"))
    assert answer.status == 0
    assert "  takes    of `Button` only those with `floor > 1`\n" in answer.output
    assert "  runs     Alarm: no key, so one bucket takes all its events\n" in answer.output
    assert answer.said.replace(f"{tmp_path}/", "") == (
        "warning[one-partition]: `Alarm` has no key, so one worker takes all its events\n"
        " --> pipeline.toml:9:2\n"
        "  |\n"
        "9 | [queries.alarm]\n"
        "  |  ^^^^^^^^^^^^^ this query\n"
        "  = note: that worker holds all of its state: at most 1 entries\n"
        "  = hint: let the events of a match agree: `a.floor == b.floor`\n"
    )
