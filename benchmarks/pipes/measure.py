"""Pipes over a million tuples: S1 to S7 of the paper, beside generators by hand, Siddhi and Esper in the same run.

`make bench-pipes` writes processor time to `benchmarks/results/pipes.json`; `page.py` makes a page of it. Outputs are
compared by value and in order: columns with values, generators with values, and both peers with columns. For
development, `python -m benchmarks.pipes.measure 100000` takes fewer tuples, and a second argument no peers.
"""

import json
import random
import sys
from collections import deque
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import thread_time_ns
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.pipes.generators import GENERATORS, Row
from benchmarks.pipes.peers import DRIVERS, answer, versions, write_tuples
from benchmarks.pipes.queries import QUERIES, average
from cepheid import pipes as p

RESULTS = Path(__file__).parents[1] / "results" / "pipes.json"
TUPLES = 1_000_000
ROUNDS = 3
PEER_ROUNDS = 4
Told = dict[str, Any]


def tuples(number: int) -> list[Row]:
    """Prices are multiples of 1/64, so that every sum is exact in every program."""
    chance = random.Random(1)
    return [
        {"position": place, "symbol": chance.randrange(1, 11), "close": chance.randrange(1, 640) / 64}
        for place in range(number)
    ]


def timed(*works: Callable[[], Any]) -> tuple[list[float], list[Any]]:
    """The least processor time of some rounds in which they take turns, and what came out of each."""
    best, found = [float("inf")] * len(works), [None] * len(works)
    for _ in range(ROUNDS):
        for place, work in enumerate(works):
            found[place] = None
            begin = thread_time_ns()
            found[place] = work()
            best[place] = min(best[place], thread_time_ns() - begin)
    return best, found


def pushed(query: p.Processor, rows: list[Row]) -> list[Any]:
    copy = query.start(allow_unbounded=True)
    found = each_pushed(copy.push, rows)
    found += copy.end()
    return found


def each_pushed(push: Callable[[Row], list[Any]], rows: list[Row]) -> list[Any]:
    found = []
    for row in rows:
        found += push(row)
    return found


def listed(row: Row, at: int = 0) -> list[Row]:
    """The least that can be done by a function that is called for each value of an input and returns a list."""
    return [row] if at == 0 else []


def one_by_one(name: str, rows: list[Row]) -> Told:
    """Values by `run`, which takes a list; by `pull`, which takes and gives one at a time; by `push` of each."""
    query = QUERIES[name]
    ways: dict[str, Callable[[], Any]] = {
        "run": lambda: query.run(rows),
        "pull": lambda: list(query.pull(iter(rows), allow_unbounded=True)),
        "push": lambda: pushed(query, rows),
    }
    if name in GENERATORS:
        ways["generators"] = lambda: list(GENERATORS[name](iter(rows)))
    best, found = timed(*ways.values())
    assert all(one == found[0] for one in found), name
    told = {way: time / len(rows) for way, time in zip(ways, best, strict=True)}
    if "generators" in told:
        told["one by one"] = {way: told["generators"] / told[way] for way in ("run", "pull", "push")}
    return told | {"outputs": len(found[0]), "values": found[0]}


def measured(name: str, rows: list[Row], table: pa.Table, file: Path | None) -> Told:
    told = one_by_one(name, rows)
    values = told.pop("values")
    (columns,), (arrays,) = timed(lambda: QUERIES[name].run(table))
    assert not isinstance(arrays, list), f"{name} does not run in columns"
    assert arrays.to_pylist() == values, name
    told["columns"] = columns / len(rows)
    if "generators" in told:
        told["columns against generators"] = told["generators"] / told["columns"]
    for peer in DRIVERS if file is not None else ():
        found = answer(peer, file, name, PEER_ROUNDS) if file is not None else None
        assert found is not None
        assert np.array_equal(found.outputs, numbers_of(arrays)), (name, peer)
        told[peer] = found.seconds * 1e9 / len(rows)
        told[f"columns against {peer}"] = told[peer] / told["columns"]
    return told


def numbers_of(arrays: Any) -> Any:  # a table or an array of Arrow
    """One number for each output: its position where it is a tuple."""
    return (arrays["position"] if isinstance(arrays, pa.Table) else arrays).to_numpy()


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else TUPLES
    rows = tuples(number)
    table = pa.Table.from_pylist(rows)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tuples" if len(sys.argv) < 3 else None
        if file is not None:
            write_tuples(rows, file)
        results = {}
        for name in QUERIES:
            results[name] = measured(name, rows, table, file)
            print(name, json.dumps(results[name]), flush=True)
    closes = deque(row["close"] for row in rows)
    (few, many), _ = timed(*(lambda size=size: p.window(average, size).run(closes) for size in (5, 5000)))
    (user, call), _ = timed(lambda: p.apply(lambda row: row["close"] * 2).run(rows), lambda: each_pushed(listed, rows))
    told = {"mean of 5,000 against 5": many / few, "user function": user / number, "empty push": call / number}
    print(told)
    peers = versions() if len(sys.argv) < 3 else {}
    if len(sys.argv) == 1:
        kept = {"tuples": number, "peers": peers, "nanoseconds": results, **told}
        RESULTS.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
