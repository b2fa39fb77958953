"""Pipes over a million tuples: S1 to S7 of the paper, beside pipelines of one generator per processor in the same run.

`make bench-pipes` prints processor time per tuple and writes `benchmarks/results/pipes.json`. Outputs are compared.
"""

import json
import random
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice, tee
from pathlib import Path
from time import process_time_ns
from typing import Any

import pyarrow as pa

from cepheid import pipes as p

RESULTS = Path(__file__).parent / "results" / "pipes.json"
TUPLES = 1_000_000
ROUNDS = 3
Row = dict[str, Any]

symbol, price = p.field("symbol"), p.field("close")
close = p.apply(price)
count = p.turn_into(1) | p.cumulate(p.add)
average = p.cumulate(p.add) / count
above = p.fan(close | p.trim(49), close | p.window(average, 50)) | p.apply(p.x > p.y)
cheap = (symbol == 2) & (price < 2)

twin = p.machine(
    "calm",
    [
        p.transition("calm", "low", cheap, seen=price),
        p.transition("twin", "low", cheap, seen=price),
        p.transition("twin", "calm"),
        p.transition("low", "low", cheap, seen=price),
        p.transition("low", "twin", (symbol == 1) & (price == p.context("seen"))),
        p.transition("low", "calm", symbol == 1),
    ],
    {"twin": p.context("seen")},
    context={"seen": None},
)
run = p.machine(
    "calm",
    [
        p.transition("calm", "low", cheap, other=price),
        p.transition("low", "done", cheap, other=price),
        p.transition("low", "low", symbol == 2, other=price),
        p.transition("low", "low", (symbol == 1) & (price > p.context("other"))),
        p.transition("low", "calm", symbol == 1),
        p.transition("done", "low", symbol != 0),
    ],
    {"done": True},
    context={"other": None},
)
ahead = p.slice(symbol, close | p.window(average, 50)) | p.apply(p.if_(p.x[1] > p.x[2], 1, 0))
QUERIES: dict[str, p.Processor] = {
    "S1": p.passthrough(),
    "S2": p.where(symbol == 1),
    "S3": p.where(symbol == 1) | close | p.window(average, 5),
    "S4": p.fan(p.trim(49), above) | p.filter(),
    "S5": p.where((symbol == 1) | (symbol == 2)) | twin,
    "S6": p.where((symbol == 1) | (symbol == 2)) | run,
    "S7": p.where((symbol == 1) | (symbol == 2)) | ahead | p.window(p.cumulate(p.add), 5) | p.where(p.x >= 4),
}


def tuples(number: int) -> list[Row]:
    chance = random.Random(1)
    return [{"symbol": chance.randrange(1, 11), "close": chance.randrange(1, 640) / 64} for _ in range(number)]


def source(rows: Iterable[Row]) -> Iterator[Row]:
    yield from rows


def of_symbol(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        if row["symbol"] == 1:
            yield row


def closes(rows: Iterable[Row]) -> Iterator[float]:
    for row in rows:
        yield row["close"]


def means(values: Iterable[float], size: int) -> Iterator[float]:
    window: deque[float] = deque()
    total = 0.0
    for value in values:
        window.append(value)
        total += value
        if len(window) > size:
            total -= window.popleft()
        if len(window) == size:
            yield total / size


def compared(rows: Iterable[Row], averages: Iterable[float]) -> Iterator[tuple[Row, bool]]:
    for row, mean in zip(rows, averages, strict=False):
        yield row, row["close"] > mean


def passed(pairs: Iterable[tuple[Row, bool]]) -> Iterator[Row]:
    for row, is_so in pairs:
        if is_so:
            yield row


def above_the_mean(rows: Iterable[Row]) -> Iterator[Row]:
    one, other = tee(rows)
    return passed(compared(islice(one, 49, None), means(closes(other), 50)))


GENERATORS: dict[str, Callable[[list[Row]], Iterator[Any]]] = {
    "S1": lambda rows: source(rows),
    "S2": lambda rows: of_symbol(source(rows)),
    "S3": lambda rows: means(closes(of_symbol(source(rows))), 5),
    "S4": lambda rows: above_the_mean(source(rows)),
}


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """The least processor time of some rounds, and what came out."""
    best, found = float("inf"), None
    for _ in range(ROUNDS):
        begin = process_time_ns()
        found = work()
        best = min(best, process_time_ns() - begin)
    return best, found


def measured(name: str, rows: list[Row], table: pa.Table) -> dict[str, Any]:
    query = QUERIES[name]
    own, found = timed(lambda: query.run(rows))
    told: dict[str, Any] = {"outputs": len(found), "values": own / len(rows)}
    if name in GENERATORS:
        by_hand, expected = timed(lambda: list(GENERATORS[name](rows)))
        assert len(expected) == len(found), name
        told |= {"generators": by_hand / len(rows), "values against generators": by_hand / own}
        columns, arrays = timed(lambda: query.run(table))
        assert arrays.to_pylist() == found, name
        told |= {"columns": columns / len(rows), "columns against generators": by_hand / columns}
    return told


def main() -> None:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else TUPLES
    rows = tuples(number)
    table = pa.Table.from_pylist(rows)
    results = {name: measured(name, rows, table) for name in QUERIES}
    values = [row["close"] for row in rows]
    few, many = (timed(lambda size=size: p.window(average, size).run(values))[0] for size in (5, 5000))
    results["mean of 5,000 against 5"] = many / few
    results["user function"] = timed(lambda: p.apply(lambda row: row["close"] * 2).run(rows))[0] / number
    RESULTS.write_text(json.dumps({"tuples": number, "nanoseconds": results}, indent=1) + "\n", encoding="utf-8")
    for name, told in results.items():
        shown = {key: round(value, 2) for key, value in told.items()} if isinstance(told, dict) else round(told, 2)
        print(name, shown)


if __name__ == "__main__":
    main()
