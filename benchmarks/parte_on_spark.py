"""The experiment on diffusion on Spark: every fraud is found in a stream, and no history outgrows its limit.

    python -m benchmarks.parte_on_spark [runs]
    python -m benchmarks.parte_on_spark --page      the page and the plot anew, from what was measured

Each setting is one stream that has the transfers of several runs, each for a query of its own: the rule knows the
common routes of its run. A history that held more than the smaller one of both minimum viable sizes would end the
stream. Writes `results/parte_on_spark.json`, `docs/benchmarks/parte-on-spark.md` and its plot.
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypedDict

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import DataFrame, SparkSession

from benchmarks.bar_plot import bar_plot
from benchmarks.fraud_experiment import RULE, limits_of, query_for
from benchmarks.parte import setting_of
from benchmarks.parte_page import GROUPS, UNRELATED
from benchmarks.parte_published import published
from cepheid import CompiledQuery
from cepheid.spark import detect
from cepheid.spark.sessions import local_session
from examples.fraud.generator import Trace, generated

RESULTS: Final = Path(__file__).parent / "results" / "parte_on_spark.json"
EMBEDDED: Final = RESULTS.with_name("parte.json")
PAGE: Final = Path(__file__).parents[1] / "docs" / "benchmarks" / "parte-on-spark.md"
PLOT: Final = PAGE.with_suffix(".svg")
BATCHES: Final = 3
SCHEMA: Final = (
    "run string, source string, type string, time timestamp, id long, "
    "originator string, destination string, amount long"
)


INTRODUCTION: Final = """# Fraud on Spark inside the minimum viable size

The experiment of [the other page](parte.md) as streams on Spark: transfers come in three batches, from two sources with
clocks of their own, and the state of every query goes through Spark's state store between them. No history may hold
more than the smaller one of both minimum viable sizes, or the stream ends. `make bench-parte` runs it again and writes
this page. "Evicting" is the control, as the median of its runs: the same rule, whose histories drop the oldest entries
at the same size. "Evicting port" is the median that the dissertation reports for its own program on Spark, which does
that too.

