"""The work of Spark's workers without Spark: rows are dealt out, sorted and moved between stages by hand."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark import cloudpickle

from cepheid.analysis import certify, plan_of
from cepheid.analysis.keys.roles import AGAIN, mark_of
from cepheid.engine import Engine
from cepheid.events import Event
from cepheid.spark.at_hand import AT_HAND
from cepheid.spark.batch import FrameWork, is_sliced
from cepheid.spark.dealing import BAD, DEAL, ROUTE, SLOT
from cepheid.spark.event_columns import END, FIELD, ID, PARTITION, START, TYPE, WAITED_FOR
from cepheid.spark.handing import copies_of, slots_of
from cepheid.spark.lanes import Route, lanes_of, routes_of
from cepheid.spark.packing import BUCKET, RESULTS, packed, unpacked
from cepheid.spark.passing import PASSING
from cepheid.spark.places import Row, Settings
from cepheid.spark.results import FIGURES, ResultForm
from cepheid.spark.sending import SentBuckets
from cepheid.spark.streaming import Buckets
from cepheid.testing import Case
from tests.spark.packed_cases import BEAT, FIELDS, Prepared

MARKS = (*map(mark_of, FIELDS), AGAIN)
BUCKETS, PARTITIONS, WIDTH, TOGETHER = 3, 2, 4, 5
FORM = ResultForm(None, numbered=True)
SETTINGS = Settings(identified=True, engine=Engine.INTERPRETER)
SAID = pa.schema(
    [
        (TYPE, pa.string()),
        (START, pa.int64()),
        *((FIELD + name, pa.int64()) for name in FIELDS),
        *((FIELD + name, pa.bool_()) for name in MARKS),
        (ID, pa.int64()),
        (BAD, pa.string()),
    ]
)
GIVEN = pa.schema([*SAID, *(PASSING.field(name) for name in (ROUTE, SLOT, DEAL, END))])
EVERY = pa.schema([*SAID, *PASSING])


def routes(case: Case) -> tuple[Route, ...]:
    """Return the routes of a case."""
    plan = plan_of(case.program, intervals=True)
    return routes_of(list(lanes_of(0, Prepared(case.program, plan, certify(plan, case.disorder), case.disorder))))


def in_frame(case: Case, every: tuple[Route, ...]) -> list[Row]:
    """Return what is found in all events of a case at once."""
    work = FrameWork(every, FORM, SETTINGS, {route.number: WIDTH for route in every if is_sliced(route)}, BUCKETS)
    *others, last = range(len(work.by_level()))
    rows: list[Row] = []
    for level in others:
        rows += _placed(case.trace, work, level)
        rows = [row for part in _parts(rows) for batch in work.not_last(level)(iter(part)) for row in batch.to_pylist()]
    rows += _placed(case.trace, work, last)
    return _found(batch for part in _parts(rows) for batch in work.last(last)(iter(part)))


def _placed(events: Sequence[Event], work: FrameWork, level: int) -> Iterator[Row]:
    for event in events:
        for route in (one for one in work.by_level()[level] if one.types is None or event.type in one.types):
            width = work.widths.get(route.number)
            if width is not None:
                yield from (_row(event, route.number, *place) for place in slots_of(event, width, *route.reach))
                continue
            for deal, copy in copies_of(event, route, work.buckets):
                yield _row(copy, route.number, deal if route.multiplies else 0, deal)


def _parts(rows: Sequence[Mapping[str, Any]]) -> Iterator[list[Any]]:
    """Yield what each worker gets, in the order of time, a few rows at once."""
    for number in range(PARTITIONS):
        part = [row for row in rows if (31 * row[ROUTE] + row[DEAL]) % PARTITIONS == number]
        part.sort(key=lambda row: (row[ROUTE], row[SLOT], row[END] or 0))
        yield pa.Table.from_pylist(part, schema=EVERY).to_batches(max_chunksize=TOGETHER)


def _row(event: Event, route: int | None, slot: int, deal: int) -> Row:
    fields = {FIELD + name: event.fields.get(name) for name in (*FIELDS, *MARKS)}
    return {
        TYPE: event.type,
        START: event.start,
        END: event.end,
        ID: event.id,
        **fields,
        ROUTE: route,
        SLOT: slot,
        DEAL: deal,
    }


def _found(batches: Iterator[Any]) -> list[Row]:
    return [row for batch in batches for row in batch.to_pylist() if row["tag"] != FIGURES]


@dataclass
class State:
    """What Spark keeps for the buckets of one operator, seen from the bucket whose turn it is."""

    indexes: dict[int, tuple[str]] = field(default_factory=dict)
    pieces: dict[int, dict[tuple[str], tuple[bytes]]] = field(default_factory=dict)
    bucket: int = 0

    def getValueState(self, *_: object) -> "State":  # noqa: N802  # as Spark calls it
        return self

    def getMapState(self, *_: object) -> "State":  # noqa: N802  # as Spark calls it
        return self

    def get(self) -> tuple[str] | None:
        return self.indexes.get(self.bucket)

    def update(self, value: tuple[str]) -> None:
        self.indexes[self.bucket] = value

    def iterator(self) -> Iterator[tuple[tuple[str], tuple[bytes]]]:
        return iter(list(self.pieces.get(self.bucket, {}).items()))

    def updateValue(self, key: tuple[str], value: tuple[bytes]) -> None:  # noqa: N802  # as Spark calls it
        self.pieces.setdefault(self.bucket, {})[key] = value

    def removeKey(self, key: tuple[str]) -> None:  # noqa: N802  # as Spark calls it
        del self.pieces[self.bucket][key]


def sent(buckets: Buckets) -> SentBuckets:
    """Return a processor as it is in a worker."""
    content = cloudpickle.dumps(SentBuckets(buckets))  # type: ignore[no-untyped-call]  # it has no types
    found: SentBuckets = cloudpickle.loads(content)
    return found


class Stream:
    """A stream of batches through the operators of all levels; `figures` are the rows that say them of the last one."""

    def __init__(self, every: tuple[Route, ...], buckets: int = BUCKETS) -> None:
        self.routes, self.buckets = every, buckets
        self.figures: list[Row] = []
        levels = range(max(route.level for route in every) + 1)
        self.operators = [(sent(Buckets(every, FORM, SETTINGS, buckets, level)), State()) for level in levels]

    def take_over(self, other: "Stream") -> None:
        """Go on from the state of another stream."""
        pairs = zip(self.operators, other.operators, strict=True)
        self.operators = [(processor, state) for (processor, _), (_, state) in pairs]

    def push(self, events: Sequence[Event], *, forgetful: bool = False) -> list[Row]:
        """Take in a batch, and return what is certain by it; a `forgetful` worker has nothing left in memory."""
        rows = [row for event in events for row in self._dealt(event)]
        return self._after(pa.Table.from_pylist(rows, schema=GIVEN), forgetful)

    def push_partitions(
        self, events: Sequence[tuple[int, Event]], waited_for: Sequence[int], *, forgetful: bool = False
    ) -> list[Row]:
        """Take in a batch of events from partitions, of which some are waited for."""
        rows = [{**row, PARTITION: partition} for partition, event in events for row in self._dealt(event)]
        said = [{WAITED_FOR: json.dumps([str(one) for one in waited_for])}]
        schema = pa.schema([*GIVEN, (PARTITION, pa.int32()), (WAITED_FOR, pa.string())])
        return self._after(pa.Table.from_pylist([*said, *rows], schema=schema), forgetful)

    def _after(self, table: Any, forgetful: bool) -> list[Row]:
        if forgetful:
            AT_HAND.clear()
        parts = table.to_batches(max_chunksize=TOGETHER)
        buckets = {route.number: route.buckets(self.buckets) for route in self.routes}
        frame = pd.concat([batch.to_pandas() for part in parts for batch in packed(iter([part]), buckets)])
        for processor, state in self.operators:
            processor.init(state)  # type: ignore[arg-type]  # as far as it is used
            frame = pd.concat(self._turns(processor, state, frame))
        told = [unpacked(data) for data in frame[RESULTS] if data is not None]
        self.figures = [row for table in told for row in table.to_pylist() if row["tag"] == FIGURES]
        return _found(batch for table in told for batch in table.to_batches())

    def _dealt(self, event: Event) -> list[Row]:
        wanted = [one for one in self.routes if one.types is None or event.type in one.types]
        wanted = [] if event.type == BEAT else wanted
        copies = [(one.number, *copy) for one in wanted for copy in copies_of(event, one, self.buckets)]
        return [_row(copy, number, 0, deal) for number, deal, copy in copies] or [_row(event, None, 0, 0)]

    def _turns(self, processor: SentBuckets, state: State, frame: pd.DataFrame) -> Iterator[pd.DataFrame]:
        for number in sorted(set(frame[BUCKET])):
            state.bucket = number
            own = frame[frame[BUCKET] == number]
            parts = [own.iloc[first:last] for first, last in pairwise([0, len(own) // 2, len(own)])]
            yield from processor.handleInputRows((number,), iter(parts), None)
