"""Results go into a table once, whatever is repeated: shown on the statements, and on a server where one can run."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import ArrayType, DoubleType, LongType, StringType, StructType, TimestampType

from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines.postgresql import PostgresqlTable, create_statement, insert_statement, parameters
from cepheid.spark.pipelines.reading import read_pipeline_file
from cepheid.spark.pipelines.sinks import TableSink
from tests.cli.console import cepheid
from tests.spark.postgresql_server import no_server, served

SCHEMA = (
    StructType()
    .add("tag", StringType())
    .add("query", StringType())
    .add("match", StringType())
    .add("end", TimestampType())
    .add("id", StringType())
    .add("values", StructType().add("amount", DoubleType()))
    .add("evidence", ArrayType(LongType()))
)
TIMES = StructType().add("query", StringType()).add("end", TimestampType()).add("id", StringType())
PIPELINE = """
[pipeline]
checkpoint = "checkpoint"
[sources.events]
format = "json"
path = "events"
[queries.pair]
text = "(A ; B) within 1 s"
language = "algebra"
[sinks.found]
format = "postgresql"
url = "{url}"
table = "matches"
"""
AT = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)


def match(name: str, amount: float = 1.5, query: str = "paid") -> Row:
    return Row(tag="match", query=query, match="Paid", end=AT, id=name, values=Row(amount=amount), evidence=[1, 2])


def late(amount: float) -> Row:
    return Row(tag="late", query=None, match=None, end=AT, id=None, values=Row(amount=amount), evidence=None)


def test_the_table_has_a_column_for_every_result_and_a_key_of_query_and_id() -> None:
    assert create_statement("matches", SCHEMA) == (
        'CREATE TABLE IF NOT EXISTS "matches" ("tag" text, "query" text, "match" text, "end" timestamptz, '
        '"id" text, "values" jsonb, "evidence" jsonb, PRIMARY KEY ("query", "id"))'
    )


def test_names_cannot_break_out_of_a_statement() -> None:
    assert insert_statement('a"; DROP', StructType().add("id", StringType())) == (
        'INSERT INTO "a""; DROP" ("id") VALUES (%s) ON CONFLICT ("query", "id") DO NOTHING'
    )


def test_parts_are_json_and_a_match_keeps_its_id() -> None:
    assert list(parameters([match("m1")], SCHEMA, 0)) == [
        ("match", "paid", "Paid", AT, "m1", '{"amount": 1.5}', "[1, 2]")
    ]


def test_times_are_those_of_the_results_whatever_the_zone_of_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        on_the_clock = AT.astimezone().replace(tzinfo=None)  # as Spark gives it to Python
        [told] = parameters([Row(query="q", end=on_the_clock, id="m1")], TIMES, 0)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert told == ("q", AT, "m1")


def test_what_was_set_aside_has_the_same_id_when_its_batch_is_repeated() -> None:
    def ids(batch: int, run: str = "") -> list[object]:
        return [row[4] for row in parameters([late(1), late(2), late(1)], SCHEMA, batch, run)]

    assert ids(7) == ids(7)
    assert len(set(ids(7))) == 3
    assert not set(ids(7)) & set(ids(8))
    assert not set(ids(7)) & set(ids(7, "another run"))


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://ann:top-secret@127.0.0.1:1/none",
        "postgresql//ann:top-secret@127.0.0.1:1/none",
        "postgresql://ann:top-secret@more@127.0.0.1:1/none",
        "postgresql://ann:%74op-secret/more@127.0.0.1:1/none",
        "host=127.0.0.1 port=1 password='top-secret' nonsense",
    ],
)
def test_a_password_is_never_shown(url: str, tmp_path: Path) -> None:
    (tmp_path / "pipeline.toml").write_text(PIPELINE.format(url=url), encoding="utf-8")
    answer = cepheid("pipeline", "check", str(tmp_path / "pipeline.toml"))
    assert answer.status == 2
    assert "error[unwritable-output]: PostgreSQL refuses: " in answer.said
    assert "| url = " in answer.said
    assert "secret" not in answer.said + answer.output
    assert "secret" not in repr(read_pipeline_file(str(tmp_path / "pipeline.toml")))


def test_a_server_that_is_not_there_is_refused() -> None:
    with pytest.raises(CepheidError) as raised:
        PostgresqlTable("postgresql://127.0.0.1:1/none", "matches").reach()
    first, hint = str(raised.value).splitlines()
    assert first.startswith("error[unwritable-output]: PostgreSQL refuses: ")
    assert hint == '  = hint: start the server, or mend `url = "postgresql://user@host/database"`'


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server that lives as long as the tests of this file, in a directory that nobody else changes."""
    if (reason := no_server()) is not None:
        pytest.skip(reason)
    with served() as address:
        yield address


def rows_of(server: str, table: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server) as connection:
        return connection.execute(f'SELECT tag, id, "values", "end" FROM {table} ORDER BY tag, id').fetchall()


