"""A pipeline that was changed goes on where that is safe, and is refused before anything is written where it is not."""

import json
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import cepheid
from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines import read_pipeline, ready
from cepheid.spark.pipelines.ownership import begin, remember_settings, settings_in
from cepheid.spark.pipelines.restarting import begun_batch, remember

TEXT = """
[pipeline]
checkpoint = "checkpoint"
buckets = 4
[sources.events]
format = "json"
path = "events"
schema = "type string, time long, user long, more string"
id_column = "user"
[queries.pair]
text = "Pair = (A ; B) within 9 s by user"
language = "algebra"
[sinks.found]
format = "json"
path = "found"
"""
SECOND = '[sources.others]\nformat = "json"\npath = "others"\nschema = "type string, time long, user long"\n'
SECOND += 'id_column = "user"\n'


def made_ready(directory: Path, text: str, spark: SparkSession, *, kept: bool = False) -> None:
    """Make a pipeline ready, as a check and a start do; `kept` as a start does."""
    pipeline = read_pipeline(text, directory=directory)
    queries = {
        name: cepheid.compile(one.text or "", disorder="0 s", language="algebra")
        for name, one in pipeline.queries.items()
    }
    prepared = ready(pipeline, queries, spark)
    if kept:
        begin(directory / "checkpoint")
        remember(pipeline, prepared.work.depends_on)


@pytest.fixture
def begun(tmp_path: Path, spark: SparkSession) -> Path:
    for name in ("events", "others", "elsewhere"):
        (tmp_path / name).mkdir()
    made_ready(tmp_path, TEXT, spark, kept=True)
    return tmp_path


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("more string", "more long"),
        ('user"\n[queries', 'user"\ndisorder = "5 s"\n[queries'),
        ('"found"', '"elsewhere/found"'),
        ("[sinks.found]", '[queries.new]\ntext = "New = C ; D within 2 s"\nlanguage = "algebra"\n[sinks.found]'),
        ('path = "events"', 'path = "./events/"'),
    ],
)
def test_what_no_state_depends_on_may_change(begun: Path, spark: SparkSession, old: str, new: str) -> None:
    assert old in TEXT
    made_ready(begun, TEXT.replace(old, new), spark)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("buckets = 4", "buckets = 7", "STATE the checkpoint was made with 4 buckets, and this stream has 7"),
        ("buckets = 4\n", "", "STATE the checkpoint was made with 4 buckets, and this stream has 32"),
        ("9 s", "8 s", "STATE the checkpoint holds state of another version of `Pair`"),
        ("[queries.pair]", "[queries.p]", "STATE the checkpoint holds the state of `Pair` for a query"),
        ("user long", "user string", "STATE the column `user` was of kind `int`"),
        ('id_column = "user"\n', "", "STATE the checkpoint was made with `user` for the id of events"),
        (
            "[queries.pair]",
            'time_unit = "ms"\n[queries.pair]',
            "PIPELINE the checkpoint was made with another `time_unit`",
        ),
        ('"events"', '"elsewhere"', "PIPELINE the checkpoint was made with another `path` of the source `events`"),
        ("[queries.pair]", SECOND + "[queries.pair]", "PIPELINE the checkpoint was made with the sources `events`"),
    ],
)
def test_what_state_depends_on_may_not(begun: Path, spark: SparkSession, old: str, new: str, message: str) -> None:
    assert old in TEXT
    with pytest.raises(CepheidError) as raised:
        made_ready(begun, TEXT.replace(old, new), spark)
    first, place, *_, hint = str(raised.value).splitlines()
    expected = message.replace("STATE", "error[state-mismatch]:").replace("PIPELINE", "error[changed-pipeline]:")
    assert first.startswith(expected), raised.value
    assert "--> pipeline.toml:" in place
    assert hint.endswith("or start a new checkpoint")


def test_state_of_another_release_is_refused(begun: Path, spark: SparkSession) -> None:
    settings = settings_in(begun / "checkpoint") or {}
    remember_settings(begun / "checkpoint", {**settings, "state": {**settings["state"], "format": 9}})
    with pytest.raises(CepheidError, match=r"state-mismatch\]: the checkpoint holds state of format 9, and only"):
        made_ready(begun, TEXT, spark)


def _log(checkpoint: Path, kind: str, *numbers: int) -> None:
    (checkpoint / kind).mkdir(exist_ok=True)
    for number in numbers:
        (checkpoint / kind / str(number)).write_text("", encoding="utf-8")


def test_a_batch_is_finished_where_it_was_begun(begun: Path, spark: SparkSession) -> None:
    _log(begun / "checkpoint", "offsets", 9, 10)
    _log(begun / "checkpoint", "commits", 9)
    assert begun_batch(begun / "checkpoint") == 10
    with pytest.raises(CepheidError, match=r"changed-pipeline.*batch 10 was begun with the sink `found` at `.*/found`"):
        made_ready(begun, TEXT.replace('"found"', '"elsewhere/found"'), spark)
    _log(begun / "checkpoint", "commits", 10)
    made_ready(begun, TEXT.replace('"found"', '"elsewhere/found"'), spark)


@pytest.mark.parametrize("damage", ["", "{", "[]", "flip"])
def test_notes_that_are_damaged_are_refused(begun: Path, spark: SparkSession, damage: str) -> None:
    file = begun / "checkpoint" / "_cepheid.json"
    was = file.read_text(encoding="utf-8")
    file.write_text(damage if damage != "flip" else was.replace("Pair", "Fair"), encoding="utf-8")
    with pytest.raises(CepheidError) as raised:
        made_ready(begun, TEXT, spark)
    assert str(raised.value).splitlines()[0] == f"error[damaged-checkpoint]: `{file}` is not as it was written"
    file.write_text(json.dumps(json.loads(was)), encoding="utf-8")
    made_ready(begun, TEXT, spark)
