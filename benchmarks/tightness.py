"""How near runs come to their certified bounds, kind of operator by kind.

    python -m benchmarks.tightness [cases]

Runs random queries over random traces, each declared as tightly as its trace allows, and compares what every operator
held at most with what was certified. Writes `results/tightness.json` and the table in `docs/bounds.md`.
"""

import json
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from cepheid.testing import random_case
from cepheid.testing.cases import seeded
from tests.properties.crowded_cases import crowded_case
from tests.properties.measured_state import Measured, measured

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "tightness.json"
PAGE = ROOT / "docs" / "bounds.md"
CASES = 600
LOOSEST = 10
_TABLE = re.compile(r"(<!-- tightness -->\n).*?(<!-- end of tightness -->)", re.DOTALL)


@dataclass
class Kind:
    """What was seen of one kind of operator: how many had a number above zero, and how full they were."""

    operators: int = 0
    unbounded: int = 0
    reached: int = 0
    used: int = 0
    promised: int = 0
    ratios: list[float] = field(default_factory=list)

    def see(self, one: Measured) -> None:
        self.operators += 1
        self.unbounded += one.promised is None
        if one.promised:
            self.reached += one.used == one.promised
            self.used += one.used
            self.promised += one.promised
            self.ratios.append(one.used / one.promised)

    def row(self) -> dict[str, object]:
        middle = sorted(self.ratios)[len(self.ratios) // 2] if self.ratios else None
        return {
            "operators": self.operators,
            "unbounded": self.unbounded,
            "with a number": len(self.ratios),
            "reached": self.reached,
            "median": None if middle is None else round(middle, 2),
        }


def runs(cases: int) -> Iterator[tuple[str, list[Measured]]]:
    """Yield what was measured in every case, with what it takes to see the case again."""
    for seed in range(cases):
        yield f"random_case({seed})", measured(random_case(seed))
        yield f"crowded_case(seeded({seed}))", measured(crowded_case(seeded(seed)))


def main(cases: int) -> None:
    kinds: dict[str, Kind] = {}
    loose: list[tuple[float, str, Measured]] = []
    for name, found in runs(cases):
        for one in found:
            kinds.setdefault(one.kind, Kind()).see(one)
            if one.promised and one.used:
                loose.append((one.promised / one.used, name, one))
    loosest = sorted(loose, key=lambda entry: -entry[0])[:LOOSEST]
    rows = {kind: kinds[kind].row() for kind in sorted(kinds) if kinds[kind].promised}
    _write(rows, [{"case": name, **_told(one)} for _, name, one in loosest], cases)


def _told(one: Measured) -> dict[str, object]:
    return {"kind": one.kind, "used": one.used, "promised": one.promised, "formula": one.formula}


def _write(rows: dict[str, dict[str, object]], loosest: list[dict[str, object]], cases: int) -> None:
    RESULTS.parent.mkdir(exist_ok=True)
    RESULTS.write_text(json.dumps({"cases": 2 * cases, "kinds": rows, "loosest": loosest}, indent=2) + "\n")
    page = PAGE.read_text(encoding="utf-8")
    table = "\n".join([*_table(rows), "", *_list(loosest)])
    PAGE.write_text(_TABLE.sub(lambda found: f"{found[1]}{table}\n{found[2]}", page), encoding="utf-8")


def _table(rows: dict[str, dict[str, object]]) -> Iterator[str]:
    heads = ["operators", "unbounded", "with a number", "reached", "median"]
    yield f"| | {' | '.join(heads)} |"
    yield f"| --- |{' --- |' * len(heads)}"
    for kind, row in rows.items():
        yield f"| {kind} | {' | '.join(str(row[head]) for head in heads)} |"


def _list(loosest: list[dict[str, object]]) -> Iterator[str]:
    yield "The loosest ten, where anything was held at all:"
    yield ""
    yield "| | held | bound | formula |"
    yield "| --- | --- | --- | --- |"
    for one in loosest:
        yield f"| {one['kind']} | {one['used']} | {one['promised']} | `{_short(str(one['formula']))}` |"


def _short(formula: str) -> str:
    return formula if len(formula) <= 90 else f"{formula[:87]}..."


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else CASES)