def test_a_batch_that_is_repeated_changes_nothing(server: str) -> None:
    table = PostgresqlTable(server, "matches")
    table.reach()
    table.prepare(SCHEMA)
    for _ in range(2):
        table.add([match("m1"), match("m2", 3.0), late(1), late(1)], SCHEMA, 0)
    table.prepare(SCHEMA)  # a restart finds the table there
    table.add([match("m2", 3.0), match("m3")], SCHEMA, 1)
    found = rows_of(server, "matches")
    assert [(tag, values) for tag, _, values, _ in found] == [
        ("late", {"amount": 1}),
        ("late", {"amount": 1}),
        ("match", {"amount": 1.5}),
        ("match", {"amount": 3.0}),
        ("match", {"amount": 1.5}),
    ]
    assert {end for *_, end in found} == {AT}


def test_a_frame_goes_into_a_table(server: str, spark: SparkSession) -> None:
    sink = TableSink(PostgresqlTable(server, "frames"))
    frame = spark.createDataFrame([match("m1"), late(2.0)], SCHEMA)
    sink.check(None)
    sink.begin("a run", frame.schema)
    for _ in range(2):
        sink.write(frame, 0)
    assert [(tag, end) for tag, _, _, end in rows_of(server, "frames")] == [("late", AT), ("match", AT)]


def test_a_batch_is_added_as_a_whole_or_not_at_all(server: str) -> None:
    table = PostgresqlTable(server, "halves")
    table.prepare(SCHEMA)
    bad = Row(tag="match", query="q", match="Paid", end="never", id="m2", values=Row(amount=1.0), evidence=[])
    with pytest.raises(CepheidError, match="PostgreSQL refuses: invalid input syntax"):
        table.add([match("m1"), bad], SCHEMA, 0)
    assert rows_of(server, "halves") == []


def test_a_table_with_other_columns_is_refused(server: str) -> None:
    with psycopg.connect(server) as connection:
        connection.execute("CREATE TABLE other (id text PRIMARY KEY)")
    with pytest.raises(CepheidError, match="the table `other` has no column `tag`"):
        PostgresqlTable(server, "other").prepare(SCHEMA)


def test_a_match_of_another_query_is_another_match(server: str) -> None:
    table = PostgresqlTable(server, "queries")
    table.prepare(SCHEMA)
    for _ in range(2):
        table.add([match("m1", 1.0, "one"), match("m1", 2.0, "two")], SCHEMA, 0)
    assert sorted(values["amount"] for _, _, values, _ in rows_of(server, "queries")) == [1.0, 2.0]  # type: ignore[index]  # JSON


def test_names_and_texts_of_any_kind_go_into_a_table(server: str, spark: SparkSession) -> None:
    """A table whose name has a percent sign, a text with the character zero, and a year that Python has not."""
    schema = StructType().add("query", StringType()).add("id", StringType()).add("a%b", StringType())
    schema = schema.add("at", TimestampType()).add("in", StructType().add("t", TimestampType()).add("x", StringType()))
    rows = "'q' query, 'm' id, concat('x', char(0)) `a%b`, timestamp_micros(1000000000000000000) at"
    frame = spark.sql(f"SELECT {rows}, struct(timestamp_micros(0) t, concat('y', char(0)) x) `in`").to(schema)
    sink = TableSink(PostgresqlTable(server, 'a%b "c'))
    sink.begin("a run", frame.schema)
    for _ in range(2):
        sink.write(frame, 0)
    with psycopg.connect(server) as connection:
        found = connection.execute('SELECT "a%b", "at"::text, "in" FROM "a%b ""c"').fetchall()
    assert found == [("x\ufffd", "33658-09-27 01:46:40+00", {"t": "1970-01-01T00:00:00Z", "x": "y\ufffd"})]


def test_a_schema_that_is_not_there_is_refused(server: str) -> None:
    with pytest.raises(CepheidError) as raised:
        PostgresqlTable(server, "nowhere.matches").reach()
    assert str(raised.value).splitlines() == [
        "error[unwritable-output]: the database has no schema `nowhere`",
        '  = hint: CREATE SCHEMA "nowhere"',
    ]
    with pytest.raises(CepheidError, match='PostgreSQL refuses: schema "nowhere" does not exist'):
        PostgresqlTable(server, "nowhere.matches").prepare(SCHEMA)


def test_a_table_with_another_key_is_refused(server: str) -> None:
    with psycopg.connect(server) as connection:
        connection.execute(create_statement("other_key", SCHEMA).replace('"query", "id")', '"id")'))
    with pytest.raises(CepheidError, match="the table `other_key` has no primary key of `query` and `id`"):
        PostgresqlTable(server, "other_key").prepare(SCHEMA)


def test_a_database_that_is_not_there_is_refused(server: str) -> None:
    with pytest.raises(CepheidError, match=r'PostgreSQL refuses: .*database "none" does not exist'):
        PostgresqlTable(f"{server.removesuffix('/postgres')}/none", "matches").reach()
