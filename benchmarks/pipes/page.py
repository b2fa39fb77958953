"""Makes `docs/benchmarks/pipes.md` of what `measure.py` wrote."""

import json
from pathlib import Path
from typing import Any

from benchmarks.pipes.measure import RESULTS

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks" / "pipes.md"
TEXT = """# Pipes beside generators, Siddhi and Esper

`make bench-pipes` runs the queries S1 to S7 of the paper on BeepBeep over {tuples:,} tuples, beside {peers} in the same
run. Figures are nanoseconds of one core per tuple, the least of several rounds. All outputs are compared, by value and
in order. Each query is a pipe of known functions; `benchmarks/pipes/queries.py` says what each of them means.

## Columns: Arrow in, Arrow out

{columns}

## Values one by one

`run` takes a list and works through it a thousand values at a time, `pull` takes and gives one value at a time, and
`push` is one call for each value. Beside them stands a pipeline by hand with one generator for each processor; the last
three columns say how fast we are beside it.

{values}

A push is a call that returns a list. {least}

The mean over 5,000 values takes {mean:.2f} times as long as that over 5. A function of Python, applied to each tuple
by `run`, takes {user:.0f} ns.
"""


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def of_columns(told: dict[str, Any], peers: list[str]) -> str:
    head = ["query", "outputs", "columns", *peers, *(f"times {peer}" for peer in peers), "times generators"]
    rows = []
    for name, one in told.items():
        times = [f"{one[f'columns against {peer}']:.0f}" for peer in peers]
        by_hand = one.get("columns against generators")
        figures = [f"{one['columns']:.1f}", *(f"{one[peer]:.0f}" for peer in peers), *times]
        rows.append([name, f"{one['outputs']:,}", *figures, "" if by_hand is None else f"{by_hand:.1f}"])
    return table(head, rows)


def of_values(told: dict[str, Any]) -> str:
    ways = ["run", "pull", "push"]
    head = ["query", *ways, "generators", *(f"{way} beside them" for way in ways)]
    rows = []
    for name, one in told.items():
        ratios = one.get("one by one", {})
        figures = [f"{one[way]:.0f}" for way in ways]
        by_hand = f"{one['generators']:.0f}" if "generators" in one else ""
        rows.append([name, *figures, by_hand, *(f"{ratios[way]:.2f}" if way in ratios else "" for way in ways)])
    return table(head, rows)


def of_an_empty_push(results: dict[str, Any]) -> str:
    call, by_hand = results["empty push"], results["nanoseconds"]["S1"]["generators"]
    return f"One that does nothing else takes {call:.0f} ns, and is {by_hand / call:.2f} beside the generator of S1."


def main() -> None:
    results = json.loads(RESULTS.read_text(encoding="utf-8"))
    told, peers = results["nanoseconds"], list(results["peers"])
    page = TEXT.format(
        tuples=results["tuples"],
        peers=" and ".join(f"{peer} {version}" for peer, version in results["peers"].items()),
        columns=of_columns(told, peers),
        values=of_values(told),
        mean=results["mean of 5,000 against 5"],
        user=results["user function"],
        least=of_an_empty_push(results),
    )
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
