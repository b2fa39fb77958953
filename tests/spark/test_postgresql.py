"""Results go into a table once, whatever is repeated: shown on the statements, and on a server where one can run."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from pyspark.sql import Row, SparkSession
from pyspark.sql.types import ArrayType, DoubleType, LongType, StringType, StructType, TimestampType

from cepheid.diagnostics import CepheidError
from cepheid.spark.pipelines.postgresql import PostgresqlTable, create_statement, insert_statement, parameters
from cepheid.spark.pipelines.sinks import TableSink

SCHEMA = (
    StructType()
    .add("tag", StringType())
    .add("match", StringType())
    .add("end", TimestampType())
    .add("id", StringType())
    .add("values", StructType().add("amount", DoubleType()))
    .add("evidence", ArrayType(LongType()))
)
TIMES = StructType().add("end", TimestampType()).add("id", StringType())
AT = datetime(2024, 5, 17, 8, 30, tzinfo=UTC)
BINARIES = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


def match(name: str, amount: float = 1.5) -> Row:
    return Row(tag="match", match="Paid", end=AT, id=name, values=Row(amount=amount), evidence=[1, 2])


def late(amount: float) -> Row:
    return Row(tag="late", match=None, end=AT, id=None, values=Row(amount=amount), evidence=None)


def test_the_table_has_a_column_for_every_result_and_the_id_for_a_key() -> None:
    assert create_statement("matches", SCHEMA) == (
        'CREATE TABLE IF NOT EXISTS "matches" ("tag" text, "match" text, "end" timestamptz, '
        '"id" text PRIMARY KEY, "values" jsonb, "evidence" jsonb)'
    )


def test_names_cannot_break_out_of_a_statement() -> None:
    assert insert_statement('a"; DROP', StructType().add("id", StringType())) == (
        'INSERT INTO "a""; DROP" ("id") VALUES (%s) ON CONFLICT ("id") DO NOTHING'
    )


def test_parts_are_json_and_a_match_keeps_its_id() -> None:
    assert list(parameters([match("m1")], SCHEMA, 0)) == [("match", "Paid", AT, "m1", '{"amount": 1.5}', "[1, 2]")]


def test_times_are_those_of_the_results_whatever_the_zone_of_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        on_the_clock = AT.astimezone().replace(tzinfo=None)  # as Spark gives it to Python
        [told] = parameters([Row(end=on_the_clock, id="m1")], TIMES, 0)
    finally:
        monkeypatch.undo()
        time.tzset()
    assert told == (AT, "m1")


def test_what_was_set_aside_has_the_same_id_when_its_batch_is_repeated() -> None:
    def ids(batch: int) -> list[object]:
        return [row[3] for row in parameters([late(1), late(2), late(1)], SCHEMA, batch)]

    assert ids(7) == ids(7)
    assert len(set(ids(7))) == 3
    assert not set(ids(7)) & set(ids(8))


def test_a_server_that_is_not_there_is_refused() -> None:
    with pytest.raises(CepheidError) as raised:
        PostgresqlTable("postgresql://127.0.0.1:1/none", "matches").reach()
    first, hint = str(raised.value).splitlines()
    assert first.startswith("error[unwritable-output]: PostgreSQL refuses: ")
    assert hint == '  = hint: start the server, or mend `url = "postgresql://user@host/database"`'


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a server that lives as long as the tests of this file, in a directory that nobody else changes."""
    if not BINARIES:
        pytest.skip("there is no PostgreSQL server on this machine")
    with TemporaryDirectory(prefix="cepheid-postgresql-") as directory:
        yield from _served(BINARIES[-1], Path(directory))


def _served(binaries: Path, directory: Path) -> Iterator[str]:
    data, user = directory / "data", "postgres" if os.geteuid() == 0 else None
    if user is not None:
        _hand_over(directory, user)
    port = _free_port()
    where = f"-k '' -h 127.0.0.1 -p {port} -F"
    _call(user, binaries / "initdb", "-D", data, "-U", "tester", "-A", "trust", "-E", "UTF8", "--no-sync")
    _call(user, binaries / "pg_ctl", "-D", data, "-o", where, "-l", directory / "log", "-w", "start")
    try:
        yield f"postgresql://tester@127.0.0.1:{port}/postgres"
    finally:
        _call(user, binaries / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")


def _hand_over(directory: Path, user: str) -> None:
    """Let another user work in a directory: a server does not run as root."""
    try:
        entry = pwd.getpwnam(user)
    except KeyError:
        pytest.skip(f"a server does not run as root, and there is no user `{user}`")
    shutil.chown(directory, entry.pw_uid, entry.pw_gid)


def _call(user: str | None, *command: object) -> None:
    words = [str(word) for word in command]
    ran = subprocess.run(
        words, user=user, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr


def _free_port() -> int:
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        return int(listening.getsockname()[1])


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
    bad = Row(tag="match", match="Paid", end="never", id="m2", values=Row(amount=1.0), evidence=[])
    with pytest.raises(psycopg.Error):
        table.add([match("m1"), bad], SCHEMA, 0)
    assert rows_of(server, "halves") == []


def test_a_table_with_other_columns_is_refused(server: str) -> None:
    with psycopg.connect(server) as connection:
        connection.execute("CREATE TABLE other (id text PRIMARY KEY)")
    with pytest.raises(CepheidError, match="the table `other` has no column `tag`"):
        PostgresqlTable(server, "other").prepare(SCHEMA)


def test_a_database_that_is_not_there_is_refused(server: str) -> None:
    with pytest.raises(CepheidError, match=r'PostgreSQL refuses: .*database "none" does not exist'):
        PostgresqlTable(f"{server.removesuffix('/postgres')}/none", "matches").reach()
