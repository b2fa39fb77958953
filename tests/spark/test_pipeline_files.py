"""A pipeline file says a pipeline, or all that is wrong with it, each with its place."""

from pathlib import Path

import pytest

from cepheid.diagnostics import CepheidError, Source
from cepheid.spark.pipelines import read_pipeline, read_pipeline_file
from cepheid.spark.pipelines.toml_places import KeyPlaces

HEAD = '[pipeline]\ncheckpoint = "checkpoint"\n'
SOURCE = '[sources.events]\nformat = "json"\npath = "events"\n'
QUERY = '[queries.alarm]\ntext = "(A ; B) within 1 s"\nlanguage = "algebra"\n'
SINK = '[sinks.matches]\nformat = "parquet"\npath = "matches"\n'


def said(text: str) -> str:
    with pytest.raises(CepheidError) as raised:
        read_pipeline(text)
    return str(raised.value)


def test_what_is_left_out_has_a_meaning() -> None:
    pipeline = read_pipeline(HEAD + SOURCE + QUERY + SINK)
    assert (pipeline.name, pipeline.trigger, pipeline.master, pipeline.buckets) == ("pipeline", "once", None, None)
    source, sink = pipeline.sources["events"], pipeline.sinks["matches"]
    assert dict(source.columns) == {"type_column": "type", "time_column": "time"}
    assert (sink.what, sink.queries, sink.files) == (("match",), (), 1)


def test_everything_can_be_said() -> None:
    text = f"""{HEAD}name = "shop"
trigger = "5 s"
master = "spark://host:7077"
buckets = 64
{SOURCE}options = {{ multiLine = true, maxFilesPerTrigger = 2 }}
type = "Order"
time_column = "at"
start_column = "began"
id_column = "number"
order_by = "number"
disorder = "2 min"
time_unit = "ms"
select = ["*", "ts AS at"]
{QUERY}rates = {{ A = "5/s" }}
allow_unbounded = true
tables = {{ known = "known.csv" }}
[sinks.aside]
what = ["late", "corrupt"]
query = "alarm"
format = "postgresql"
url = "postgresql://localhost/alarms"
table = "aside"
"""
    pipeline = read_pipeline(text, directory=Path("/shop"))
    source, sink = pipeline.sources["events"], pipeline.sinks["aside"]
    assert (pipeline.trigger, pipeline.master, pipeline.buckets) == ("5 s", "spark://host:7077", 64)
    assert source.options == {"multiLine": "true", "maxFilesPerTrigger": "2"}
    assert "type_column" not in source.columns
    assert (source.order_by, source.select, source.time_unit) == (("number",), ("*", "ts AS at"), "ms")
    assert (sink.what, sink.queries, sink.table) == (("late", "corrupt"), ("alarm",), "aside")
    assert pipeline.queries["alarm"].tables == {"known": "known.csv"}
    assert pipeline.resolved("out") == "/shop/out"
    assert pipeline.resolved("/elsewhere") == "/elsewhere"
    assert pipeline.resolved("s3a://bucket/out") == "s3a://bucket/out"


def test_an_option_of_any_format_may_be_kept_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORE_PASSWORD", "not to be seen")
    (tmp_path / "token").write_text("not to be seen either\n", encoding="utf-8")
    options = 'options = { multiLine = true, password = { env = "STORE_PASSWORD" }, token = { file = "token" } }\n'
    sink = '[sinks.store]\nformat = "jdbc"\n'
    pipeline = read_pipeline(HEAD + SOURCE + options + QUERY + sink + options, directory=tmp_path)
    kept = {"multiLine": "true", "password": "not to be seen", "token": "not to be seen either"}
    assert (pipeline.sources["events"].options, pipeline.sinks["store"].options) == (kept, kept)
    assert "not to be seen" not in repr(pipeline)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    path = str(tmp_path / "no.toml")
    with pytest.raises(CepheidError, match="there is no such file"):
        read_pipeline_file(path)


def test_a_text_that_is_not_toml() -> None:
    assert said('[pipeline]\nname = shop\ncheckpoint = "c"\n') == (
        "error[bad-pipeline]: the file is not TOML\n"
        " --> pipeline.toml:2:8\n"
        "  |\n"
        "2 | name = shop\n"
        "  |        ^ invalid value\n"
        "  = hint: put texts in quotes"
    )


