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
        "| query | events | matches | kernels of before | kernels alone | `run(table).to_arrow()` | with `ids=True` |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for row in told["tables"]:
        old, counted = row["before"], (row["name"], f"{row['events']:,}", f"{row['matches']:,}")
        shares = [f"{row[way] / 1e6:.1f} ({row[way] / old:.2f})" for way in ("kernels", "run", "ids")]
        lines.append(f"| {' | '.join((*counted, f'{old / 1e6:.1f}', *shares))} |")
    million = {way: f"{speed / 1e6:.1f}" for way, speed in told["files"].items()}
    push, objects = told["push_microseconds"], told["objects_per_second"] / 1e6
    lines += [
        "",
        "Millions of events a second, and in brackets the share of the kernels as they were before public calls had",
        "columns (commit 7f0846e); those emit matches in no order, and so do the kernels alone.",
        f"From a Parquet file in order the first query takes in {million['in order']} million events a second, where",
        f"reading its columns and doing nothing takes in {million['read']}; from one in no order, which is sorted on",
        f"disk, {million['in no order']}. {objects:.2f} million matches a second are read as objects.",
        "",
        *(_threads(told) if "threads" in told else ()),
        *(_file_to_file(told["file_to_file"]) if "file_to_file" in told else ()),
        *(_others(told["others"]) if "others" in told else ()),
        *(_long_files(told["long_files"]) if "long_files" in told else ()),
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


def _threads(told: dict[str, Any]) -> list[str]:
    """Return how many times as fast two threads are as one, by wall time."""
    said = [f"{row['name']} {row['two'] / row['one']:.2f}{_beside_kernels(row)}" for row in told["threads"]]
    return [
        "Two threads beside one, wall time of the queries with a key, in memory that the process had already, while "
        f"the machine had a load of {told['load']:.0f}: {'; '.join(said)}.",
        "",
    ]


def _beside_kernels(row: dict[str, Any]) -> str:
    """Return the same of the kernels alone, half of the events on each thread, where that was measured."""
    one, two = row.get("kernels on one"), row.get("kernels on two")
    return f" (kernels alone {two / one:.2f})" if one and two else ""


def _file_to_file(files: dict[str, dict[str, float]]) -> list[str]:
    """Return what `cepheid run` takes in, beside a reader that does nothing, or beside clean rows."""
    lines = ["| `cepheid run`, file to file | events | million events/s | of |", "| --- | ---: | ---: | --- |"]
    for name, row in files.items():
        clean = files[name.partition(",")[0]]
        whole = ("Arrow's reader", clean["read"]) if "," not in name else ("clean rows", clean["run"])
        share = f"{row['run'] / whole[1]:.2f} of {whole[0]}"
        lines.append(f"| {name} | {row['events']:,} | {row['run'] / 1e6:.2f} | {share} |")
    return [*lines, ""]


def _others(rows: list[dict[str, Any]]) -> list[str]:
    """Return how long everybody takes for the same question: seconds of wall time, and of the processor."""
    lines = ["| the same file, all cores, without evidence, s (processor) | matches | Cepheid | DuckDB | polars |"]
    lines.append("| --- | ---: | ---: | ---: | ---: |")
    for row in rows:
        spent = row["processor"]
        each = [f"{row[who]:.2f} ({spent[who]:.2f})" for who in ("cepheid", "duckdb", "polars")]
        lines.append(f"| {row['name']} | {row['matches']:,} | {' | '.join(each)} |")
    return [*lines, ""]


def _long_files(rows: list[dict[str, Any]]) -> list[str]:
    """Return how fast matches are counted over long files, and the most memory that takes."""
    lines = ["| Parquet, matches counted, all cores | events | of reading it | peak memory | reading it |"]
    lines.append("| --- | ---: | ---: | ---: | ---: |")
    for row in rows:
        nothing, own = row["read"], row["run"]
        share, peaks = nothing["seconds"] / own["seconds"], (f"{one['mebibytes']:.0f} MiB" for one in (own, nothing))
        lines.append(f"| {row['order']} | {row['events']:,} | {share:.2f} | {' | '.join(peaks)} |")
    return [*lines, ""]


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
