"""The page about growth: its plots and its table, made of what was measured.

python -m benchmarks.growth_page
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.line_plot import line_plot
from benchmarks.made_part import with_part

RESULTS = Path(__file__).parent / "results" / "growth.json"
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "growth.md"
BEGIN, END = "<!-- made by benchmarks/growth_page.py -->\n", "<!-- until here -->\n"
WANTED = 1.3
# Runs are alike where their matches for each event differ by no more than this, or by this share of them.
ALIKE, ALIKE_SHARE = 0.001, 1.05
AXES = {"events": ("events", "number of events"), "windows": ("window", "window in seconds")}


def plots(told: dict[str, Any]) -> dict[str, str]:  # what `benchmarks.growth` wrote
    """Return the plots by the names of their files."""
    return {
        f"growth-{kind}.svg": line_plot(
            {one["name"]: [(row[axis], row["nanoseconds"]) for row in one[kind]] for one in told["queries"]},
            across,
            "nanoseconds of the processor for each event",
        )
        for kind, (axis, across) in AXES.items()
    }


def growth(rows: list[dict[str, Any]], kind: str) -> float:
    """Return the dearest over the cheapest event, among runs whose output is alike; the last run counts always."""
    share = [row["matches"] / row["events"] for row in rows]
    together = zip(rows, share, strict=True)
    alike = [float(row["nanoseconds"]) for row, one in together if kind == "events" or _alike(one, share)]
    return max(alike) / min(alike)


def _alike(one: float, shares: list[float]) -> bool:
    last = shares[-1]
    return abs(one - last) <= ALIKE or max(one, last) <= ALIKE_SHARE * min(one, last)


def table(told: dict[str, Any]) -> Iterator[str]:
    """Yield the lines of the tables."""
    for kind, (axis, across) in AXES.items():
        rows = told["queries"]
        heads = [f"{row[axis]:,}" for row in rows[0][kind]]
        yield f"| {across} | {' | '.join(heads)} | growth |"
        yield f"| --- |{' ---: |' * (len(heads) + 1)}"
        for one in rows:
            costs = [f"{row['nanoseconds']:.0f}" for row in one[kind]]
            yield f"| {one['name']} | {' | '.join(costs)} | {_told(one, kind)} |"
        yield ""


def _told(one: dict[str, Any], kind: str) -> str:
    if one["counted"]:
        rows = [row["nanoseconds"] for row in one[kind]]
        found = max(rows) / min(rows)
    else:
        found = growth(one[kind], kind)
    return f"{found:.2f} ({'met' if found <= WANTED else 'missed'})"


def page(written: str, told: dict[str, Any]) -> str:
    """Return the page with the tables of some measurements."""
    lines = "\n".join(table(told))
    return with_part(written, BEGIN, END, f"\n{lines}\n")


if __name__ == "__main__":
    told = json.loads(RESULTS.read_text())
    PAGE.write_text(page(PAGE.read_text(), told))
    for name, plot in plots(told).items():
        PAGE.with_name(name).write_text(plot)
