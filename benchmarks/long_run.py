"""A pipeline over more than ten million events of more than a day, killed ten times on the way.

    python -m benchmarks.long_run [hours of events]
    python -m benchmarks.long_run page                 writes the page again

Every batch says what it holds and what was promised, and every second somebody looks at how much memory the
driver, the JVM and the Python workers have. The first day is left alone; then something is killed ten times, and the
pipeline goes on. In the end its matches are compared with those of the engine in one process. Writes
`results/long_run.json` and `docs/benchmarks/long-run.md`, and fails where matches are others, more is held than was
promised, or memory grows.
"""

import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchmarks.long_run_figures import problems, summary
from benchmarks.long_run_input import DISORDER, FILES_OF_AN_HOUR, HEARTBEAT, MOST, RULES, SCHEMA, TYPES, Input
from benchmarks.long_run_page import page
from benchmarks.process_memory import collections, memory_of
from tests.spark.killing import WAYS, kill, running

ROOT: Final = Path(__file__).parents[1]
RESULTS: Final = ROOT / "benchmarks" / "results" / "long_run.json"
PAGE: Final = ROOT / "docs" / "benchmarks" / "long-run.md"
HOURS: Final = 38
UNDISTURBED: Final = 24
FAULTS: Final = 10
BUCKETS: Final = 8
HEAP: Final = "1g"
LOOK: Final = 1
LATEST: Final = 5.0  # seconds after a batch said something
LIVE: Final = "4 s"
"""How far apart the JVM collects all of its garbage, so that what is live is known."""
ARENAS: Final = {"MALLOC_ARENA_MAX": "2"}
"""The C library keeps what it gets for each thread apart, up to sixteen times on two cores, and gives little back."""
PIPELINE: Final = """
[pipeline]
name = "long-run"
checkpoint = "checkpoint"
buckets = {buckets}
heartbeat_type = "{beat}"
[pipeline.spark]
"spark.driver.memory" = "{heap}"
"spark.driver.extraJavaOptions" = "-Xms{heap} -XX:+UseSerialGC -XX:+AlwaysPreTouch -Xlog:gc:file={at}/gc-%p.log:time"
"spark.cleaner.periodicGC.interval" = "{live}"
[sources.events]
format = "parquet"
path = "in"
schema = "{schema}"
id_column = "id"
time_unit = "ms"
disorder = "{disorder}"
options = {{ maxFilesPerTrigger = 1 }}
[queries.shop]
file = "shop.cep"
rates = {{ {rates} }}
[sinks.found]
format = "parquet"
path = "out"
"""
COMPARED: Final = ("id", "match", "start", "end", "user", "amount")


@dataclass(slots=True)
class Run:
    """A pipeline in a folder of its own, what was killed so far, and what was seen of it.

    A life goes from a start to an end; one that `ended_by_itself`, though nobody killed it, has its last batch there.
    What a life said of its batches is in `said`, and what was looked at in `samples`, both by the clock.
    """

    at: Path
    files: int
    faults: int
    draw: random.Random = field(default_factory=lambda: random.Random(5))
    killed: list[tuple[str, int]] = field(default_factory=list)
    ended_by_itself: list[int] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)
    samples: list[dict[str, Any]] = field(default_factory=list)
    read: int = 0

    def set_up(self) -> None:
        rates = ", ".join(f'{name} = "{MOST}"' for name in TYPES)
        text = PIPELINE.format(
            buckets=BUCKETS,
            beat=HEARTBEAT,
            heap=HEAP,
            live=LIVE.replace(" ", ""),
            at=self.at,
            schema=SCHEMA,
            disorder=DISORDER,
            rates=rates,
        )
        (self.at / "pipeline.toml").write_text(text, encoding="utf-8")
        (self.at / "shop.cep").write_text(RULES, encoding="utf-8")

    def to_the_end(self) -> None:
        """Run until all is done, and kill what is to be killed in between."""
        left = list(self._faults())
        for life in range(3 * FAULTS):
            before = len(self.killed)
            with running(self.at, "--log", "json", environment=ARENAS) as process:
                ended = self._live(process, life, left)
            if ended == 0:
                return
            if len(self.killed) == before:
                self.ended_by_itself.append(self._last_batch())
                print(f"ended by itself: {self._log()[-1000:]}", flush=True)
        raise SystemExit("it does not get to the end")

    def _faults(self) -> Iterator[tuple[int, str]]:
        """Yield after which batch what is killed, spread evenly over what comes after the undisturbed day."""
        first, last, ways = self.files * UNDISTURBED // HOURS, self.files - 2, [*WAYS, *WAYS, "worker", "all"]
        self.draw.shuffle(ways)
        for number, way in enumerate(ways[: self.faults]):
            yield first + number * (last - first) // self.faults, way

    def _live(self, process: subprocess.Popen[bytes], life: int, left: list[tuple[int, str]]) -> int | None:
        """Look at a pipeline until it ends or is killed; return its status, None if it was killed as a whole."""
        while process.poll() is None:
            time.sleep(LOOK)
            self._look(process, life)
            if left and self._last_batch(life) >= left[0][0] and self._killed(process, left[0][1]):
                _, way = left.pop(0)
                if way != "worker":
                    return None
        self._look(process, life)
        return process.returncode

    def _killed(self, process: subprocess.Popen[bytes], way: str) -> bool:
        """Kill at some moment of a batch, and say whether there was what was to be killed."""
        time.sleep(self.draw.uniform(0, LATEST))
        if not kill(way, process):
            return False
        self.killed.append((way, self._last_batch()))
        print(f"killed after batch {self._last_batch()}: {way}", flush=True)
        return True

    def _last_batch(self, life: int | None = None) -> int:
        """Return the batch that said something last, of one life or of all; -1 where none did."""
        return next((one["batch"] for one in reversed(self.said) if life in (None, one["life"])), -1)

    def _look(self, process: subprocess.Popen[bytes], life: int) -> None:
        """Note how much memory there is, and what was said since somebody looked."""
        now = time.time()
        kinds = {kind: asdict(one) for kind, one in memory_of(process.pid).items()} if process.poll() is None else {}
        for one in self._new_lines():
            if one["event"] == "batch":
                self.said.append({**one, "life": life, "at": now})
                if one["batch"] % 10 == 0:
                    held = f"{one['held']:,} of {one['promised']:,}"
                    print(f"{now:.0f} batch {one['batch']}: {one['seconds']} s, {held}; {_shown(kinds)}", flush=True)
            elif one["event"] == "finding":
                print(one, flush=True)
        self.samples.append({"at": now, "life": life, **kinds})

    def _new_lines(self) -> Iterator[dict[str, Any]]:
        log = self._log()
        whole = log.rfind("\n") + 1
        lines, self.read = log[self.read : whole].splitlines(), whole
        yield from (json.loads(line) for line in lines if line.startswith('{"time"'))

    def _log(self) -> str:
        return (self.at / "log.txt").read_text(encoding="utf-8", errors="replace")

    def matches(self) -> Any:  # a table of Arrow
        """Return what the sink has, all batches together."""
        files = sorted(self.at.glob("out/batch=*/part-*.parquet"))
        told = [pq.ParquetFile(file).read(columns=["id", "match", "start", "end", "values"]) for file in files]
        every = pa.concat_tables(told)
        values = every.column("values").combine_chunks()
        for name in ("user", "amount"):
            every = every.append_column(name, pc.struct_field(values, name))
        return every


