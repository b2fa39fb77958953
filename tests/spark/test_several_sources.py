"""Several sources become one frame: columns with common names, times in one form, and a clock for each source."""

import pytest
from pyspark.sql import SparkSession

import cepheid
from cepheid.api.pipelines import with_sources
from cepheid.diagnostics import CepheidError
from cepheid.spark.event_columns import ORIGIN
from cepheid.spark.pipelines import DeclaredSource, read_pipeline
from cepheid.spark.pipelines.sources import united

HEAD = '[pipeline]\ncheckpoint = "c"\n[queries.q]\ntext = "A ; B within 1 s"\nlanguage = "algebra"\n'
HEAD += '[sinks.s]\nformat = "console"\n'
ONE = '[sources.one]\nformat = "rate"\ntype = "A"\ntime_column = "at"\n'
OTHER = '[sources.other]\nformat = "rate"\n'


def test_columns_get_common_names_and_rows_know_their_source(spark: SparkSession) -> None:
    pipeline = read_pipeline(HEAD + ONE + OTHER + 'time_column = "when"\ntype_column = "kind"\n')
    frames = [
        spark.createDataFrame([], "at timestamp, user string"),
        spark.createDataFrame([], "kind string, when timestamp, floor int"),
    ]
    events = united(pipeline, frames)
    assert (events.type, events.time, events.source, events.id) == ("type", "time", ORIGIN, None)
    assert sorted(events.frame.columns) == sorted(["type", "time", "user", "floor", ORIGIN])


def test_times_of_different_forms_become_timestamps(spark: SparkSession) -> None:
    pipeline = read_pipeline(HEAD + ONE + OTHER + 'time_unit = "ms"\n')
    frames = [
        spark.createDataFrame([("1970-01-01T00:00:01Z",)], "at string"),
        spark.createDataFrame([("B", 1500)], "type string, time long"),
    ]
    told = united(pipeline, frames).frame.selectExpr("type", "unix_millis(time) AS time", ORIGIN).collect()
    assert sorted(map(tuple, told)) == [("A", 1000, "one"), ("B", 1500, "other")]


def test_one_source_is_left_as_it_is(spark: SparkSession) -> None:
    pipeline = read_pipeline(HEAD + OTHER + 'id_column = "id"\nsource_column = "origin"\norder_by = ["number"]\n')
    frame = spark.createDataFrame([], "type string, time long, id long, origin string, number long")
    events = united(pipeline, [frame])
    assert events.frame.columns == frame.columns
    assert (events.id, events.source, events.order_by) == ("id", "origin", ("number",))


def test_a_column_that_is_something_else_clashes(spark: SparkSession) -> None:
    pipeline = read_pipeline(HEAD + ONE + OTHER)
    frames = [
        spark.createDataFrame([], "at timestamp, time string"),
        spark.createDataFrame([], "type string, time timestamp"),
    ]
    with pytest.raises(CepheidError) as raised:
        united(pipeline, frames)
    assert str(raised.value).splitlines()[0] == (
        "error[bad-pipeline]: the column `time` of the source `one` is not its time"
    )
    assert 'select = ["time AS own_time"]' in str(raised.value)


def test_a_query_waits_for_the_sources_that_bring_a_type() -> None:
    query = cepheid.compile("(A ; B ; C) within 1 s", disorder="1 min", language="algebra")
    sources = [
        DeclaredSource("one", "rate", type="A"),
        DeclaredSource("two", "rate", type="B", disorder="1 min"),
        DeclaredSource("any", "rate", disorder="2 s"),
    ]
    told = with_sources(query, sources)
    streams = {one.name: (one.sources, one.disorder) for one in told.plan.program.streams}
    assert streams == {
        "A": (("one", "any"), 2_000_000),
        "B": (("two", "any"), 60_000_000),
        "C": (("any",), 2_000_000),
    }
    assert told.disorder == 0
