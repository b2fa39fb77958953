"""Every setting of a pipeline wrong in turn: one message with a code before anything starts, and no secret in it."""

from importlib import import_module
from pathlib import Path

import pytest

from tests.cli.console import cepheid

SECRET = "top-secret"
PIPELINE = """[pipeline]
name = "orders"
checkpoint = "checkpoint"
trigger = "5 s"
buckets = 4
[pipeline.spark]
"spark.executor.memory" = "1g"
"spark.hadoop.fs.s3a.secret.key" = "top-secret"
packages = ["a:b:1"]
[sources.orders]
format = "kafka"
bootstrap = "127.0.0.1:1"
topic = "orders"
schema = "type string, time long"
disorder = "5 s"
idle_after = "1 min"
most = 100
on_rate = "fail"
options = { "sasl.password" = "top-secret" }
[sources.files]
format = "json"
path = "events"
schema = "type string, time long"
[queries.pair]
text = "(A ; B) within 1 s"
language = "algebra"
rates = { A = "5/s" }
[sinks.found]
format = "kafka"
bootstrap = "127.0.0.1:1"
topic = "found"
writers = 2
[sinks.hook]
format = "webhook"
url = "http://127.0.0.1:1/top-secret"
secret = "top-secret"
attempts = 3
timeout = "10 s"
dead_letters = "dead"
[sinks.disk]
format = "json"
path = "out"
files = 1
what = ["late", "corrupt"]
[sinks.table]
format = "postgresql"
url = "postgresql://ann:top-secret@127.0.0.1:1/none"
table = "found"
"""
SASL = '{ "sasl.password" = "top-secret" }'
HOOK = 'url = "http://127.0.0.1:1/top-secret"'
KAFKA = 'format = "kafka"\nbootstrap = "127.0.0.1:1"\ntopic = "orders"\n'
SINK = 'format = "kafka"\nbootstrap = "127.0.0.1:1"\ntopic = "found"\n'
TEXT = 'text = "(A ; B) within 1 s"\n'
WRONG = [
    ('checkpoint = "checkpoint"\n', "", "`[pipeline]` has no `checkpoint`"),
    ('checkpoint = "checkpoint"', "checkpoint = 5", "`checkpoint` is a whole number, and should be a text"),
    ('trigger = "5 s"', 'trigger = "soon"', "`soon` is not a duration"),
    ('trigger = "5 s"', "trigger = 5", "`trigger` is a whole number, and should be a text"),
    ('trigger = "5 s"', 'trigger = "-5 s"', "`trigger` is less than nothing"),
    ("buckets = 4", "buckets = 0", "`buckets` is less than 1"),
    ("buckets = 4", 'buckets = "four"', "`buckets` is a text, and should be a whole number"),
    ("buckets = 4", "buckets = -4", "`buckets` is less than 1"),
    ("buckets = 4", "buckets = 4\nmaster = 1", "`master` is a whole number, and should be a text"),
    ("buckets = 4", "buckets = 4\nheartbeat_type = true", "`heartbeat_type` is true or false, and should be a text"),
    ("buckets = 4", "buckets = 4\nbukets = 5", "`[pipeline]` has no key `bukets`"),
    ('name = "orders"', "name = 7", "`name` is a whole number, and should be a text"),
    ("[sources.files]", "[source.files]", "a pipeline has no `[source]`"),
    ("buckets = 4", "buckets = four", "the file is not TOML"),
    ('"spark.executor.memory"', '"executor.memory"', "`executor.memory` is no setting of Spark"),
    (
        '"spark.hadoop.fs.s3a.secret.key"',
        '"fs.azure.account.key.shop"',
        "`fs.azure.account.key.shop` is no setting of Spark",
    ),
    ('packages = ["a:b:1"]', "packages = 5", "`packages` is a whole number, and should be a text or a list of texts"),
    ('packages = ["a:b:1"]', 'packages = ["a:b"]', "`a:b` names no package"),
    ('packages = ["a:b:1"]', 'jars = ["nowhere.jar"]', "nowhere.jar` is no file"),
    ('packages = ["a:b:1"]', "jars = [1]", "`jars` is a list, and should be a text or a list of texts"),
    ('"1g"', '{ env = "NOT_SET_ANYWHERE" }', "the environment has no `NOT_SET_ANYWHERE`"),
    (KAFKA, KAFKA.replace('bootstrap = "127.0.0.1:1"\n', ""), "`[sources.orders]` has no `bootstrap`"),
    (KAFKA, KAFKA.replace('"127.0.0.1:1"', "9092"), "`bootstrap` is a whole number, and should be a text"),
    ('topic = "orders"\n', "", "`[sources.orders]` has no `topic`"),
    ('topic = "orders"', "topic = []", "`topic` is a list, and should be a text"),
    ('topic = "orders"', 'topic = "orders"\npayload = "xml"', "`payload` cannot be `xml`"),
    ('topic = "orders"', 'topic = "orders"\nfrom = "yesterday"', "`from` cannot be `yesterday`"),
    ('topic = "orders"\nschema = "type string, time long"', 'topic = "orders"', "a topic of Kafka needs a schema"),
    ('topic = "orders"', 'topic = "orders"\npath = "x"', "a topic of Kafka has no `path`"),
    ('topic = "orders"', 'topic = "orders"\ntopics = "x"', "`[sources.orders]` has no key `topics`"),
    ('topic = "orders"', 'topic = "orders"\ntime_unit = "h"', "`time_unit` cannot be `h`"),
    ('topic = "orders"', 'topic = "orders"\nselect = 5', "`select` is a whole number, and should be a text or a list"),
    ('topic = "orders"', 'topic = "orders"\norder_by = {}', "`order_by` is a table, and should be a text or a list"),
    ('topic = "orders"', 'topic = "orders"\nsource_column = "x"', "the source `orders` is one of several"),
    ('topic = "orders"', 'topic = "orders"\ntype = "A"\ntype_column = "b"', "`type` and `type_column` say one thing"),
    ('idle_after = "1 min"', 'idle_after = "soon"', "`soon` is not a duration"),
    ('idle_after = "1 min"', 'idle_after = "-1 s"', "`idle_after` is less than nothing"),
    ('disorder = "5 s"', 'disorder = "late"', "`late` is not a duration"),
    ('disorder = "5 s"', 'disorder = "-5 s"', "`disorder` is less than nothing"),
    ("most = 100", "most = 0", "`most` is less than 1"),
    ("most = 100", 'most = "all"', "`most` is a text, and should be a whole number"),
    (
        'on_rate = "fail"',
        'on_rate = "wait"',
        "the source `orders` cannot wait: an event that is read later does not come",
    ),
    ('on_rate = "fail"', 'on_rate = "faill"', "`on_rate` cannot be `faill`"),
    ('on_rate = "fail"', "on_rate = true", "`on_rate` is true or false, and should be a text"),
    (
        'on_rate = "fail"',
        'on_rate = "fail"\ntype = "B"',
        "the source `orders` is to fail, and no query says how fast `B`",
    ),
    (SASL, '"top-secret"', "`options` is a text, and should be a table"),
    (SASL, '{ "sasl.password" = { env = "NOT_SET_ANYWHERE" } }', "the environment has no `NOT_SET_ANYWHERE`"),
    (SASL, '{ "sasl.password" = { file = "nowhere" } }', "nowhere` cannot be read: no such file or directory"),
    (SASL, '{ "sasl.password" = { vault = "top-secret" } }', "`sasl.password` is kept nowhere"),
    (SASL, '{ "sasl.password" = ["top-secret"] }', "`options` is a table, and should be a table of texts"),
    (SASL, '{ "sasl.password" = top-secret }', "the file is not TOML"),
    (SASL, '{ "no.such.setting" = "top-secret" }', "Kafka's client does not take this"),
    (SASL, '{ "security.protocol" = "top-secret" }', "Kafka's client does not take this"),
    ('format = "json"\npath = "events"', 'path = "events"', "`[sources.files]` has no `format`"),
    ('format = "json"\npath = "events"', 'format = "json"', "a source of `json` needs a path"),
    ('format = "json"\npath = "events"', 'format = 5\npath = "events"', "`format` is a whole number"),
    (TEXT, "", "a query is in a file, or is a text"),
    (TEXT, f'file = "x.alg"\n{TEXT}', "a query is in a file, or is a text"),
    (TEXT, "text = 5\n", "`text` is a whole number, and should be a text"),
    (TEXT, 'file = "nowhere.alg"\n', "nowhere.alg` cannot be read: there is no such file"),
    (TEXT, 'text = "A ;"\n', ""),
    ('language = "algebra"', 'language = "algebr"', "algebr"),
    ('rates = { A = "5/s" }', 'rates = "fast"', "`rates` is a text, and should be a table"),
    ('rates = { A = "5/s" }', 'rates = { A = "fast" }', "fast"),
    ('rates = { A = "5/s" }', 'allow_unbounded = "yes"', "`allow_unbounded` is a text, and should be true or false"),
    ('rates = { A = "5/s" }', "tables = []", "`tables` is a list, and should be a table"),
    (f'[queries.pair]\n{TEXT}language = "algebra"\nrates = {{ A = "5/s" }}\n', "", "a pipeline needs queries"),
    ('what = ["late", "corrupt"]', 'what = "matches"', "`what` cannot be `matches`"),
    ('what = ["late", "corrupt"]', 'query = "other"', "`query` cannot be `other`"),
    ("files = 1", "files = 0", "`files` is less than 1"),
    ("files = 1", "fiels = 1", "`[sinks.disk]` has no key `fiels`"),
    ('path = "out"\n', "", "a sink of `json` needs a path"),
    ("[sinks.disk]", '[sinks.twin]\nformat = "csv"\npath = "./out"\n[sinks.disk]', "write to one path"),
    (SINK, SINK.replace('format = "kafka"\n', ""), "`[sinks.found]` has no `format`"),
    (SINK, SINK.replace('topic = "found"\n', ""), "`[sinks.found]` has no `topic`"),
    (SINK, f'{SINK}path = "x"\n', "a topic of Kafka has no `path`"),
    ("writers = 2", "writers = 0", "`writers` is less than 1"),
    (f"{HOOK}\n", "", "a webhook needs an address"),
    (HOOK, 'url = "alarms.example/top-secret"', "it begins neither with `http://` nor with `https://`"),
    (HOOK, 'url = "http://host:none/top-secret"', "its port is no number"),
    (HOOK, 'url = "http://host/top secret"', "the address of the webhook is none: it has a space"),
    (HOOK, 'url = "http://host/größe"', "the address of the webhook is none: it has a space, or letters"),
    ('timeout = "10 s"', 'timeout = "0 s"', "a `timeout` of no time lets nobody answer"),
    (HOOK, "url = 5", "`url` is a whole number, and should be a text"),
    (HOOK, 'url = { env = "NOT_SET_ANYWHERE" }', "the environment has no `NOT_SET_ANYWHERE`"),
    ('secret = "top-secret"', "secret = 5", "`secret` is a whole number, and should be a text"),
    ('secret = "top-secret"', 'secret = ["top-secret"]', "`secret` is a list, and should be a text"),
    ('secret = "top-secret"', 'secret = { vault = "top-secret" }', "`secret` is kept nowhere"),
    ('secret = "top-secret"', "secret = top-secret", "the file is not TOML"),
    ('secret = "top-secret"', 'secret "top-secret"', "the file is not TOML"),
    ("attempts = 3", "attempts = 0", "`attempts` is less than 1"),
    ('timeout = "10 s"', 'timeout = "soon"', "`soon` is not a duration"),
    ('dead_letters = "dead"', "dead_letters = 5", "`dead_letters` is a whole number, and should be a text"),
    ('table = "found"\n', "", "`[sinks.table]` has no `table`"),
    ('url = "postgresql://ann:top-secret@127.0.0.1:1/none"\n', "", "`[sinks.table]` has no `url`"),
]


