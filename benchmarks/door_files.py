"""`cepheid run` from file to file, beside readers that do nothing: processor time, start-up taken out.

    python -m benchmarks.door_files [events]

What a run of the first rows alone takes is subtracted, which is all that does not grow with the file. Texts have a
tenth of the events; one of them has a bad cell in every thousandth row, and one has keys of several types.
"""

import contextlib
import io
import json
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv as arrow_csv
import pyarrow.json as arrow_json
import pyarrow.parquet as pq

from benchmarks.engine_workload import workload
from cepheid.cli import main as cepheid

EVENTS, ROUNDS, FIRST = 10_000_000, 3, 25_000
QUERY = "rule recent: (a: A then b: B within 1 s on a.key == b.key choose recent) where b.value > a.value emits recent"
READERS: dict[str, Callable[[Path], int]] = {
    "parquet": lambda path: _rows_of_parquet(path),
    "csv": lambda path: int(arrow_csv.read_csv(path).num_rows),
    "jsonl": lambda path: int(arrow_json.read_json(path).num_rows),
}


def _rows_of_parquet(path: Path) -> int:
    with pq.ParquetFile(path, pre_buffer=False) as file:
        return sum(batch.num_rows for batch in file.iter_batches(batch_size=1 << 16))


def write_inputs(folder: Path, count: int) -> dict[str, Path]:
    """Write the same events in all forms, and the first of them beside each; return the files by what is in them."""
    table = pa.Table.from_batches(workload(count).batches)
    few = table.slice(0, count // 10)
    texts = few.set_column(0, "type", few["type"].cast(pa.string()))
    paths = {"parquet": folder / "events.parquet"}
    for rows, name in ((table, "events"), (table.slice(0, FIRST), "events.first")):
        pq.write_table(rows, folder / f"{name}.parquet")
    with io.BytesIO() as written:
        arrow_csv.write_csv(texts, written)
        lines = written.getvalue().decode().splitlines(keepends=True)
    header, rows = lines[0], lines[1:]
    records = [json.dumps(row) + "\n" for row in texts.to_pylist()]
    for form, first, each in (("csv", [header], rows), ("jsonl", [], records)):
        bad = [_spoiled(one, form) if number % 1000 == 500 else one for number, one in enumerate(each)]
        mixed = [_of_another_type(one, form) if number % 1000 == 500 else one for number, one in enumerate(each)]
        for kind, some in (("", each), (", bad rows", bad), (", mixed types", mixed)):
            paths[f"{form}{kind}"] = folder / f"{form}{kind.replace(', ', '-').replace(' ', '-')}.{form}"
            paths[f"{form}{kind}"].write_text("".join([*first, *some]))
            _first(paths[f"{form}{kind}"]).write_text("".join([*first, *some[:FIRST]]))
    return paths


def _spoiled(line: str, form: str) -> str:
    """Return a row whose time is none."""
    if form == "csv":
        kind, _, rest = line.split(",", 2)
        return f"{kind},soon,{rest}"
    return json.dumps({**json.loads(line), "time": "soon"}) + "\n"


def _of_another_type(line: str, form: str) -> str:
    """Return a row whose key is a text."""
    if form == "csv":
        kind, when, _, value = line.split(",")
        return f"{kind},{when},none,{value}"
    return json.dumps({**json.loads(line), "key": "none"}) + "\n"


def _first(path: Path) -> Path:
    return path.with_name(f"{path.stem}.first{path.suffix}")


def run(query: Path, path: Path, output: Path) -> None:
    """Do what `cepheid run` does, in this process."""
    words = ["run", str(query), "-i", str(path), "-o", str(output), "--time-unit", "us", "--threads", "1", "-q"]
    with contextlib.redirect_stderr(io.StringIO()):
        cepheid.main(words, standalone_mode=False)


def spent(work: Callable[[], object]) -> float:
    """Return the least processor time of some rounds, after one that nobody times."""
    taken = []
    for _ in range(ROUNDS + 1):
        begin = time.process_time()
        work()
        taken.append(time.process_time() - begin)
    return min(taken[1:])


def measured(count: int) -> dict[str, dict[str, float]]:
    """Return how many events a second are read, and are run from file to file, by what is in the file."""
    told: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        query = Path(folder) / "recent.cep"
        query.write_text(QUERY)
        for name, path in write_inputs(Path(folder), count).items():
            form = name.partition(",")[0]
            output, rows = Path(folder) / f"matches.{form}", count if form == "parquet" else count // 10
            start_up = spent(partial(run, query, _first(path), output))
            seconds = spent(partial(run, query, path, output)) - start_up
            row: dict[str, Any] = {"events": rows, "run": round((rows - FIRST) / seconds)}
            if "," not in name:
                row["read"] = round(rows / spent(partial(READERS[form], path)))
            told[name] = row
            print(name, row, flush=True)
    return told


def main(arguments: list[str]) -> None:
    measured(int(arguments[0]) if arguments else EVENTS)


if __name__ == "__main__":
    main(sys.argv[1:])
