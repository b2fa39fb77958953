"""The same questions of the same Parquet file to Cepheid, DuckDB and polars: wall time, all cores, start-up taken out.

    python -m benchmarks.door_others [events]

Everybody reads the file, works out the answer and hands it over as columns; rounds come in turn, and the best counts.
Answers are compared by how many rows there are and by the sums of their ends. Events further apart than the window can
be no pair, so DuckDB and polars are given buckets of time for all combinations, which no range join of theirs beats.
The others do not say which events an answer is made of, so Cepheid is not asked for its evidence either.
"""

import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import cepheid as c
from benchmarks import engine_queries
from benchmarks.engine_workload import workload

EVENTS, ROUNDS, SECOND = 10_000_000, 5, 1_000_000
Answer = tuple[int, int]
"""How many rows there are, and the sum of their ends."""

RECENT = """
    SELECT b.time AS "end", a.time AS start FROM (SELECT * FROM '{path}' WHERE type = 'B') b
    ASOF JOIN (SELECT * FROM '{path}' WHERE type = 'A') a ON a.key = b.key AND b.time > a.time
    WHERE b.time - a.time <= 1000000 AND b.value > a.value ORDER BY b.time
"""
COMBINATIONS = """
    WITH e AS (SELECT type, time, key, time // 1000000 AS bucket FROM '{path}' WHERE type IN ('A', 'B', 'C')),
    a AS (SELECT time, key, unnest([bucket, bucket + 1]) AS bucket FROM e WHERE type = 'A'),
    c AS (SELECT time, key, unnest([bucket, bucket - 1]) AS bucket FROM e WHERE type = 'C')
    SELECT a.time AS start, b.time AS middle, c.time AS "end" FROM a
    JOIN (SELECT * FROM e WHERE type = 'B') b ON b.key = a.key AND b.bucket = a.bucket
        AND b.time > a.time AND b.time - a.time <= 1000000
    JOIN c ON c.key = b.key AND c.bucket = b.bucket AND c.time > b.time AND c.time - a.time <= 1000000
    ORDER BY c.time
"""
AVERAGE = """
    SELECT time AS "end", mean FROM (
        SELECT time, avg(value) OVER (
            PARTITION BY key ORDER BY time RANGE BETWEEN 10000000 PRECEDING AND CURRENT ROW
        ) AS mean FROM '{path}' WHERE type = 'A'
    ) WHERE mean > 0.5 ORDER BY time
"""


def in_duckdb(question: str, path: Path) -> Answer:
    """Ask DuckDB, and take the answer as a table of Arrow."""
    found = duckdb.sql(question.format(path=path))
    assert found is not None
    return _answer(found.to_arrow_table())


def _of_type(path: Path, name: str) -> pl.LazyFrame:
    return pl.scan_parquet(path).filter(pl.col("type") == name)


def recent_in_polars(path: Path) -> Answer:
    before = _of_type(path, "A").select("time", "key", before=pl.col("value"), start=pl.col("time"))
    joined = _of_type(path, "B").join_asof(
        before, on="time", by="key", strategy="backward", allow_exact_matches=False, check_sortedness=False
    )
    near = (pl.col("time") - pl.col("start") <= SECOND) & (pl.col("value") > pl.col("before"))
    return _answer(joined.filter(near).select("start", end="time").collect().to_arrow())


def combinations_in_polars(path: Path) -> Answer:
    bucket = pl.col("time") // SECOND
    first = _of_type(path, "A").select("key", bucket=pl.concat_list(bucket, bucket + 1), start="time").explode("bucket")
    middle = _of_type(path, "B").select("key", bucket=bucket, middle="time")
    last = _of_type(path, "C").select("key", bucket=pl.concat_list(bucket, bucket - 1), end="time").explode("bucket")
    pairs = first.join(middle, on=["key", "bucket"]).filter(
        (pl.col("middle") > pl.col("start")) & (pl.col("middle") - pl.col("start") <= SECOND)
    )
    found = pairs.join(last, on=["key", "bucket"]).filter(
        (pl.col("end") > pl.col("middle")) & (pl.col("end") - pl.col("start") <= SECOND)
    )
    return _answer(found.select("start", "middle", "end").sort("end").collect().to_arrow())


def average_in_polars(path: Path) -> Answer:
    mean = pl.col("value").rolling_mean_by("time", window_size=f"{10 * SECOND}i", closed="both").over("key")
    found = _of_type(path, "A").select("key", "time", mean=mean).filter(pl.col("mean") > 0.5)
    return _answer(found.select("mean", end="time").sort("end").collect().to_arrow())


def in_cepheid(query: c.CompiledQuery, path: Path) -> Answer:
    return _answer(query.run(str(path), time_unit="us", evidence=False).to_arrow())


def _answer(table: pa.Table) -> Answer:
    return table.num_rows, pc.sum(table.column("end").cast(pa.int64())).as_py() or 0


def ways(path: Path) -> dict[str, dict[str, Callable[[], Answer]]]:
    """Return who answers which question how."""
    combinations = engine_queries.combinations("1 s", by_key=True)
    asked = {
        "most recent A, then a greater B, by key": (engine_queries.recent(), RECENT, recent_in_polars),
        "A, B, C in order within 1 s, by key": (combinations, COMBINATIONS, combinations_in_polars),
        "average of 10 s by key above 0.5": (engine_queries.average("A", 0.5), AVERAGE, average_in_polars),
    }
    return {
        name: {
            "cepheid": partial(in_cepheid, query, path),
            "duckdb": partial(in_duckdb, sql, path),
            "polars": partial(polars, path),
        }
        for name, (query, sql, polars) in asked.items()
    }


def measured(path: Path, events: int) -> list[dict[str, Any]]:
    """Return the seconds of everybody for each question, after one round that nobody times."""
    rows = []
    for name, each in ways(path).items():
        best, answers = dict.fromkeys(each, float("inf")), set()
        spent = dict(best)
        for number in range(ROUNDS + 1):
            for who, ask in each.items():
                begin, worked = time.perf_counter(), time.process_time()
                answers.add(ask())
                if number:
                    best[who] = min(best[who], time.perf_counter() - begin)
                    spent[who] = min(spent[who], time.process_time() - worked)
        if len(answers) != 1:
            raise SystemExit(f"{name}: the answers differ: {answers}")
        rows.append({"name": name, "events": events, "matches": answers.pop()[0], **best, "processor": spent})
        faster = min(best["duckdb"], best["polars"])
        times = " ".join(f"{who} {best[who]:.3f} ({spent[who]:.3f})" for who in each)
        print(f"{name:42} {times}, {best['cepheid'] / faster:.2f} of the faster one", flush=True)
    return rows


def main(arguments: list[str]) -> None:
    count = int(arguments[0]) if arguments else EVENTS
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "events.parquet"
        pq.write_table(pa.Table.from_batches(workload(count).batches), path)
        measured(path, count)


if __name__ == "__main__":
    main(sys.argv[1:])
