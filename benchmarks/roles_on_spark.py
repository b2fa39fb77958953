"""Rules about fraud over many transfers on Spark, dealt out by role: one core beside two, and what each bucket holds.

    python -m benchmarks.roles_on_spark [transfers]

Transfers come one every six seconds between a hundred thousand accounts, and one in a thousand is claimed to be
fraudulent. An account is the destination of some transfers and the originator of others, so each transfer goes to two
buckets, and the claims go to all of them. On one core, all that Spark starts is confined to that core: else its
virtual machine would work on the other while Python works on the first. Writes `results/roles.json` and
`docs/benchmarks/roles.md`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import functions as F

from benchmarks.diffusion_on_spark import ACCOUNTS, APART, drawn
from benchmarks.processor_time import processor_seconds
from cepheid.api.compiling import Settings, load
from cepheid.spark.batch import detect_batch
from cepheid.spark.detecting import prepared
from cepheid.spark.results import FIGURES, MATCH
from cepheid.spark.sessions import local_session

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = ROOT / "benchmarks" / "results" / "roles.json"
PAGE: Final = ROOT / "docs" / "benchmarks" / "roles.md"
TRANSFERS: Final = 10_000_000
RULES: Final = ("FraudDiffusion", "FraudRefundScam")
RATES: Final = {"MoneyTransferred": "600/hour", "FraudulentTransactionClaimed": "1/hour"}
CLAIMED: Final = 1000
LATER: Final = 3_600_000_000  # microseconds from a transfer to its claim
FILES: Final = 20


def write(count: int, folder: Path) -> None:
    """Write transfers, and claims about some of them, as files that hold them in the order of time."""
    folder.mkdir()
    transfers, names = drawn(count), np.array([f"a{number}" for number in range(ACCOUNTS)])
    # Some send back at once what they got, so that there is something to refund.
    back = np.arange(5, count, 50)
    transfers.originator[back], transfers.destination[back] = (
        transfers.destination[back - 5],
        transfers.originator[back - 5],
    )
    transfers.amount[back] = transfers.amount[back - 5]
    for number, rows in enumerate(np.array_split(np.arange(count), FILES)):
        claimed = rows[rows % CLAIMED == 0]
        own, others = len(rows), len(claimed)
        table = pa.table(
            {
                "type": ["MoneyTransferred"] * own + ["FraudulentTransactionClaimed"] * others,
                "time": pa.array(
                    np.concatenate([transfers.time[rows], transfers.time[claimed] + LATER]),
                    pa.timestamp("us", tz="UTC"),
                ),
                "id": pa.array([*rows.tolist(), *[None] * others], pa.int64()),
                "originator": [*names[transfers.originator[rows]], *[None] * others],
                "destination": [*names[transfers.destination[rows]], *[None] * others],
                "amount": pa.array([*transfers.amount[rows].tolist(), *[None] * others], pa.int64()),
                "transaction_id": pa.array([*[None] * own, *claimed.tolist()], pa.int64()),
                "reason": [None] * own + ["none"] * others,
            }
        )
        pq.write_table(table, folder / f"{number:02}.parquet")


def measured(rule: str, cores: int, folder: str) -> dict[str, Any]:
    """Run one rule on so many cores, and return what that took and what it held."""
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    session = local_session("roles", cores=cores, shuffle_partitions=16)
    asked = load(str(_only(rule, Path(folder))), settings=Settings(rates=RATES))
    frame = session.read.parquet(f"{folder}/in")
    _run(session, asked, frame.limit(1000), f"{folder}/warm-{rule}-{cores}")
    begun, worked = time.perf_counter(), processor_seconds()
    out = _run(session, asked, frame, f"{folder}/out-{rule}-{cores}")
    took = {"seconds": time.perf_counter() - begun, "processor_seconds": processor_seconds() - worked}
    places = out.where(F.col("tag") == FIGURES)
    held = places.agg(F.max("peak"), F.sum("peak"), F.max("promised"), F.count("*"), F.sum("events")).first()
    assert held is not None
    return {
        "rule": rule,
        "cores": cores,
        "matches": out.where(F.col("tag") == MATCH).count(),
        **dict(zip(("most_of_a_bucket", "all_buckets", "certified", "buckets", "events"), held, strict=True)),
        **{name: round(value, 1) for name, value in took.items()},
    }


def _only(rule: str, folder: Path) -> Path:
    """Return a file with one of the rules about fraud."""
    fraud = ROOT / "examples" / "fraud"
    text = (fraud / "fraud.parte").read_text(encoding="utf-8")
    begin = text.index(f"rule {rule} where")
    following = text.find("\n//", begin)
    for name in ("templates.parte", "routes.csv"):
        (folder / name).write_text((fraud / name).read_text(encoding="utf-8"), encoding="utf-8")
    file = folder / f"{rule}.parte"
    own = text[begin : following if following > 0 else len(text)]
    file.write_text(f'use "templates.parte"\n\n{own}', encoding="utf-8")
    return file


def _run(session: Any, asked: Any, frame: Any, out: str) -> Any:  # pyspark's frames, as they are handed on
    work = prepared(frame, asked)
    detect_batch(work.rows, work.routes, work.form, work.settings, work.slices, work.buckets).write.parquet(out)
    return session.read.parquet(out)


def page(count: int, rows: list[dict[str, Any]]) -> str:
    """Return the page about what was measured."""
    shown = ("seconds", "processor_seconds", "matches", "most_of_a_bucket", "all_buckets", "certified")
    lines = [f"| {row['rule']} | {row['cores']} | {' | '.join(f'{row[name]:,}' for name in shown)} |" for row in rows]
    ratios = [
        f"`{one['rule']}` is {one['seconds'] / two['seconds']:.2f} times as fast on two cores as on one."
        for one, two in zip(rows[::2], rows[1::2], strict=True)
    ]
    return f"""# Keys per role on Spark

{count:,} transfers between {ACCOUNTS:,} accounts, one every {APART / 1e6:.1f} seconds, and a claim for one in
{CLAIMED:,} of them, through two of the rules about fraud as a whole frame. Transfers go to two of the
{rows[0]["buckets"]} buckets, and claims to all. On one core, all processes are confined to it. What a bucket holds
is looked at after every portion of rows, where kernels run. `python -m benchmarks.roles_on_spark` runs it again
and writes this page.

| rule | cores | seconds | seconds of the processors | matches | most entries of a bucket | of all buckets | certified |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
{chr(10).join(lines)}

{" ".join(ratios)}
"""


def main(count: int) -> None:
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        write(count, Path(folder) / "in")
        for rule in RULES:
            for cores in ("1", "2"):
                # A session keeps its number of cores, so each has a process of its own.
                told = [sys.executable, "-m", "benchmarks.roles_on_spark", rule, cores, folder]
                answer = subprocess.run(told, check=True, stdout=subprocess.PIPE, text=True)
                rows.append(json.loads(answer.stdout.splitlines()[-1]))
                print(rows[-1], flush=True)
    RESULTS.write_text(json.dumps({"transfers": count, "rows": rows}, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(count, rows), encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) > 2:
        print(json.dumps(measured(sys.argv[1], int(sys.argv[2]), sys.argv[3])))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else TRANSFERS)
