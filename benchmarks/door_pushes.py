"""What `query.detector().push(event)` takes for dictionaries, by what comes of the event: half of the calls take less.

    python -m benchmarks.door_pushes

measures this alone. Times are those of the thread, and what the clock itself takes, read twice with nothing between, is
taken out. Each kind is pushed several times, in turn, and the round with the least median counts: on a machine that
others use as well, the others measure these.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import numpy as np

import cepheid as c
from benchmarks import engine_queries
from benchmarks.engine_workload import Workload, workload

PUSHED: Final = 20_000
ROUNDS: Final = 5
Row = dict[str, Any]  # an event
Taken = dict[str, list[int]]


def disordered() -> c.CompiledQuery:
    """The first query of the page over events that may come a millisecond late."""
    return c.compile(engine_queries.recent().program, disorder="1 ms")


def two_rules() -> c.CompiledQuery:
    """The first query of the page, and the last of its matches within a second before a C of the key with more."""
    a, b, pair, last = (c.event(name) for name in ("A", "B", "Pair", "C"))
    first = (a >> b).within("1 s").by("key").choose("recent").where(b.value > a.value)
    second = (pair >> last).within("1 s").by("key").choose("recent").where(last.value > pair.value)
    rises = c.query(first, name="rises", emits="Pair", values={"key": a.key, "value": b.value})
    return c.compile(c.program(rises, c.query(second, name="goes on", values={"key": pair.key})))


KINDS: Final[Mapping[str, tuple[Callable[[], c.CompiledQuery], str, str | None]]] = {
    "one rule": (engine_queries.recent, "AB", None),
    "with ids and disorder": (disordered, "AB", "id"),
    "two rules, one reads the other": (two_rules, "ABC", None),
}


def pushes(events: Workload) -> dict[str, dict[str, float]]:
    """Return the microseconds of half the pushes of each kind: those that matter, that complete a match, and others."""
    rows = [row for batch in events.batches[:1] for row in batch.to_pylist()][:PUSHED]
    named = [{**row, "id": f"e{number}"} for number, row in enumerate(rows)]
    best: dict[str, dict[str, float]] = {}
    for _ in range(ROUNDS):
        for kind, (make, read, identity) in KINDS.items():
            found = _half(_pushed(make(), rows if identity is None else named, read, identity))
            best[kind] = {name: min(value, best.get(kind, found)[name]) for name, value in found.items()}
    print(f"push {best}", flush=True)
    return best


def _pushed(query: c.CompiledQuery, rows: Sequence[Row], read: str, identity: str | None) -> Taken:
    detector = query.detector(time_unit="us", id_column=identity)
    taken: Taken = {"matters": [], "completes": [], "unread": []}
    for row in rows:
        begin = time.thread_time_ns()
        found = detector.push(row)
        spent = time.thread_time_ns() - begin
        taken["completes" if found else "matters" if row["type"] in read else "unread"].append(spent)
    return taken


def _half(taken: Taken) -> dict[str, float]:
    clock = _clock()
    return {name: round((float(np.median(some[len(some) // 10 :])) - clock) / 1000, 2) for name, some in taken.items()}


def _clock() -> float:
    """Return the nanoseconds between two looks at the clock."""
    spent = []
    for _ in range(2_000):
        begin = time.thread_time_ns()
        spent.append(time.thread_time_ns() - begin)
    return float(np.median(spent))


if __name__ == "__main__":
    pushes(workload(PUSHED))
