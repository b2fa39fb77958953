"""Diffusion over all that an account sends in 14 days, over ten million transfers on Spark, inside the certified state.

    python -m benchmarks.diffusion_on_spark [transfers]

Transfers come one every few seconds between a hundred thousand accounts, and each goes to two buckets, that of its
originator and that of its destination. What is found is counted a second time with NumPy alone, by sums over sorted
columns, and how much each bucket held at most stands beside what was certified before. Writes `results/diffusion.json`
and `docs/benchmarks/diffusion.md`.
"""

import json
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import functions as F

import cepheid
from benchmarks.processor_time import processor_seconds
from cepheid.spark.batch import detect_batch
from cepheid.spark.detecting import prepared
from cepheid.spark.results import FIGURES, MATCH
from cepheid.spark.sessions import local_session
from examples.fraud.detect import program

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = ROOT / "benchmarks" / "results" / "diffusion.json"
PAGE: Final = ROOT / "docs" / "benchmarks" / "diffusion.md"
TRANSFERS: Final = 10_000_000
ACCOUNTS: Final = 100_000
FILES: Final = 20
APART: Final = 6_307_200  # microseconds: ten million take two years
WINDOW: Final = 14 * 24 * 3600 * 1_000_000
BEGIN: Final = 1_700_000_000_000_000


@dataclass(frozen=True, slots=True)
class Transfers:
    """Columns of transfers in the order of time; amounts are whole, so that sums are exact."""

    time: Any  # arrays of NumPy
    originator: Any
    destination: Any
    amount: Any


def drawn(count: int) -> Transfers:
    """Return transfers between random accounts, small ones more often than large ones."""
    draw = np.random.default_rng(7)
    accounts = draw.integers(0, ACCOUNTS, (2, count))
    amount = (10 * np.exp(draw.exponential(2.0, count).clip(0, 9))).astype(np.int64)
    return Transfers(BEGIN + np.arange(count) * APART, accounts[0], accounts[1], amount)


def write(transfers: Transfers, folder: Path) -> None:
    folder.mkdir()
    names = np.array([f"a{number}" for number in range(ACCOUNTS)])
    for number, rows in enumerate(np.array_split(np.arange(len(transfers.time)), FILES)):
        table = pa.table(
            {
                "type": pa.array(["MoneyTransferred"] * len(rows)),
                "time": pa.array(transfers.time[rows], pa.timestamp("us", tz="UTC")),
                "id": rows,
                "originator": names[transfers.originator[rows]],
                "destination": names[transfers.destination[rows]],
                "amount": transfers.amount[rows],
            }
        )
        pq.write_table(table, folder / f"{number:02}.parquet")


def counted(transfers: Transfers) -> int:
    """Return how many transfers diffuse, by sums over columns that are sorted by originator and time."""
    order = np.lexsort((transfers.time, transfers.originator))
    # Account and time in one number, so that a window of one account is a span of sorted numbers.
    place = transfers.originator[order] * (1 << 42) + (transfers.time[order] - BEGIN) // APART
    total = np.concatenate([[0], np.cumsum(transfers.amount[order])])
    first = transfers.destination * (1 << 42) + (transfers.time - BEGIN) // APART
    low = np.searchsorted(place, first, "left")
    high = np.searchsorted(place, first + WINDOW // APART, "right")
    own = (transfers.originator == transfers.destination).astype(np.int64)  # a transfer to oneself is not passed on
    sent = total[high] - total[low] - own * transfers.amount
    parts = high - low - own
    wanted = (transfers.amount >= 100) & (parts >= 2)
    near = (sent >= transfers.amount * 0.9) & (sent <= transfers.amount * 1.1)
    return int((wanted & near).sum())


def measured(count: int) -> dict[str, Any]:
    """Run the rule over so many transfers, and return what that took and what it held."""
    session = local_session("diffusion", shuffle_partitions=16)
    query = cepheid.compile(program("over_all.parte"))
    transfers = drawn(count)
    with tempfile.TemporaryDirectory() as folder:
        write(transfers, Path(folder) / "in")
        work = prepared(session.read.parquet(f"{folder}/in"), query, id="id")
        begun, worked = time.perf_counter(), processor_seconds()
        results = detect_batch(work.rows, work.routes, work.form, work.settings, work.slices, work.buckets)
        results.write.parquet(f"{folder}/out")
        took = {"seconds": time.perf_counter() - begun, "processor_seconds": processor_seconds() - worked}
        out = session.read.parquet(f"{folder}/out")
        found = out.where(F.col("tag") == MATCH).select("id").distinct().count()
        places = out.where(F.col("tag") == FIGURES)
        held = places.agg(F.max("peak"), F.max("promised"), F.count("*"), F.sum("events")).first()
    assert held is not None
    peak, promised, buckets, taken = held
    return {
        "transfers": count,
        "matches": found,
        "expected": counted(transfers),
        "buckets": buckets,
        "taken": taken,
        "peak_entries": peak,
        "certified_entries": promised,
        **{name: round(value, 1) for name, value in took.items()},
    }


def page(row: dict[str, Any]) -> str:
    """Return the page about what was measured."""
    inside = "inside" if row["peak_entries"] <= row["certified_entries"] else "outside"
    same = "the same number" if row["matches"] == row["expected"] else f"not the {row['expected']:,} that"
    return f"""# Diffusion over ten million transfers on Spark

`examples/fraud/over_all.parte` looks for accounts that send on about what they got, within 14 days and in two parts or
more. {row["transfers"]:,} transfers between {ACCOUNTS:,} accounts, one every 6.3 seconds, are dealt out into
{row["buckets"]} buckets by their accounts, which run on two cores. `make bench-parte` runs it again and writes this
page.

| what | |
| --- | ---: |
| found | {row["matches"]:,} |
| counted with NumPy alone | {row["expected"]:,} |
| certified before the run, entries on one worker | {row["certified_entries"]:,} |
| held at most, entries on one worker | {row["peak_entries"]:,} |
| transfers taken in, each counted once | {row["taken"]:,} |
| seconds | {row["seconds"]:.0f} |
| seconds of the processors | {row["processor_seconds"]:.0f} |

The state stays {inside} what was certified, and NumPy counts {same}.
"""


def main(count: int) -> None:
    row = measured(count)
    print(json.dumps(row, indent=1))
    RESULTS.write_text(json.dumps(row, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(row), encoding="utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else TRANSFERS)
