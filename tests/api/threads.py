"""Threads that push, take snapshots and ask questions of one detector at once, compared with a single thread.

Usage: python -m tests.api.threads [seconds]
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from random import Random
from threading import Semaphore, Thread
from time import monotonic
from typing import cast

import cepheid
from cepheid.api import CompiledQuery

SOURCES = tuple(f"source {number}" for number in range(8))
Row = dict[str, object]


@dataclass(frozen=True, slots=True)
class Round:
    """What each source sends, in the order of time, and how many of the snapshots are looked at."""

    rows: dict[str, list[Row]]
    looked_at: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How many snapshots were taken and looked at, and what was wrong."""

    taken: int
    looked_at: int
    wrong: tuple[str, ...]


def a_query() -> CompiledQuery:
    half = len(SOURCES) // 2
    streams = [cepheid.declare("A", sources=SOURCES[:half]), cepheid.declare("B", sources=SOURCES[half:])]
    first, second = cepheid.event("A"), cepheid.event("B")
    pair = cepheid.query((first >> second).within("50 s").where(first.k == second.k))
    return cepheid.compile(cepheid.program(pair, streams=streams), time_unit="s")


def a_round(random: Random, events: int, looked_at: int) -> Round:
    """Return events with times of their own, dealt out to the sources; a source has one type."""
    rows: dict[str, list[Row]] = {name: [] for name in SOURCES}
    for time in range(events):
        place = random.randrange(len(SOURCES))
        kind = "A" if place < len(SOURCES) // 2 else "B"
        rows[SOURCES[place]].append({"type": kind, "time": time, "k": random.randrange(5)})
    return Round(rows, looked_at)


def run(query: CompiledQuery, given: Round, random: Random) -> Outcome:
    """Push with one thread per source, beside four that take snapshots and four that ask, one time for every push."""
    detector, states, wrong, pushed = query.detector(), list[bytes](), list[str](), Semaphore(0)
    acts = [_snapshots(detector, states)] * 4 + [_questions(detector)] * 4
    times = sum(map(len, given.rows.values())) // len(acts)
    pushing = [_pusher(detector, name, rows, pushed) for name, rows in given.rows.items()]
    with _switching_often():
        threads = [_started(wrong, act) for act in (*pushing, *(_at_pushes(act, pushed, times) for act in acts))]
        for thread in threads:
            thread.join()
    chosen = random.sample(states, min(given.looked_at, len(states)))
    wrong += [f"snapshot {number}" for number, state in enumerate(chosen) if not _as_alone(query, given, state)]
    return Outcome(len(states), len(chosen), tuple(wrong))


@contextmanager
def _switching_often() -> Iterator[None]:
    """Let threads take turns so often that what is not locked is interrupted somewhere inside."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)


def _pusher(detector: cepheid.QueryDetector, source: str, rows: list[Row], pushed: Semaphore) -> Callable[[], None]:
    def push() -> None:
        for row in rows:
            pushed.release()
            detector.push(row, source)

    return push


def _snapshots(detector: cepheid.QueryDetector, states: list[bytes]) -> Callable[[], None]:
    return lambda: states.append(detector.snapshot())


def _questions(detector: cepheid.QueryDetector) -> Callable[[], None]:
    """Return what asks all there is to ask; beside other threads that raised before it was locked."""

    def ask() -> None:
        detector.progress()
        detector.usage()
        assert detector.late == []

    return ask


def _at_pushes(act: Callable[[], None], pushed: Semaphore, times: int) -> Callable[[], None]:
    def repeat() -> None:
        for _ in range(times):
            pushed.acquire()
            act()

    return repeat


def _started(wrong: list[str], act: Callable[[], None]) -> Thread:
    def watched() -> None:
        try:
            act()
        except Exception as problem:  # noqa: BLE001  # a thread has nobody to raise it to
            wrong.append(repr(problem))

    thread = Thread(target=watched)
    thread.start()
    return thread


def _as_alone(query: CompiledQuery, given: Round, state: bytes) -> bool:
    """Tell whether a snapshot goes on as a single thread would that pushed the same events of each source."""
    restored, alone = query.detector(state), query.detector()
    before = restored.positions
    for source, row in _merged({name: rows[: before[name]] for name, rows in given.rows.items()}):
        alone.push(row, source)
    later = _merged({name: rows[before[name] :] for name, rows in given.rows.items()})
    return _told(restored, later) == _told(alone, later)


def _merged(rows: dict[str, list[Row]]) -> list[tuple[str, Row]]:
    every = [(name, row) for name, its in rows.items() for row in its]
    return sorted(every, key=lambda one: cast(int, one[1]["time"]))


def _told(detector: cepheid.QueryDetector, rows: list[tuple[str, Row]]) -> list[tuple[object, ...]]:
    found = [match for source, row in rows for match in detector.push(row, source)]
    return [(match.start, match.end) for match in (*found, *detector.close())]


def main(seconds: float) -> int:
    query, random = a_query(), Random(11)
    spent, taken, looked_at, rounds, wrong = 0.0, 0, 0, 0, list[str]()
    while spent < seconds and not wrong:
        given, begun = a_round(random, 400, 8), monotonic()
        outcome = run(query, given, random)
        spent += monotonic() - begun
        rounds, taken, looked_at = rounds + 1, taken + outcome.taken, looked_at + outcome.looked_at
        wrong += outcome.wrong
    print(f"{rounds} rounds of 16 threads, {taken:,} snapshots, {looked_at} of them restored, {len(wrong)} wrong")
    print(*islice(wrong, 5), sep="\n")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 60))
