"""The page about memory: its table, made of what was measured.

python -m benchmarks.state_memory_page
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.made_part import with_part

RESULTS = Path(__file__).parent / "results" / "state_memory.json"
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "memory.md"
BEGIN, END = "<!-- made by benchmarks/state_memory_page.py -->\n", "<!-- until here -->\n"


def table(told: dict[str, Any]) -> Iterator[str]:  # what `benchmarks.state_memory` wrote
    """Yield the lines of the table."""
    yield "| query | events held | grown by | beside | ratio | wanted |"
    yield "| --- | ---: | ---: | ---: | ---: | ---: |"
    for row in told["runs"]:
        beside = "certified" if row["declared"] else "live"
        met = "met" if row["met"] else "missed"
        sizes = f"{row['grown'] / 1e6:.0f} MB | {row[beside] / 1e6:.0f} MB {beside}"
        yield f"| {row['name']} | {row['live_events']:,} | {sizes} | {row['ratio']:.2f} | {row['wanted']:.1f} ({met}) |"


def page(written: str, told: dict[str, Any]) -> str:
    """Return the page with the table of some measurements."""
    lines = "\n".join(table(told))
    return with_part(written, BEGIN, END, f"\n{lines}\n\n")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(), json.loads(RESULTS.read_text())))
