"""What kernels compare is right, whatever values come and however they change from batch to batch."""

import numpy as np
import pyarrow as pa
import pytest

from cepheid.algebra.programs import Program
from cepheid.analysis.plans.planner import plan_of
from cepheid.engine import Detector
from cepheid.engine.kernels import KernelDetector
from cepheid.engine.kernels.columns.columns import Column, Kind
from cepheid.engine.kernels.columns.log_column import LogColumn
from cepheid.engine.kernels.intake.event_log import EventLog
from cepheid.events import point
from tests.kernels.plain_kernels import plain_kernels
from tests.queries import read_query

RISE = "rule rise: (a: A then b: B within 40 on a.key == b.key choose recent where b.value > a.value) emits rise"
ROWS = 1500


def test_what_is_compared_is_held_once_however_a_log_grows() -> None:
    log = EventLog(["value"], 1, ["value"])
    column = log.fields["value"]
    column.share(log.numbers[0], Column(Kind.FLOAT, np.array([0.5])))
    assert column.shares(log.numbers)
    size = log.bytes_of_a_row
    for room in (5000, 100_000):
        log.keep(slice(0, 0), room)
        assert column.shares(log.numbers)
        assert log.bytes_of_a_row == size
    assert not LogColumn(room).shares(log.numbers)


def values(draw: np.random.Generator, kind: str) -> pa.Array:
    if kind == "int":
        return pa.array(draw.integers(0, 9, ROWS))
    floats = pa.array(np.round(draw.random(ROWS), 2))
    return floats if kind == "float" else pa.array([None if one < 0.2 else one for one in floats.to_pylist()])


def batches(kinds: list[str], disorder: int) -> list[pa.RecordBatch]:
    draw, made = np.random.default_rng(5), []
    for number, kind in enumerate(kinds):
        times = np.arange(number * ROWS, (number + 1) * ROWS) + draw.integers(0, disorder + 1, ROWS)
        names = np.array(list("ABC"))[draw.integers(0, 3, ROWS)]
        columns = {"type": names, "time": times, "key": draw.integers(0, 4, ROWS), "value": values(draw, kind)}
        made.append(pa.RecordBatch.from_pydict(columns))
    return made


def interpreted(program: Program, some: list[pa.RecordBatch], disorder: int) -> set[tuple[object, ...]]:
    detector, found = Detector(plan_of(program), disorder=disorder), []
    for number, row in enumerate((row for batch in some for row in batch.to_pylist()), 1):
        found += detector.push(point(row.pop("type"), row.pop("time"), number, row))
    return {match.evidence for match in [*found, *detector.close()]}


@pytest.mark.parametrize("disorder", [0, 3])
@pytest.mark.parametrize(
    "kinds",
    [["float"] * 3, ["float", "nulls", "float"], ["float", "int", "float"], ["nulls", "float", "float"], ["int"] * 3],
    ids=lambda kinds: " ".join(kinds),
)
def test_kinds_that_change(kinds: list[str], disorder: int) -> None:
    program, some = read_query(RISE), batches(kinds, disorder)
    with plain_kernels():
        detector = KernelDetector(plan_of(program), disorder=disorder)
        tables = [*map(detector.push_batch, some), detector.close()]
    found = [tuple(row["evidence"]) for table in tables for row in table.to_pylist()]
    assert len(found) == len(set(found)) > 100
    assert set(found) == interpreted(program, some, disorder)
