"""Events of a shop for more than a day, the rules that a pipeline runs over them, and what the engine finds in them."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import cepheid as c

APART: Final = 12  # milliseconds from one event to the next
EACH: Final = 25_000
"""A file, and so a batch, has so many events: five minutes. The first hour has enough of them to warm up."""
FILES_OF_AN_HOUR: Final = 3_600_000 // (APART * EACH)
USERS: Final = 20_000
AMOUNTS: Final = 50
TYPES: Final = ("Order", "Payment", "Login", "Failed")
HEARTBEAT: Final = "Beat"
LATENESS: Final = 400  # events: 4.8 s
DISORDER: Final = "5 s"
MOST: Final = "1500/min"  # of each type; 1,250 come on average
SCHEMA: Final = "type string, time long, id long, user long, amount long"
RULES: Final = """ties simultaneous

rule Guessed:
    f: Failed then l: Login within 2 min on f.user == l.user choose latest-start
    emits Guessed(user = l.user, amount = 0)

rule Twice:
    a: Payment then b: Payment within 30 min on a.user == b.user, a.amount == b.amount choose latest-start
    emits Twice(user = a.user, amount = b.amount)

rule Unpaid:
    o: Order unless p: Payment relation 1 ms <= start($absent) - end($pattern) <= 1 h on o.user == p.user
    emits Unpaid(user = o.user, amount = o.amount)
"""
_FIRST, _DAY = 1_000_000_000, 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Input:
    """So many files with events, in the order in which they are read; after the last one it is a day later."""

    folder: Path
    files: int

    @property
    def events(self) -> int:
        return self.files * EACH

    def write(self) -> None:
        """Write the files: events come up to the lateness out of order, also from one file to the next."""
        self.folder.mkdir(parents=True)
        draw = np.random.default_rng(11)
        left: dict[str, Any] = {}
        for number in range(self.files):
            fresh = _events(draw, number)
            every = {name: np.concatenate([left.get(name, column[:0]), column]) for name, column in fresh.items()}
            here = EACH if number else EACH - LATENESS
            rows = np.argsort(every["arrival"], kind="stable")
            kept = rows if number == self.files - 1 else rows[:here]
            left = {name: column[rows[here:]] for name, column in every.items()}
            self._write(number, {name: column[kept] for name, column in every.items()})
        beat = {"type": np.array([HEARTBEAT]), "time": np.array([self.events * APART + _DAY]), "id": np.array([-1])}
        self._write(self.files, {**beat, "user": np.array([0]), "amount": np.array([0])})

    def _write(self, number: int, columns: dict[str, Any]) -> None:
        file = self.folder / f"{number:04}.parquet"
        pq.write_table(pa.table({name: column for name, column in columns.items() if name != "arrival"}), file)
        # Files are read by the times at which they were written.
        os.utime(file, (_FIRST + number, _FIRST + number))

    def matches(self) -> Any:  # a table of Arrow
        """Return what the engine finds in this process, in the events in the order of time, without any lateness."""
        files = [self.folder / f"{number:04}.parquet" for number in range(self.files)]
        every = pa.concat_tables(map(pq.read_table, files)).sort_by("time")
        query = c.compile(RULES, time_unit="ms")
        return query.run(every, id_column="id", ids=True, evidence=False, threads=1).to_arrow()


def _events(draw: np.random.Generator, number: int) -> dict[str, Any]:
    """Return the columns of one file's worth of events, in the order of time, with the places at which they arrive."""
    places = np.arange(number * EACH, (number + 1) * EACH)
    return {
        "type": np.array(TYPES)[draw.integers(0, len(TYPES), EACH)],
        "time": places * APART,
        "id": places,
        "user": draw.integers(0, USERS, EACH),
        "amount": draw.integers(1, AMOUNTS + 1, EACH),
        "arrival": places + draw.uniform(0, LATENESS, EACH),
    }
