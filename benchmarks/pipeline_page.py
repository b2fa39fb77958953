"""The page about pipelines between topics of Kafka: its tables, made of what was measured.

python -m benchmarks.pipeline_page
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.made_part import with_part

RESULTS = Path(__file__).parent / "results" / "pipeline.json"
PAGE = Path(__file__).parents[1] / "docs" / "benchmarks" / "pipeline.md"
BEGIN, END = "<!-- made by benchmarks/pipeline_page.py -->\n", "<!-- until here -->\n"


def tables(told: dict[str, Any]) -> Iterator[str]:  # what `benchmarks.pipeline` wrote
    """Yield the lines of the tables."""
    speed, empty = told["throughput"], told["empty_batch"]
    yield "| pipeline | events/s and core | an empty batch, s | of the processors, s |"
    yield "| --- | ---: | ---: | ---: |"
    for name, way, figure in (
        ("detects pairs", "detection", "events_per_second_and_core"),
        ("detects nothing", "nothing", "nothing_per_second_and_core"),
    ):
        batch = empty[way]
        yield f"| {name} | {speed[figure]:,} | {batch['wall_seconds']:.2f} | {batch['processor_seconds']:.2f} |"
    yield ""
    yield f"So detection has {speed['beside_nothing']:.2f} of the speed of a pipeline that detects nothing, over"
    yield f"{speed['events']:,} events with {speed['matches']:,} matches."
    yield ""
    yield "| a batch begins every | from event to match, s, half of them | all but one in a hundred | matches |"
    yield "| --- | ---: | ---: | ---: |"
    for one in told["latency"]:
        yield f"| {one['trigger']} | {one['p50']:.1f} | {one['p99']:.1f} | {one['matches']:,} |"


def page(written: str, told: dict[str, Any]) -> str:
    """Return the page with the tables of some measurements."""
    lines = "\n".join(tables(told))
    return with_part(written, BEGIN, END, f"\n{lines}\n\n")


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(), json.loads(RESULTS.read_text())))