def test_an_empty_file_lacks_everything() -> None:
    messages = [line for line in said("").splitlines() if line.startswith("error")]
    assert messages == [
        "error[bad-pipeline]: `[pipeline]` has no `checkpoint`",
        "error[bad-pipeline]: a pipeline needs sources",
        "error[bad-pipeline]: a pipeline needs queries",
        "error[bad-pipeline]: a pipeline needs sinks",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "triger = 1\n" + SOURCE + QUERY + SINK, "`[pipeline]` has no key `triger`"),
        (HEAD + "trigger = 5\n" + SOURCE + QUERY + SINK, "`trigger` is a whole number, and should be a text"),
        (HEAD + 'trigger = "soon"\n' + SOURCE + QUERY + SINK, "`soon` is not a duration"),
        (HEAD + "buckets = 0\n" + SOURCE + QUERY + SINK, "`buckets` is less than 1"),
        (HEAD + "[sink.x]\n" + SOURCE + QUERY + SINK, "a pipeline has no `[sink]`"),
        (HEAD + SOURCE + 'time_unit = "h"\n' + QUERY + SINK, "`time_unit` cannot be `h`"),
        (HEAD + SOURCE + 'disorder = "much"\n' + QUERY + SINK, "`much` is not a duration"),
        (
            HEAD + SOURCE + "select = [1]\n" + QUERY + SINK,
            "`select` is a list, and should be a text or a list of texts",
        ),
        (
            HEAD + SOURCE + "options = { a = [1] }\n" + QUERY + SINK,
            "`options` is a table, and should be a table of texts",
        ),
        (HEAD + SOURCE + 'type = "A"\ntype_column = "b"\n' + QUERY + SINK, "`type` and `type_column` say one thing"),
        (HEAD + '[sources.events]\nformat = "csv"\n' + QUERY + SINK, "a source of `csv` needs a path"),
        (HEAD + SOURCE + QUERY + 'file = "a.alg"\n' + SINK, "a query is in a file, or is a text"),
        (HEAD + SOURCE + "[queries.alarm]\n" + SINK, "a query is in a file, or is a text"),
        (HEAD + SOURCE + QUERY + SINK + 'what = "matches"\n', "`what` cannot be `matches`"),
        (HEAD + SOURCE + QUERY + SINK + 'query = "alrm"\n', "`query` cannot be `alrm`"),
        (HEAD + SOURCE + QUERY + '[sinks.s]\nformat = "postgresql"\ntable = "t"\n', "`[sinks.s]` has no `url`"),
        (
            HEAD + SOURCE + QUERY + SINK + '[sinks.other]\nformat = "json"\npath = "here/../matches"\n',
            "the sinks `matches` and `other` write to one path",
        ),
        (HEAD + SOURCE + QUERY + '[sinks.s]\npath = "out"\n', "`[sinks.s]` has no `format`"),
    ],
)
def test_a_mistake_has_one_error_with_a_hint(text: str, message: str) -> None:
    drawn = said(text)
    first, place, *_ = drawn.splitlines()
    assert first == f"error[bad-pipeline]: {message}"
    assert "--> pipeline.toml:" in place
    assert drawn.count("error[") == 1, drawn
    assert "= hint: " in drawn


def test_a_source_among_several_is_one_source() -> None:
    more = SOURCE.replace("events", "others") + 'source_column = "origin"\n'
    assert said(HEAD + SOURCE + more + QUERY + SINK).startswith(
        "error[bad-pipeline]: the source `others` is one of several, so no column names its sources\n"
    )


def test_a_hint_names_what_was_meant() -> None:
    assert said(HEAD + SOURCE + QUERY + SINK + 'what = "mach"\n').splitlines()[-1] == (
        '   = hint: did you mean `what = "match"`?'
    )


def test_keys_are_found_where_they_stand() -> None:
    text = 'a = """\n[no.table]\nb = 1\n"""\n[x."y z"]\nkey.inner = { c = 1 }\n'
    places = KeyPlaces(Source("p.toml", text))
    assert str(places.of("a")) == "p.toml:1:1"
    assert str(places.of("x", "y z", "key", "inner", "c")) == "p.toml:6:1"
    assert places.of("x", "y z", "other").text == 'x."y z"'
    assert str(places.of("no", "table")) == "p.toml:1:1"


PLACES = """[pipeline]
checkpoint = "state"
[sources.events]
format = "json"
path = "events"
schema = "type string, time long"
[queries.pair]
text = "A ; B within 1 s"
language = "algebra"
[sinks.one]
format = "json"
path = "one"
[sinks.two]
format = "json"
path = "two"
[sinks.hook]
format = "webhook"
url = "http://127.0.0.1:1/x"
dead_letters = "dead"
"""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"two"', '"link"', "the sinks `one` and `two` write to one path"),
        ('"two"', '"link/../one/"', "the sinks `one` and `two` write to one path"),
        ('"two"', '"file:{here}/one"', "the sinks `one` and `two` write to one path"),
        ('"two"', '"file://{here}/one"', "the sinks `one` and `two` write to one path"),
        ('"dead"', '"one"', "the sinks `one` and `hook` write to one path"),
        ('"two"', '"dead"', "the sinks `two` and `hook` write to one path"),
        ('"two"', '"events"', "the source `events` and the sink `two` have one path"),
        ('"dead"', '"events"', "the source `events` and the sink `hook` have one path"),
        ('"two"', '"state"', "the checkpoint and the sink `two` have one path"),
        ('"dead"', '"./state"', "the checkpoint and the sink `hook` have one path"),
        ('"events"', '"state"', "the checkpoint and the source `events` have one path"),
    ],
)
def test_what_is_written_has_a_path_of_its_own(old: str, new: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "link").symlink_to("one")
    assert read_pipeline(PLACES, directory=tmp_path).sinks
    with pytest.raises(CepheidError) as raised:
        read_pipeline(PLACES.replace(old, new.format(here=tmp_path)), directory=tmp_path)
    assert [one.message for one in raised.value.diagnostics] == [message]