"""


class Found(TypedDict):
    """What the runs of one setting found on Spark."""

    groups: int
    unrelated: int
    spaced: bool
    runs: int
    events: int
    frauds: int
    found: int
    others: int
    peak: int
    limit: int


def write_batches(traces: Mapping[str, Trace], folder: Path) -> None:
    """Write the transfers of all runs, in so many files that are read one after the other."""
    rows = sorted(_rows(traces), key=lambda row: row["time"])
    size = -(-len(rows) // BATCHES)
    for number in range(BATCHES):
        table = pa.Table.from_pylist(rows[number * size : (number + 1) * size])
        times = table.column("time").cast(pa.timestamp("us", tz="UTC"))
        pq.write_table(table.set_column(3, "time", times), folder / f"{number}.parquet")


def _rows(traces: Mapping[str, Trace]) -> list[dict[str, Any]]:
    return [
        {"run": name, "source": source, "type": event.type, "time": event.end, "id": event.id, **event.fields}
        for name, trace in traces.items()
        for source, event in trace.arrivals
    ]


def run(session: SparkSession, groups: int, unrelated: int, *, spaced: bool, runs: int) -> Found:
    """Run one setting, and say what it found."""
    traces = {f"run {seed}": generated(setting_of(groups, unrelated, seed, spaced=spaced)) for seed in range(runs)}
    queries = {name: query_for(trace, spaced=spaced) for name, trace in traces.items()}
    limits = limits_of(next(iter(queries.values())))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "in").mkdir()
        write_batches(traces, Path(folder) / "in")
        told, peak = _streamed(session, Path(folder), queries, limits)
    right = sum(len(trace.frauds.intersection(told[name])) for name, trace in traces.items())
    return Found(
        groups=groups,
        unrelated=unrelated,
        spaced=spaced,
        runs=runs,
        events=sum(len(trace.arrivals) for trace in traces.values()),
        frauds=sum(len(trace.frauds) for trace in traces.values()),
        found=right,
        others=sum(map(len, told.values())) - right,
        peak=peak,
        limit=max(limits.values()),
    )


def _streamed(
    session: SparkSession, folder: Path, queries: Mapping[str, CompiledQuery], limits: Mapping[str, int]
) -> tuple[dict[str, set[tuple[object, ...]]], int]:
    """Return the transfers of each match, by run, and the most entries that any history held."""
    stream = session.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(folder / "in"))
    told: dict[str, set[tuple[object, ...]]] = {name: set() for name in queries}

    def take(batch: DataFrame, _: int) -> None:
        for row in batch.where("tag = 'match'").select("query", "values").collect():
            values = json.loads(row["values"])
            told[row["query"]].add((*values["incoming_transactions"], *values["outgoing_transactions"]))

    found = detect(
        stream,
        dict(queries),
        id="id",
        source="source",
        query_column="run",
        values="json",
        limits={(RULE, part): size for part, size in limits.items()},
        on_excess="fail",
    )
    writer = found.writeStream.foreachBatch(take).option("checkpointLocation", str(folder / "checkpoint"))
    running = writer.trigger(availableNow=True).start()
    running.awaitTermination()
    peaks = [(one["observedMetrics"].get("cepheid") or {})["peak"] for one in running.recentProgress]
    return told, max(peak for peak in peaks if peak is not None)


def _line(one: Found) -> str:
    spacing = "spaced" if one["spaced"] else "un-spaced"
    return (
        f"{one['groups']:>5} groups, {one['unrelated']:>6} unrelated, {spacing:>9}: {one['found']} of {one['frauds']} "
        f"frauds, {one['others']} others, peak {one['peak']} of {one['limit']}"
    )


Control = dict[tuple[int, int], float]


def page(every: list[Found], control: Control) -> str:
    """Return the page that tells what was found, beside what histories of the same size find that evict."""
    head = ["groups", "unrelated", "spaced", "runs", "transfers", "found", "others", "peak", "limit"]
    head += ["evicting", "evicting port"]
    rows = [head, ["---"] * len(head), *(_row(one, control) for one in every)]
    table = "\n".join(f"| {' | '.join(row)} |" for row in rows)
    return f"{INTRODUCTION}![Shares of frauds that are found]({PLOT.name})\n\n{table}\n"


def plot(every: list[Found], control: Control) -> str:
    """Return the least share that was found in each setting, beside what histories of the same size find that evict."""
    settings = [(groups, unrelated) for groups in GROUPS for unrelated in UNRELATED]
    found = [min(_share(one) for one in every if (one["groups"], one["unrelated"]) == setting) for setting in settings]
    return bar_plot(
        "Frauds found with histories of the minimum viable size",
        [f"{groups:,} groups\n{unrelated:,} others" for groups, unrelated in settings],
        {
            "Cepheid on Spark (least of its runs)": found,
            "the same rule, evicting (median)": [control[one] for one in settings],
            "published port to Spark (median)": [published(*one, 1) for one in settings],
        },
    )


def _share(one: Found) -> float:
    return one["found"] / one["frauds"]


def _row(one: Found, control: Control) -> list[str]:
    setting = (one["groups"], one["unrelated"])
    numbers = (one["runs"], one["events"])
    return [
        f"{one['groups']:,}",
        f"{one['unrelated']:,}",
        "yes" if one["spaced"] else "no",
        *(f"{number:,}" for number in numbers),
        f"{one['found']:,} of {one['frauds']:,}",
        str(one["others"]),
        str(one["peak"]),
        str(one["limit"]),
        f"{control[setting]:.0%}",
        f"{published(*setting, 1):.0%}",
    ]


def main(runs: int) -> None:
    session = local_session("parte", shuffle_partitions=2)
    every = []
    for groups in GROUPS:
        for unrelated in UNRELATED:
            for spaced in (False, True):
                one = run(session, groups, unrelated, spaced=spaced, runs=runs)
                every.append(one)
                print(_line(one), flush=True)
    RESULTS.write_text(json.dumps(every, indent=1) + "\n", encoding="utf-8")
    write_page()


def write_page() -> None:
    """Make the page and its plot of what was measured."""
    every: list[Found] = json.loads(RESULTS.read_text(encoding="utf-8"))
    evicting: list[Any] = json.loads(EMBEDDED.read_text(encoding="utf-8"))["evicting"]
    control = {(one["groups"], one["unrelated"]): one["medians"][0] for one in evicting}
    PAGE.write_text(page(every, control), encoding="utf-8")
    PLOT.write_text(plot(every, control), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--page"]:
        write_page()
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 2)