def _shown(kinds: dict[str, Any]) -> str:
    return ", ".join(f"{kind} {one['resident'] >> 20}/{one['own'] >> 20}" for kind, one in kinds.items())


def ordered(table: Any) -> Any:  # tables of Arrow
    """Return matches in the order of their ids, with what is compared of them, however their columns are written."""
    kinds = pa.schema([(name, pa.string() if name in ("id", "match") else pa.int64()) for name in COMPARED])
    return table.select(COMPARED).cast(kinds).sort_by([("id", "ascending"), ("match", "ascending")]).combine_chunks()


def compared(found: Any, wanted: Any) -> dict[str, Any]:
    """Return how many matches there are, and how many of them are missing, too many, or say something else."""
    names, own = Counter(found.column("id").to_pylist()), Counter(wanted.column("id").to_pylist())
    missing, more = (own - names).total(), (names - own).total()
    same = ordered(found).equals(ordered(wanted))
    by_rule = {
        row["values"]: row["counts"] for row in pc.value_counts(wanted.column("match").cast("string")).to_pylist()
    }
    return {"matches": by_rule, "found": found.num_rows, "missing": missing, "too_many": more, "equal": same}


def main(hours: int) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # what was started is ended
    faults, undisturbed = FAULTS * hours // HOURS, UNDISTURBED * hours // HOURS
    with tempfile.TemporaryDirectory(prefix="cepheid-bench-") as folder:
        at, begun = Path(folder), time.monotonic()
        given = Input(at / "in", hours * FILES_OF_AN_HOUR)
        given.write()
        run = Run(at, given.files, faults)
        run.set_up()
        print(f"{given.events:,} events in {given.files} files", flush=True)
        run.to_the_end()
        took = time.monotonic() - begun
        told: dict[str, Any] = {
            "hours": hours,
            "undisturbed": undisturbed,
            "files": given.files,
            "files_of_an_hour": FILES_OF_AN_HOUR,
            "heap": HEAP,
            "live_every": LIVE,
            "look_every": LOOK,
            "events": given.events,
            "seconds": round(took),
            "faults": faults,
            "killed": run.killed,
            "ended_by_itself": run.ended_by_itself,
            **compared(run.matches(), given.matches()),
            **summary(run.said, run.samples, collections(at), given.files, FILES_OF_AN_HOUR, undisturbed),
        }
    print(json.dumps(told), flush=True)
    if hours >= HOURS:
        RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
        PAGE.write_text(page(told), encoding="utf-8")
    wrong = problems(told)
    print("\n".join(wrong) or "all promises hold", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    if sys.argv[1:] == ["page"]:
        PAGE.write_text(page(json.loads(RESULTS.read_text(encoding="utf-8"))), encoding="utf-8")
    else:
        sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else HOURS))
