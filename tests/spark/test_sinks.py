"""Each sink takes its part of a batch, and a batch that is repeated takes the place of itself."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from pyspark.sql import DataFrame, SparkSession

from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines import BatchFigures, read_pipeline
from cepheid.spark.pipelines.figures import RuleFigures, new_figures
from cepheid.spark.pipelines.ownership import begin, claim, may_write, remember_schema, run_of, schema_of
from cepheid.spark.pipelines.running import stream_failed, writes
from cepheid.spark.pipelines.sinks import sinks_of

PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
[sources.events]
format = "rate"
[queries.one]
text = "A ; B within 1 s"
language = "algebra"
[queries.two]
text = "A ; C within 1 s"
language = "algebra"
[sinks.all]
format = "json"
path = "all"
[sinks.two]
query = "two"
format = "csv"
path = "two"
[sinks.aside]
what = ["late", "corrupt"]
format = "memory"
[sinks.seen]
what = ["match", "late", "corrupt"]
format = "console"
"""
SCHEMA = "tag string, query string, id string, values struct<n: int>, evidence array<string>"


def batch(spark: SparkSession) -> DataFrame:
    told = [
        ("match", "one", "m1", (1,), ["e1", "e2"]),
        ("match", "two", "m2", (2,), ["e1", "e3"]),
        ("late", "one", None, None, None),
        ("corrupt", None, None, None, None),
    ]
    return spark.createDataFrame(told, SCHEMA).coalesce(1)


def test_every_sink_gets_its_part_once(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pipeline = read_pipeline(PIPELINE, directory=tmp_path)
    sinks = sinks_of(pipeline)
    results = batch(spark)
    for sink in sinks.values():
        sink.check(None)
        sink.begin("a run", results.schema)
    write = writes(pipeline, sinks)
    write(results, 7)
    write(results, 7)
    [file] = tmp_path.glob("all/batch=7/part-*")
    found = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert [row["id"] for row in found] == ["m1", "m2"]
    [file] = tmp_path.glob("two/batch=7/part-*")
    assert file.read_text(encoding="utf-8").splitlines()[1].startswith("match,two,m2,")
    assert [row["tag"] for row in spark.table("aside").collect()] == ["late", "corrupt"]
    assert capsys.readouterr().out.count("seen, batch 7") == 2
    for name in ("all", "two"):
        with pytest.raises(CepheidError, match="belongs to another run"):
            sinks[name].check("another run")
        sinks[name].check("a run")


@pytest.mark.parametrize("form", ["json", "parquet", "orc", "csv"])
def test_results_without_values_are_written(spark: SparkSession, tmp_path: Path, form: str) -> None:
    """A query that emits no values has a column of values without parts, which most files cannot hold."""
    text = PIPELINE.replace('format = "json"\npath = "all"', f'format = "{form}"\npath = "all"')
    sink = sinks_of(read_pipeline(text, directory=tmp_path))["all"]
    sink.write(spark.sql("SELECT 'match' tag, 'one' query, 'm1' id, struct() values"), 0)
    options = {"header": "true"} if form == "csv" else {}
    [row] = spark.read.format(form).options(**options).load(str(tmp_path / "all")).collect()
    assert (row["tag"], row["query"], row["id"], row["batch"]) == ("match", "one", "m1", 0)


def test_a_run_keeps_its_id_and_its_schemas(tmp_path: Path) -> None:
    checkpoint = tmp_path / "deep" / "checkpoint"
    assert run_of(checkpoint) is None
    assert begin(checkpoint, lambda: "first") == "first"
    remember_schema(checkpoint, "events", "{}")
    assert begin(checkpoint, lambda: "second") == "first"
    assert (schema_of(checkpoint, "events"), schema_of(checkpoint, "others")) == ("{}", None)


def test_a_directory_belongs_to_who_claimed_it(tmp_path: Path) -> None:
    output = tmp_path / "output"
    assert may_write(output, None)
    claim(output, "mine")
    claim(output, "mine")
    assert may_write(output, "mine")
    assert not may_write(output, None)
    with pytest.raises(CepheidError, match="belongs to another run"):
        claim(output, "yours")


def progress(batch: int, observed: Mapping[str, object] | None) -> dict[str, object]:
    metrics = {} if observed is None else {"cepheid": observed}
    return {"batchId": batch, "observedMetrics": metrics, "numInputRows": 10, "processedRowsPerSecond": 5.5}


def test_each_batch_is_told_once_and_idle_ones_are_not() -> None:
    names = ("events", "used", "match", "late", "duplicate", "corrupt", "hottest_events")
    observed = {
        **dict.fromkeys(names, 1),
        "promised": None,
        "hottest": None,
        "exceeded": "",
        "arrivals": "",
        "keys": "",
    }
    reports = [progress(0, observed), progress(1, observed), progress(1, observed), progress(2, None)]
    assert [one.batch for one in new_figures(reports, -1)] == [0, 1]
    assert list(new_figures(reports, 1)) == []
    [first, _] = new_figures(reports, -1)
    assert first == BatchFigures(0, 9, 1, 1, 1, 1, 1, None, None, 1, 5.5)
    assert str(first) == "batch 0: 9 events (6/s), 1 matches, 1 late, 1 duplicate, 1 corrupt, 1 entries held"


def test_what_rules_hold_and_what_was_not_read_is_told() -> None:
    names = ("events", "used", "match", "late", "duplicate", "corrupt", "hottest_events")
    observed = {
        **dict.fromkeys(names, 1),
        "promised": None,
        "hottest": None,
        "exceeded": "",
        "arrivals": "",
        "keys": "",
    }
    held = [{"query": 0, "match": "Paid, Again", "used": used, "promised": most} for used, most in ((3, 40), (4, None))]
    end, latest = {"0": {"next": 5}, "1": {"next": 7}}, {"topic": "orders", "partitions": {"0": 9, "1": 7, "2": 3}}
    topic = {"endOffset": json.dumps(end), "latestOffset": json.dumps(latest)}
    files = {"endOffset": '{"logOffset": 3}', "latestOffset": None}
    report = {
        **progress(2, {**observed, "held": held}),
        "sources": [topic, files],
        "durationMs": {"triggerExecution": 250},
    }
    counts = {("paid", "Paid", "match"): 2, ("paid", None, "late"): 3, (None, None, "corrupt"): 1}
    [figures] = new_figures([report], -1, ["paid"], {2: counts})
    assert (figures.lag, figures.seconds) == ({"orders": 4}, 0.25)
    assert figures.rules == (RuleFigures("paid", "Paid, Again", 7, 40, {"Paid": 2, "Again": 0}, 3, 0),)


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("[STREAM_FAILED] it was terminated\njava.io.IOException: disk is full\n\tat x", "disk is full"),
        ("x\ncepheid.diagnostics.error.CepheidError: error[late-event]: too late\n  = hint: no", "too late"),
        ("", "nobody said why"),
    ],
)
def test_what_stopped_a_stream_is_told(reason: str, told: str) -> None:
    assert str(stream_failed(reason)).splitlines()[0] == f"error[stream-failed]: the stream stopped: {told}"


def test_a_stream_with_other_stages_than_its_checkpoint_says_so() -> None:
    reason = "[STREAM_FAILED] terminated with exception: [STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA] ..."
    assert str(stream_failed(reason)).splitlines() == [
        "error[state-mismatch]: the checkpoint holds a stream with another number of stages",
        "  = hint: continue with the queries that were running, or start a new checkpoint",
    ]
