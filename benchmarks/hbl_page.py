"""The page about watchpoints: its plots and its tables, made of what was measured.

python -m benchmarks.hbl_page
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.line_plot import line_plot
from benchmarks.made_part import with_part

RESULTS = Path(__file__).parent / "results" / "hbl.json"
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "hbl.md"
BEGIN, END = "<!-- made by benchmarks/hbl_page.py -->\n", "<!-- until here -->\n"
AXES = {
    "steps": "steps",
    "window": "window in records",
    "name_length": "length of the names of types",
    "fields": "fields of a record",
    "operators": "operators in each step",
    "evidence": "evidence reported",
    "together": "alerts of one record",
    "rate": "records each second, in wall time",
}
PAPER = (200.0, 600.0)
SPREAD = ("p50", "p99", "p99.9", "max")
MORE = ("undisturbed p99", "undisturbed p99.9", "still p99", "alerts", "CPU, µs", "MB")
Told = dict[str, Any]  # what `benchmarks.hbl` wrote


def plots(told: Told) -> dict[str, str]:
    """Return the plots by the names of their files."""
    return {f"hbl-{axis}.svg": _plot(axis, rows) for axis, rows in told["experiments"].items() if axis != "evidence"}


def _plot(axis: str, rows: list[Told]) -> str:
    completed = [row for row in rows if "alert" in row]
    lines = {
        "completes an alert, p50": [(row[axis], row["alert"]["p50"]) for row in completed],
        "completes an alert, p99": [(row[axis], row["alert"]["p99"]) for row in completed],
        "undisturbed, p99": [
            (row[axis], row["undisturbed"]["alert"]["p99"]) for row in completed if row["undisturbed"]
        ],
        "matters, p50": [(row[axis], row["matters"]["p50"]) for row in rows if "matters" in row],
        **{f"the paper, {low:.0f}": [(row[axis], low) for row in rows] for low in PAPER},
    }
    return line_plot({name: line for name, line in lines.items() if line}, AXES[axis], "microseconds for each record")


def tables(told: Told) -> Iterator[str]:
    """Yield the lines of the tables."""
    for axis, rows in told["experiments"].items():
        yield from (f"### {AXES[axis].capitalize()}", "")
        yield from ([f"![{AXES[axis]}](hbl-{axis}.svg)", ""] if axis != "evidence" else [])
        kinds = [(kind, one) for kind in ("matters", "alert") for one in SPREAD]
        columns = [AXES[axis], *(f"{kind} {one}" for kind, one in kinds), *MORE]
        yield f"| {' | '.join(columns)} |"
        yield f"|{' ---: |' * len(columns)}"
        yield from (_row(axis, row, kinds) for row in rows)
        yield ""
    yield from ("### Batches", "", "| size | steps | kernels alone, M records/s | `detector.push_batch` |")
    yield "| ---: | ---: | ---: | ---: |"
    for row in told["batches"]:
        yield f"| {row['size']:,} | {row['steps']} | {row['millions']:.2f} | {row['pushed']:.2f} |"


def _row(axis: str, row: Told, kinds: list[tuple[str, str]]) -> str:
    spread = [f"{row[kind][one]:.1f}" if kind in row else "" for kind, one in kinds]
    each = 1e6 * row["cpu_seconds"] / row["records"]
    alone = row["undisturbed"].get("alert", {})
    undisturbed = [f"{alone[one]:.1f}" if alone else "" for one in ("p99", "p99.9")]
    more = (*undisturbed, f"{row['still']['p99']:.1f}", f"{row['alerts']:,}", f"{each:.1f}", f"{row['memory_mb']:.1f}")
    return f"| {' | '.join((f'{row[axis]:,}', *spread, *more))} |"


def page(written: str, told: Told) -> str:
    """Return the page with the tables of some measurements."""
    lines = "\n".join(tables(told))
    return with_part(written, BEGIN, END, f"\n{lines}\n\n")


if __name__ == "__main__":
    found = json.loads(RESULTS.read_text())
    PAGE.write_text(page(PAGE.read_text(), found))
    for file, plot in plots(found).items():
        PAGE.with_name(file).write_text(plot)
