"""The stock ticker experiment of ETALIS: how many events a second of one core takes in, and in how much memory.

    python benchmarks/etalis_stock.py [events ...]

Stocks of two companies come one a second, with prices that rise with probability 0.5, fall with 0.25 and stay with
0.25, and volumes that are anything from 1 to 1000. Six rules run over them under `recent` and under `chronological`: as
they were published, and with a limit on each wait, which is what makes their memory bounded. What grows without bound
also takes longer and longer, so that only the least size is tried of it. Each run is a process of its own; the figures
go to `results/etalis.json`.
"""

import json
import random
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import cepheid
from cepheid.events import Event, point

SIZES = {"published": (10_000,), "limited": (10_000, 100_000, 1_000_000)}
POLICIES = ("recent", "chronological")
RESULTS = Path(__file__).parent / "results" / "etalis.json"
CHUNK = 10_000
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


def stocks(count: int, seed: int = 7) -> Iterator[Event]:
    """Yield the events of the experiment, a second apart."""
    draw = random.Random(seed)
    prices = {"GO": 500, "MS": 500}
    for number in range(1, count + 1):
        company = draw.choice(("GO", "MS"))
        price = prices[company] = moved(prices[company], draw)
        fields = {"id": company, "price": price, "volume": draw.randint(1, 1000)}
        yield point("stock", number * SECOND, number, fields)


def moved(price: int, draw: random.Random) -> int:
    """Return the next price: up with probability 0.5, else down or the same, and always from 1 to 1000."""
    chance = draw.random()
    if chance < 0.5:
        return draw.randint(min(price + 1, 1000), 1000)
    return draw.randint(1, max(price - 1, 1)) if chance < 0.75 else price


def measured(rules: str, policy: str, count: int) -> dict[str, object]:
    """Run the rules over so many events, and return what that took; making the events is not counted."""
    query = cepheid.compile(RULES[rules], language="etalis", policy=policy, allow_unbounded=True)
    detector = query.detector()
    events, seconds, found = stocks(count), 0.0, 0
    while chunk := [event for event, _ in zip(events, range(CHUNK), strict=False)]:
        begun = time.process_time()
        for event in chunk:
            found += len(detector.push(event))
        seconds += time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = {"events": count, "events_per_cpu_second": round(count / seconds), "peak_kib": peak, "matches": found}
    return {"rules": rules, "policy": policy, **told, "entries": sum(one.used for one in detector.usage())}


def in_a_process(rules: str, policy: str, count: int) -> dict[str, object]:
    """Run in a process of its own, so that memory is that of this run."""
    command = [sys.executable, __file__, "--one", rules, policy, str(count)]
    row: dict[str, object] = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return row


def main(sizes: list[int]) -> None:
    rows: list[dict[str, object]] = []
    for rules in RULES:
        for policy in POLICIES:
            for size in sizes or SIZES[rules]:
                row = in_a_process(rules, policy, size)
                rows.append(row)
                print(
                    f"{rules:>9} {policy:>13} {row['events']:>9,} events: {row['events_per_cpu_second']:>7,} a second,"
                    f" peak {int(str(row['peak_kib'])) / 1024:6.1f} MiB, {row['entries']:,} entries,"
                    f" {row['matches']:,} matches",
                    flush=True,
                )
                RESULTS.write_text(json.dumps({"tier": 0, "runs": rows}, indent=2) + "\n")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(measured(sys.argv[2], sys.argv[3], int(sys.argv[4]))))
    else:
        main([int(each) for each in sys.argv[1:]])