def test_each_webhook_has_dead_letters_of_its_own(tmp_path: Path) -> None:
    other = PLACES.partition("[sinks.hook]")[2]
    with pytest.raises(CepheidError, match="the sinks `hook` and `other` write to one path"):
        read_pipeline(f"{PLACES}[sinks.other]{other}", directory=tmp_path)


def test_two_sources_may_read_one_folder(tmp_path: Path) -> None:
    other = PLACES.partition("[sources.events]")[2].partition("[queries")[0]
    assert len(read_pipeline(f"{PLACES}[sources.other]{other}", directory=tmp_path).sources) == 2


READ_AGAIN = [
    ('"two"', '"events/two"', "the sink `two`", "events-two"),
    ('"two"', '"events/a/b/two"', "the sink `two`", "events-two"),
    ('"two"', '"./one/../events/two"', "the sink `two`", "events-two"),
    ('"two"', '"file://{here}/link/two"', "the sink `two`", "events-two"),
    ('"dead"', '"events/dead"', "the sink `hook`", "events-hook"),
    ('"state"', '"events/state"', "the checkpoint", "events-checkpoint"),
]


@pytest.mark.parametrize(("old", "new", "what", "outside"), READ_AGAIN)
def test_a_source_does_not_read_what_is_written(old: str, new: str, what: str, outside: str, tmp_path: Path) -> None:
    (tmp_path / "events").mkdir()
    (tmp_path / "link").symlink_to("events")
    path = new.format(here=tmp_path)
    with pytest.raises(CepheidError) as raised:
        read_pipeline(PLACES.replace(old, path), directory=tmp_path)
    [found] = raised.value.diagnostics
    shown = path.strip('"')
    assert found.message == f"the source `events` would read what {what} writes: `{shown}` lies in `events`"
    key = {"two": "path", "dead": "dead_letters", "state": "checkpoint"}[old.strip('"')]
    assert found.hints == (f'write `{key} = "{outside}"`',)
    assert read_pipeline(PLACES.replace(old, f'"{outside}"'), directory=tmp_path).sinks


@pytest.mark.parametrize(
    ("source", "sink"),
    [
        ("data/*", "data/two"),
        ("data/*", "data/two/found"),
        ("data/day=*/in", "data/day=1/in/two"),
        ("data/{a,b}", "data/b/two"),
        ("s3a://bucket/data", "s3a://bucket/data/two"),
        ("s3a://bucket/data/", "s3a://bucket/./data/two"),
    ],
)
def test_a_source_that_is_a_pattern_or_elsewhere_does_not_read_what_is_written(source: str, sink: str) -> None:
    with pytest.raises(CepheidError, match=f"would read what the sink `two` writes: `{sink}` lies in "):
        read_pipeline(PLACES.replace('"events"', f'"{source}"').replace('"two"', f'"{sink}"'))


@pytest.mark.parametrize(
    ("source", "sink", "more"),
    [
        ("events", "events-two", ""),
        ("events", "events/_two", ""),
        ("events", "events/.found/two", ""),
        ("events", "event", ""),
        ("events/in", "events/two", ""),
        ("data/*/in", "data/two", ""),
        ("data/*/in", "data/a/out", ""),
        ("events", "events/two", 'options = { pathGlobFilter = "*.jsonl" }\n'),
        ("s3a://bucket/data", "s3a://other/data/two", ""),
        ("s3a://bucket/data", "data/two", ""),
    ],
)
def test_what_no_source_reads_may_be_written_anywhere(source: str, sink: str, more: str) -> None:
    text = PLACES.replace("[queries.pair]", f"{more}[queries.pair]").replace('"events"', f'"{source}"')
    assert read_pipeline(text.replace('"two"', f'"{sink}"')).sinks


def test_a_filter_that_finds_what_is_written_leaves_nothing_out() -> None:
    text = PLACES.replace("[queries.pair]", 'options = { pathGlobFilter = "*.js*" }\n[queries.pair]')
    with pytest.raises(CepheidError, match="would read what the sink `two` writes"):
        read_pipeline(text.replace('"two"', '"events/two"'))


def test_a_source_that_reads_no_files_may_have_files_below_it() -> None:
    text = PLACES.replace('format = "json"\npath = "events"', 'format = "delta"\npath = "events"')
    assert read_pipeline(text.replace('"two"', '"events/two"')).sinks
