"""The experiment with which the dissertation on PARTE ends, and how it comes out here.

    python -m benchmarks.parte [events]

Runs the rule about diffusion over many random traces, with every history limited to the smaller one of two minimum
viable sizes; each setting gets about so many `events`. Writes `results/parte.json` and the tables in
`docs/benchmarks/parte.md`.
"""

import json
import sys
from pathlib import Path
from statistics import median
from typing import Final

from benchmarks.fraud_experiment import (
    certified_sizes,
    found_by_eviction,
    limits_of,
    outcome,
    published_sizes,
    query_for,
)
from benchmarks.parte_page import FACTORS, GROUPS, UNRELATED, Evicting, Results, Runs, Sizes, write_page
from examples.fraud.generator import Setting, generated

RESULTS: Final = Path(__file__).parent / "results" / "parte.json"
EVENTS: Final = 20_000
EVICTING_RUNS: Final = 25


def setting_of(groups: int, unrelated: int, seed: int, *, spaced: bool) -> Setting:
    """Return a setting; odd seeds have transfers at nearly the full rate, even ones at about half of it."""
    events = 4 * groups + unrelated
    dense = events * 11 // 100 + 2
    return Setting(groups, unrelated, seed, spaced=spaced, last_start=dense if seed % 2 else None)


def runs_of(groups: int, unrelated: int, *, spaced: bool, events: int) -> Runs:
    """Return what the runs of one setting found; in odd ones sources run ahead of each other as far as they can."""
    count = min(100, max(4, events // (4 * groups + unrelated)))
    peak: dict[str, int] = {}
    least, others, waits, frauds = 1.0, 0, 0, 0
    for seed in range(count):
        one = outcome(setting_of(groups, unrelated, seed, spaced=spaced), ahead=seed % 2 == 1)
        least, frauds = min(least, one.found / one.frauds), one.frauds
        others, waits = others + one.others, waits + one.waits
        peak = {part: max(size, peak.get(part, 0)) for part, size in one.peaks.items()}
    return Runs(
        groups=groups,
        unrelated=unrelated,
        spaced=spaced,
        runs=count,
        frauds=frauds,
        least=least,
        others=others,
        peak=peak,
        waits=waits,
    )


def evicting(groups: int, unrelated: int, size: int) -> Evicting:
    """Return what is found with histories that drop their oldest entries."""
    traces = [generated(Setting(groups, unrelated, seed)) for seed in range(EVICTING_RUNS)]
    shares = [[found_by_eviction(trace, factor * size) / len(trace.frauds) for trace in traces] for factor in FACTORS]
    medians = [round(median(some), 3) for some in shares]
    return Evicting(groups=groups, unrelated=unrelated, runs=len(traces), medians=medians)


def sizes() -> dict[str, Sizes]:
    """Return the sizes of all histories."""
    trace = generated(Setting(10, 0))
    both = [query_for(trace, spaced=spaced) for spaced in (False, True)]
    found = [(published_sizes(one), certified_sizes(one), limits_of(one)) for one in both]
    return {
        part: Sizes(
            published=[one[0][part] for one in found],
            certified=[one[1][part] for one in found],
            limit=[one[2][part] for one in found],
        )
        for part in found[0][0]
    }


def measured(events: int) -> Results:
    """Run everything, and say how far it is."""
    held = sizes()
    limit = max(one["limit"][0] for one in held.values())
    runs = []
    for groups in GROUPS:
        for unrelated in UNRELATED:
            for spaced in (False, True):
                runs.append(runs_of(groups, unrelated, spaced=spaced, events=events))
                print(_line(runs[-1], limit), flush=True)
    every = [evicting(groups, unrelated, limit) for groups in GROUPS for unrelated in UNRELATED]
    return Results(sizes=held, runs=runs, evicting=every)


def _line(runs: Runs, limit: int) -> str:
    spacing = "spaced" if runs["spaced"] else "un-spaced"
    return (
        f"{runs['groups']:>5} groups, {runs['unrelated']:>6} unrelated, {spacing:>9}: {runs['runs']:>3} runs, "
        f"{runs['least']:.0%} found, at most {max(runs['peak'].values())} of {limit} entries, {runs['waits']} waits"
    )


def main(events: int) -> None:
    results = measured(events)
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    write_page(results)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else EVENTS)
