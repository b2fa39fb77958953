"""The stock ticker on the page about the speed of the engine: its table, made of what was measured.

python -m benchmarks.etalis_page
"""

import json
from pathlib import Path
from typing import Any

from benchmarks.made_part import with_part

RESULTS = Path(__file__).parent / "results" / "etalis.json"
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- made by benchmarks/etalis_page.py -->\n", "<!-- until the end of the stock ticker -->\n"


def table(runs: list[dict[str, Any]]) -> str:  # what `benchmarks.etalis_stock` wrote
    """Return the measurements as a table of Markdown."""
    lines = [
        "| engine | rules | policy | events | events/s | peak memory | matches |",
        "| --- | --- | --- | ---: | ---: | ---: | ---: |",
    ]
    for run in runs:
        asked = f"{run['engine']} | {run['rules']} | {run['policy']} | {run['events']:,}"
        figures = f"{run['events_per_cpu_second']:,} | {run['peak_kib'] / 1024:.0f} MiB | {run['matches']:,}"
        lines.append(f"| {asked} | {figures} |")
    return "\n".join(lines) + "\n"


def page(written: str, runs: list[dict[str, Any]]) -> str:
    """Return the page with the table of some measurements."""
    return with_part(written, BEGIN, END, f"\n{table(runs)}\n")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(), json.loads(RESULTS.read_text())["runs"]))
