"""The fraud pipeline in a directory of its own: transfers are written there, and what is found is told."""

import json
import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random

from cepheid.api import check_pipeline

HERE = Path(__file__).parent
FILES = ("pipeline.toml", "fraud.parte", "templates.parte", "routes.csv")
FIRST = datetime(2018, 1, 1, 8, tzinfo=UTC)
DAYS = 16
BATCHES = 2


def prepare(directory: Path, unrelated: int, seed: int = 0) -> None:
    """Write the pipeline and its events: the trace, and so many transfers that have nothing to do with it."""
    (directory / "events").mkdir(parents=True)
    for name in FILES:
        shutil.copy(HERE / name, directory / name)
    lines = (HERE / "trace.jsonl").read_text(encoding="utf-8").splitlines()
    every = sorted((*map(json.loads, lines), *_unrelated(unrelated, Random(seed))), key=lambda event: event["time"])
    size = -(-len(every) // BATCHES)
    for number in range(BATCHES):
        portion = every[number * size : (number + 1) * size]
        file = directory / "events" / f"{number}.jsonl"
        file.write_text("".join(f"{json.dumps(event)}\n" for event in portion), encoding="utf-8")
        os.utime(file, (number, number))  # Spark reads the oldest file first


def _unrelated(count: int, random: Random) -> Iterator[dict[str, str | int]]:
    """Yield transfers between accounts that do nothing else."""
    for number in range(count):
        time = FIRST + timedelta(seconds=random.randrange(DAYS * 86_400))
        yield {
            "type": "MoneyTransferred",
            "time": time.isoformat().replace("+00:00", "Z"),
            "id": 100_000 + number,
            "originator": f"from-{number}",
            "destination": f"to-{number}",
            "amount": random.randrange(10, 1000),
        }


def suspicions(directory: Path) -> list[dict[str, object]]:
    """Return what the pipeline found, by time."""
    files = sorted((directory / "suspicions").glob("batch=*/part-*"))
    found = [json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    return sorted(found, key=lambda row: (row["end"], row["match"], row["id"]))


def demonstrate(directory: Path) -> None:
    """Check and run the pipeline, and print what it costs, how it goes, and what it finds."""
    print("$ cepheid pipeline check pipeline.toml")
    checked = check_pipeline(str(directory / "pipeline.toml"))
    for query in checked.queries.values():
        print(query.short_certificate.partition("minimum viable sizes")[0].rstrip())
    print(checked.plan)
    print("\n$ cepheid pipeline run pipeline.toml")
    checked.run(print, once=True)
    print()
    for row in suspicions(directory):
        values = row["values"]
        told = " ".join(f"{name}={value}" for name, value in values.items()) if isinstance(values, dict) else ""
        print(f"{row['match']:<22}{str(row['end'])[:19]}  {told}")
    print(f"\nthe matches lie in {directory / 'suspicions'}")
