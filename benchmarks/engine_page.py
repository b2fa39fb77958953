"""The page about the speed of the engine: its table, made of what was measured.

python -m benchmarks.engine_page
"""

import json
from pathlib import Path
from typing import Any

from benchmarks.made_part import with_part

RESULTS = Path(__file__).parent / "results" / "engine.json"
PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
BEGIN, END = "<!-- made by benchmarks/engine_page.py -->\n", "<!-- until here -->\n"


def table(told: dict[str, Any]) -> str:  # what `benchmarks.engine` wrote
    """Return the measurements as a table of Markdown."""
    scan = told["scan_events_per_second"]
    lines = [
        f"{told['events']:,} events; a scan of all columns takes in {scan / 1e6:.0f} million events a second.",
        "",
        "| query | million events/s | of the scan | matches | million matches/s |",
        "| --- | ---: | ---: | ---: | ---: |",
    ]
    for row in told["rows"]:
        speed, share = row["events_per_second"] / 1e6, row["of_scan"]
        shown = f"{speed:.1f}" if speed >= 0.1 else f"{speed:.3f}"
        matches = row["matches_per_second"] / 1e6
        lines.append(f"| {row['name']} | {shown} | {share:.3f} | {row['matches']:,} | {matches:,.1f} |")
    push, made = told["push"], told["compile"]
    lines += [
        "",
        f"One pushed event takes {push['p50_microseconds']:.1f} microseconds (half of them) to "
        f"{push['p99_microseconds']:.0f} (all but one in a hundred).",
        f"The first batch of a query with three parts takes {made['cold_seconds']:.1f} s where its operators are new,",
        f"and {made['warm_seconds']:.3f} s where it is not; importing Numba took {made['import_seconds']:.2f} s.",
    ]
    return "\n".join(lines) + "\n"


def page(written: str, told: dict[str, Any]) -> str:
    """Return the page with the table of some measurements."""
    return with_part(written, BEGIN, END, f"\n{table(told)}\n")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(), json.loads(RESULTS.read_text())))
