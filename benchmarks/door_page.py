"""The page about speed: what the public calls take, made of what was measured.

python -m benchmarks.door_page
"""

import json
from pathlib import Path
from typing import Any

from benchmarks.made_part import with_part

RESULTS = Path(__file__).parent / "results" / "door.json"
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- made by benchmarks/door_page.py -->\n", "<!-- until there -->\n"


def table(told: dict[str, Any]) -> str:  # what `benchmarks.door` wrote
    """Return the measurements as a table of Markdown."""
    lines = [
        "| query | events | matches | kernels alone | `run(table).to_arrow()` | with `ids=True` |",
        "| --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in told["tables"]:
        alone = row["kernels"]
        shares = [f"{row[way] / 1e6:.1f} ({row[way] / alone:.2f})" for way in ("run", "ids")]
        lines.append(
            f"| {row['name']} | {row['events']:,} | {row['matches']:,} | {alone / 1e6:.1f} | {' | '.join(shares)} |"
        )
    million = {way: f"{speed / 1e6:.1f}" for way, speed in told["files"].items()}
    push, objects = told["push_microseconds"], told["objects_per_second"] / 1e6
    lines += [
        "",
        "Millions of events a second, and in brackets the share of the kernels alone, which tell matches in no order.",
        f"From a Parquet file in order the first query takes in {million['in order']} million events a second, where",
        f"reading its columns and doing nothing takes in {million['read']}; from one in no order, which is sorted on",
        f"disk, {million['in no order']}. {objects:.2f} million matches a second are read as objects.",
        "",
        *_pushes(push, told["push_load"]),
        f"`push_batch(table, columns=True)` takes in {_by_size(told['pushed_tables'])}.",
    ]
    return "\n".join(lines) + "\n"


def _pushes(told: dict[str, dict[str, float]], load: float) -> list[str]:
    """Return what half of the pushes take, by the kind of rules."""
    rows = [
        f"| {kind} | {one['unread']:.1f} | {one['matters']:.1f} | {one['completes']:.1f} |"
        for kind, one in told.items()
    ]
    return [
        "| `detector.push(event)`, µs, half of the calls | no rule reads it | it matters | it completes a match |",
        "| --- | ---: | ---: | ---: |",
        *rows,
        "",
        "The time of the thread, without what the clock itself takes; the best of five rounds. Meanwhile",
        f"{load:.0f} processes wanted the two cores of the machine.",
    ]


def _by_size(speeds: dict[str, int]) -> str:
    said = [
        f"{speed / 1e6:.1f} million events a second in tables of {int(size):,} rows" for size, speed in speeds.items()
    ]
    return f"{', '.join(said[:-1])} and {said[-1]}"


def page(written: str, told: dict[str, Any]) -> str:
    """Return the page with the table of some measurements."""
    return with_part(written, BEGIN, END, f"\n{table(told)}\n")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(), json.loads(RESULTS.read_text())))
