"""The page about other engines: its table, made of what was measured.

python -m benchmarks.peers.page
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.made_part import with_part

RESULTS = Path(__file__).parents[1] / "results" / "peers.json"
PAGE = Path(__file__).parents[2] / "docs" / "benchmarks" / "peers.md"
BEGIN, END = "<!-- made by benchmarks/peers/page.py -->\n", "<!-- until here -->\n"
SHOWN = {
    "next match": "each A with the next B and the next C, within 100 ms",
    "all combinations": "all combinations within 100 ms, as Arrow columns with evidence",
    "next match per key": "the next match of 100 keys within 1 s",
}


def table(told: dict[str, Any]) -> Iterator[str]:  # what `benchmarks.peers.measure` wrote
    """Yield the lines of the table."""
    yield "| query | engine | events | matches | events/s | Cepheid is faster by | wanted |"
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    for one in told["questions"]:
        for own in (one["cepheid"], one["cepheid_more"]):
            yield f"| {SHOWN[one['name']]} | Cepheid | {_figures(own)} | | |"
        for peer in one["peers"]:
            name = f"{peer['peer']} {told['versions'][peer['peer']]}"
            met = "met" if peer["met"] else "missed"
            yield f"| | {name} | {_figures(peer)} | {peer['ratio']:,.0f} | {peer['bar']:,} ({met}) |"


def _figures(row: dict[str, Any]) -> str:
    return f"{row['events']:,} | {row['matches']:,} | {row['events_per_second']:,}"


def page(written: str, told: dict[str, Any]) -> str:
    """Return the page with the table of some measurements."""
    lines = "\n".join(table(told))
    return with_part(written, BEGIN, END, f"\n{lines}\n\n")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(), json.loads(RESULTS.read_text())))
