"""The stock ticker experiment of ETALIS: how many events a second of one core takes in, and in how much memory.

    python -m benchmarks.etalis_stock [events ...]

Stocks of two companies come one a second, with prices that rise with probability 0.5, fall with 0.25 and stay with
0.25, and volumes that are anything from 1 to 1000. Six rules run over them under `recent` and under `chronological`: as
they were published, which is bounded under `recent`, and with a limit on each wait, which bounds both. The interpreter
runs the least size, kernels run all sizes and must find as many matches as the interpreter does.

Each run is a process of its own. The clock is that of the processor, and making the events is not counted. Kernels take
record batches and give record batches, with and without the events that each match rests on; the best of several passes
counts. The figures go to `results/etalis.json`, and from there to the page about the speed of the engine.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np
import pyarrow as pa

import cepheid
from benchmarks.peak_memory import peak_kib
from cepheid.engine.kernels import KernelDetector
from cepheid.events import point

LEAST, SIZES = 10_000, (10_000, 100_000, 1_000_000)
COMPANIES = ("GO", "MS")
POLICIES = ("recent", "chronological")
INTERPRETER, KERNELS, EVIDENCE = "interpreter", "kernels", "kernels, with evidence"
RESULTS = Path(__file__).parent / "results" / "etalis.json"
BATCH, PASSES = 49_152, 5
SECOND = 1_000_000

PUBLISHED = """
event stock(id, price, volume).
ce1 <- (stock("GO", P1, _) SEQ stock("GO", P2, _)) WHERE (P2 > 1.20 * P1).
ce2 <- (stock("MS", P1, _) SEQ stock("MS", P2, _)) WHERE (P2 > 1.20 * P1).
ce3 <- ce1 OR ce2.
ce4 <- (ce1 AND ce2).20.
ce5 <- ce1 PAR ce2.
ce6 <- NOT(ce2).[ce1, ce1].
"""
LIMITED = """
event stock(id, price, volume).
ce1 <- (stock("GO", P1, _) SEQ stock("GO", P2, _)).60 WHERE (P2 > 1.20 * P1).
ce2 <- (stock("MS", P1, _) SEQ stock("MS", P2, _)).60 WHERE (P2 > 1.20 * P1).
ce3 <- ce1 OR ce2.
ce4 <- (ce1 AND ce2).20.
ce5 <- (ce1 PAR ce2).120.
ce6 <- (NOT(ce2).[ce1, ce1]).120.
"""
RULES = {"published": PUBLISHED, "limited": LIMITED}
Stock = tuple[str, int, int]
Row = dict[str, object]


def stocks(count: int, seed: int = 7) -> Iterator[Stock]:
    """Yield the companies, prices and volumes of the experiment."""
    draw = random.Random(seed)
    prices = {"GO": 500, "MS": 500}
    for _ in range(count):
        company = draw.choice(COMPANIES)
        price = prices[company] = moved(prices[company], draw)
        yield company, price, draw.randint(1, 1000)


def moved(price: int, draw: random.Random) -> int:
    """Return the next price: up with probability 0.5, else down or the same, and always from 1 to 1000."""
    chance = draw.random()
    if chance < 0.5:
        return draw.randint(min(price + 1, 1000), 1000)
    return draw.randint(1, max(price - 1, 1)) if chance < 0.75 else price


def batches(count: int) -> Iterator[pa.RecordBatch]:
    """Yield the events as record batches, a second apart; they are made in little memory."""
    every, first = stocks(count), 1
    numbers = np.dtype([("company", np.int32), ("price", np.int64), ("volume", np.int64)])
    while True:
        some = ((COMPANIES.index(company), price, volume) for company, price, volume in islice(every, BATCH))
        rows = np.fromiter(some, numbers)
        if not len(rows):
            return
        times = np.arange(first, first + len(rows)) * SECOND
        types = pa.DictionaryArray.from_arrays(np.zeros(len(rows), np.int32), ["stock"])
        names = pa.DictionaryArray.from_arrays(rows["company"].copy(), list(COMPANIES))
        arrays = [types, pa.array(times), names, *(pa.array(rows[name].copy()) for name in ("price", "volume"))]
        yield pa.RecordBatch.from_arrays(arrays, ["type", "time", "id", "price", "volume"])
        first += len(rows)


def interpreted(query: cepheid.CompiledQuery, count: int) -> Row:
    """Run the rules over so many events one by one, and return what that took."""
    detector, seconds, found = query.detector(), 0.0, 0
    for number, (company, price, volume) in enumerate(stocks(count), 1):
        event = point("stock", number * SECOND, number, {"id": company, "price": price, "volume": volume})
        begun = time.process_time()
        found += len(detector.push(event))
        seconds += time.process_time() - begun
    found += len(detector.close())
    return {"seconds": seconds, "matches": found, "entries": sum(one.used for one in detector.usage())}


def compiled(query: cepheid.CompiledQuery, count: int, *, evidence: bool) -> Row:
    """Run the rules over so many events in record batches, and return what the best pass took."""
    passes = (one_pass(query, count, evidence=evidence) for _ in range(PASSES))
    return min(passes, key=lambda row: float(str(row["seconds"])))


def one_pass(query: cepheid.CompiledQuery, count: int, *, evidence: bool) -> Row:
    detector, seconds, found = KernelDetector(query.plan, evidence=evidence), 0.0, 0
    for batch in batches(count):
        begun = time.process_time()
        found += sum(told.num_rows for told in detector.chunks(batch))
        seconds += time.process_time() - begun
    held = sum(rule.live() for rule in detector.run.staged)
    return {"seconds": seconds, "matches": found + detector.close().num_rows, "entries": held}


def measured(engine: str, rules: str, policy: str, count: int) -> Row:
    """Run the rules over so many events, and return what that took."""
    query = cepheid.compile(RULES[rules], language="etalis", policy=policy, allow_unbounded=True)
    with_evidence = engine == EVIDENCE
    told = interpreted(query, count) if engine == INTERPRETER else compiled(query, count, evidence=with_evidence)
    speed = round(count / float(str(told.pop("seconds"))))
    asked: Row = {"engine": engine, "rules": rules, "policy": policy, "events": count}
    return {**asked, "events_per_cpu_second": speed, "peak_kib": peak_kib(), **told}


def in_a_process(engine: str, rules: str, policy: str, count: int) -> Row:
    """Run in a process of its own, so that memory is that of this run."""
    command = [sys.executable, "-m", "benchmarks.etalis_stock", "--one", engine, rules, policy, str(count)]
    row: Row = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return row


def main(sizes: list[int]) -> None:
    rows: list[Row] = []
    wanted = [(INTERPRETER, rules, policy, LEAST) for rules in RULES for policy in POLICIES]
    for engine in (KERNELS, EVIDENCE):
        every = [(rules, policy, size) for rules in RULES for policy in POLICIES for size in sizes or SIZES]
        wanted += [(engine, *each) for each in every]
    for engine, rules, policy, size in wanted:
        row = in_a_process(engine, rules, policy, size)
        rows.append(row)
        speed, mebibytes = row["events_per_cpu_second"], int(str(row["peak_kib"])) / 1024
        told = (
            f"{speed:>9,} a second, peak {mebibytes:6.1f} MiB, {row['entries']:,} entries, {row['matches']:,} matches"
        )
        print(f"{engine:>22} {rules:>9} {policy:>13} {size:>9,} events: {told}", flush=True)
        check_counts(rows)
        RESULTS.write_text(json.dumps({"runs": rows}, indent=2) + "\n")


def check_counts(rows: list[Row]) -> None:
    """Make sure that runs over the same events by the same rules found as much."""
    seen: dict[object, object] = {}
    for row in rows:
        asked = (row["rules"], row["policy"], row["events"])
        if seen.setdefault(asked, row["matches"]) != row["matches"]:
            raise SystemExit(f"{asked}: {seen[asked]} matches by one engine, {row['matches']} by the other")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        engine, rules, policy, count = sys.argv[2:]
        print(json.dumps(measured(engine, rules, policy, int(count))))
    else:
        main([int(each) for each in sys.argv[1:]])
