"""Objects that nobody expects as events, times, ids and values: each is taken, set aside, or refused with a code.

Usage: python -m tests.hostile.objects FIRST LAST

A seed makes a few rows with odd objects in them, and runs a query over them, as a list, as a stream, pushed one by one,
or as a frame. In the first three, every row is accounted for.
"""

import io
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import IntEnum
from fractions import Fraction
from random import Random
from typing import Any, Final
from uuid import UUID

import numpy as np
import pandas as pd
import pyarrow as pa

from cepheid.api import CompiledQuery, Reject, RejectsWriter
from cepheid.connectors import to_json
from cepheid.diagnostics import CepheidError
from cepheid.events import Event
from tests.hostile.files import code_of, queries
from tests.hostile.values import HOSTILE_VALUES, some_rows
from tests.hostile.watching import main


class _Few(IntEnum):
    ONE = 1


class _Text(str):
    """A text of another class."""


_CYCLE: list[object] = []
_CYCLE.append(_CYCLE)
OBJECTS: Final[tuple[object, ...]] = (
    *(b"bytes", bytearray(b"x"), memoryview(b"x"), {1, 2}, frozenset(), object(), range(3), len, ..., 1 + 2j),
    *(date.max, date.min, datetime.max, datetime.min, datetime.max.replace(tzinfo=UTC), time(1), timedelta.max),
    *(datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=23))), timedelta.min, Fraction(1, 3), UUID(int=1)),
    *(
        Decimal("sNaN"),
        Decimal("NaN"),
        Decimal("1e999999"),
        Decimal("-Infinity"),
        _Few.ONE,
        _Text("A"),
        _Text("\ud800"),
    ),
    *(np.int64(1), np.uint64(2**64 - 1), np.float32("nan"), np.bool_(True), np.str_("A"), np.bytes_(b"A")),
    *(np.datetime64("NaT"), np.datetime64("2024-05-17T08:30:00.123456789"), np.datetime64(2**62, "s")),
    *(np.timedelta64(2**62, "s"), np.array([1, 2]), np.array([[1], [2]]), np.array(1), np.array(["A"], object)),
    *(pd.NaT, pd.NA, pd.Timestamp.max, pd.Timestamp("2024-05-17", tz="Europe/Berlin"), pd.Timedelta.max),
    *(pa.scalar(1), pa.array([1]), _CYCLE, {1: {None: 2}}, [[[1]]] * 2, Event("A", 1, 1, 1), 10**5000, -(2**63) - 1),
)


def case(seed: int) -> str:
    """Run a query over the objects of a seed, and return what became of it."""
    random = Random(seed)
    rows: list[Any] = some_rows(random) or [{"type": "A", "time": 1}]
    for _ in range(random.randint(1, 4)):
        _spoil(rows, random)
    query = random.choice(queries())
    try:
        return random.choice((_listed, _pushed, _framed))(rows, query, random)
    except CepheidError as error:
        return code_of(error)


def _spoil(rows: list[Any], random: Random) -> None:
    """Put an object where it does not belong: for a value, for a name, or for a whole row."""
    odd, index = random.choice((*OBJECTS, *HOSTILE_VALUES)), random.randrange(len(rows))
    if not isinstance(rows[index], dict) or random.random() < 0.1:
        rows[index] = odd
    elif random.random() < 0.1 and _is_hashable(odd):
        rows[index][odd] = 1
    else:
        rows[index][random.choice(["type", "time", "x", "s"])] = odd


def _is_hashable(odd: object) -> bool:
    try:
        hash(odd)
    except TypeError:
        return False
    return True


def _listed(rows: list[object], query: CompiledQuery, random: Random) -> str:
    rejects: list[Reject] = []
    identity = random.choice([None, None, "s"])
    run = query.run(iter(rows), on_reject=rejects.append, id_column=identity)
    told = [to_json(match.to_dict()) for match in run]
    RejectsWriter(io.StringIO()).write(rejects)
    assert run.summary.events + run.summary.rejected == len(rows)
    return f"list with {'matches' if told else 'none'}"


def _pushed(rows: list[object], query: CompiledQuery, random: Random) -> str:
    detector, refused = query.detector(), 0
    for row in rows:
        refused += _is_refused(lambda given: detector.push(given), row)
    told = [to_json(match.to_dict()) for match in query.detector(detector.snapshot()).close()]
    assert detector.position == len(rows)
    return f"pushes with {'refusals' if refused else 'none'}{' and matches' if told else ''}"


def _is_refused(push: Callable[[Any], object], row: object) -> bool:
    try:
        push(row)
    except CepheidError as error:
        return bool(code_of(error))
    return False


def _framed(rows: list[object], query: CompiledQuery, random: Random) -> str:
    whole = [row for row in rows if isinstance(row, Mapping)]
    try:
        frame = pd.DataFrame([{name: row.get(name) for name in ("type", "time", "x", "s")} for row in whole])
    except (OverflowError, ValueError, TypeError):
        return "no frame"
    if frame.empty:
        return "no frame"
    run = query.run(frame)
    told = [to_json(match.to_dict()) for match in run]
    assert run.summary.events + run.summary.rejected == len(whole)
    return f"frame with {'matches' if told else 'none'}"


if __name__ == "__main__":
    sys.exit(main("tests.hostile.objects", sys.argv[1:]))
