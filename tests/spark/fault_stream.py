"""The stream that `faults` kills: it runs a query over files, and writes each batch to a place of its own."""

import os
import random
import shutil
import signal
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame

import cepheid
from cepheid.algebra.programs import Program
from cepheid.api import CompiledQuery
from cepheid.events import Event
from cepheid.languages.cep import read_program
from cepheid.spark import detect
from cepheid.spark.sessions import local_session, new_session

HEARTBEAT, LATER = "Beat", 10_000
BEFORE_ALL, BEFORE_SINK, AFTER_SINK = "before its state is kept", "before the sink takes it", "after the sink took it"
SINK_POINTS = (BEFORE_ALL, BEFORE_SINK, AFTER_SINK)
SCHEMA = "type string, time long, id long, user long"
RULES = """
rule pair: a: A then b: B within 50 on a.user == b.user emits Pair(user = a.user)
rule alone:
    a: A unless b: B relation 1 <= start($absent) - end($pattern) <= 50 on a.user == b.user
    emits Alone(user = a.user)
rule near: a: A then c: C within 2 emits Near(first = a.user, second = c.user)
rule again: p: Pair then n: Near within 20 on p.user == n.second choose recent emits Again(user = p.user)
"""


@cache
def program() -> Program:
    return read_program(RULES)


@cache
def query() -> CompiledQuery:
    return cepheid.compile(program(), time_unit="us", disorder=20)


def events(files: int, each: int) -> Iterator[Event]:
    """Yield events in the order in which they come: up to 20 ticks out of order; in the end, it is much later."""
    draw = random.Random(1)
    drawn = [(time // 2, draw.choice("ABC"), draw.randrange(40)) for time in range(files * each)]
    ordered = sorted(enumerate(drawn), key=lambda entry: entry[1][0] + draw.uniform(0, 15))
    for name, (time, kind, user) in ordered:
        yield Event(kind, time, time, name, {"user": user})
    yield Event(HEARTBEAT, LATER, LATER, -1)


def write_input(folder: Path, files: int, each: int) -> None:
    """Write the events in files that are read one by one."""
    folder.mkdir(parents=True)
    every = list(events(files, each))
    for number in range(files + 1):
        some = every[number * each : (number + 1) * each]
        columns = [[event.type for event in some], [event.end for event in some], [event.id for event in some]]
        users = [event.fields.get("user") for event in some]
        table = pa.table(dict(zip(("type", "time", "id", "user"), [*columns, users], strict=True)))
        table = table.cast(pa.schema([("type", pa.string()), *((n, pa.int64()) for n in ("time", "id", "user"))]))
        path = folder / f"{number:04}.parquet"
        pq.write_table(table, path)
        os.utime(path, (1_000_000_000 + number, 1_000_000_000 + number))


def main(folder: Path) -> None:
    master = os.environ.get("MASTER")
    settings = {"spark.sql.shuffle.partitions": "2", "spark.ui.enabled": "false"}
    settings |= {"spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
    session = new_session("faults", master, settings) if master else local_session("faults", shuffle_partitions=2)
    stream = session.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 2).parquet(str(folder / "in"))
    found = detect(stream, query(), id="id", heartbeat=HEARTBEAT, buckets=3)
    writer = found.writeStream.foreachBatch(lambda batch, number: _write(batch, number, folder / "out"))
    writer.option("checkpointLocation", str(folder / "checkpoint")).trigger(
        availableNow=True
    ).start().awaitTermination()


def _write(batch: DataFrame, number: int, folder: Path) -> None:
    """Write a batch to a folder of its own: the same batch again takes the same place."""
    _die_at(BEFORE_ALL, number)
    hidden, seen = folder / f".batch-{number}", folder / f"batch-{number}"
    shutil.rmtree(hidden, ignore_errors=True)
    batch.select("tag", "id").coalesce(1).write.parquet(str(hidden))
    _die_at(BEFORE_SINK, number)
    shutil.rmtree(seen, ignore_errors=True)
    hidden.rename(seen)
    _die_at(AFTER_SINK, number)


def _die_at(point: str, batch: int) -> None:
    if os.environ.get("KILL_AT") == point and os.environ.get("KILL_IN") == str(batch):
        os.killpg(os.getpgid(0), signal.SIGKILL)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