def test_the_table_has_sixty_rows_at_least_and_changes_something_in_each() -> None:
    assert len({(old, new) for old, new, _ in WRONG}) == len(WRONG) >= 60
    assert [old for old, new, _ in WRONG if PIPELINE.count(old) != 1 or old == new] == []


@pytest.fixture(autouse=True)
def nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever starts Spark fails, and nobody waits long for a broker that is not there."""

    def started(*_: object) -> None:
        raise AssertionError("Spark was started")

    # Not by their dotted names: where another test has loaded `cepheid.spark` anew, it does not have its parts.
    monkeypatch.setattr(import_module("cepheid.spark.pipelines"), "session_for", started)
    monkeypatch.setattr(import_module("cepheid.spark.kafka.client"), "PATIENCE", 0.5)
    monkeypatch.delenv("NOT_SET_ANYWHERE", raising=False)


@pytest.mark.parametrize(("old", "new", "message"), WRONG, ids=[f"{number:02}" for number in range(len(WRONG))])
def test_a_wrong_setting_is_one_message_with_a_code(old: str, new: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "pipeline.toml"
    file.write_text(PIPELINE.replace(old, new), encoding="utf-8")
    answer = cepheid("pipeline", "run", str(file))
    assert answer.status == 2
    found = [line for line in answer.said.splitlines() if line.startswith("error[")]
    assert (len(found), message in found[0]) == (1, True), answer.said
    assert "  = hint: " in answer.said or " --> " in answer.said
    assert SECRET not in answer.said + answer.output
    assert [one.name for one in tmp_path.iterdir()] == ["pipeline.toml"]


def test_all_that_does_not_answer_is_told_without_a_secret(tmp_path: Path) -> None:
    file = tmp_path / "pipeline.toml"
    file.write_text(PIPELINE, encoding="utf-8")
    answer = cepheid("pipeline", "run", str(file), "--log", "json")
    assert (answer.status, "Kafka at `127.0.0.1:1` refuses" in answer.said) == (2, True)
    without_source = PIPELINE.replace(KAFKA, 'format = "json"\npath = "x"\n').replace(f"options = {SASL}\n", "")
    file.write_text(without_source.replace('idle_after = "1 min"\nmost = 100\n', ""), encoding="utf-8")
    answer = cepheid("pipeline", "run", str(file))
    found = [line for line in answer.said.splitlines() if line.startswith("error[")]
    assert [line.split("]")[0] for line in found] == ["error[unwritable-output"] * 3, answer.said
    assert SECRET not in answer.said + answer.output
