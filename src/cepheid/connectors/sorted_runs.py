"""Input that is known to be out of order is sorted as a whole: run by run, on disk, and then merged.

What is held in memory is one run while the input is read, and a batch of each run while they are merged, so it does not
depend on how long the input is.
"""

import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.connectors.column_sorting import in_order_of_time
from cepheid.connectors.event_columns import EventColumns, joined
from cepheid.connectors.whole_files import writable
from cepheid.diagnostics import readable

ROWS_OF_A_RUN = 1 << 20
ROWS_AT_ONCE = 1 << 12
"""So many rows of each run are held at least while runs are merged."""
ROWS_OF_A_MERGE = 1 << 18
"""So many rows are merged at once, of however many runs; twice as many are held, where each run has a share of them."""
_ELSEWHERE = "input that is out of order is sorted on disk; name a folder with more space: `TMPDIR=/large/folder`"
_TYPE, _END, _START, _NUMBER, _FIELD = "type", "end", "start", "number", "field "


class SortedRuns:
    """Events that are sorted by their ends and positions; the files are gone when it is closed."""

    def __init__(self) -> None:
        self._waiting: list[EventColumns] = []
        self._kept: list[EventColumns] = []
        self._paths: list[Path] = []
        self._open = ExitStack()

    def __enter__(self) -> "SortedRuns":
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def add(self, events: EventColumns) -> None:
        """Take some events."""
        self._waiting += [events] if len(events) else []
        if sum(map(len, self._waiting)) >= ROWS_OF_A_RUN:
            self._put(in_order_of_time(self._waiting))
            self._waiting = []

    def merged(self) -> Iterator[EventColumns]:
        """Yield all events in order."""
        last = [in_order_of_time(self._waiting)] if self._waiting else []
        share = 2 * ROWS_OF_A_MERGE // max(len(self._paths), 1)
        runs = [*(self._read(path, share) for path in self._paths), *map(_cut, [*self._kept, *last])]
        yield from _merged([next(run) for run in runs], runs) if len(runs) > 1 else chain(*runs)

    def _put(self, run: EventColumns) -> None:
        """Write a run to a file; one with values that Arrow has no type for stays in memory."""
        if any(isinstance(column, np.ndarray) for column in run.fields.values()):
            self._kept.append(run)
            return
        if not self._paths:
            with writable("TMPDIR", _ELSEWHERE):
                self._folder = Path(self._open.enter_context(tempfile.TemporaryDirectory(prefix="cepheid-sort-")))
        path = self._folder / f"{len(self._paths)}.arrows"
        _write(_batch_of(run), str(path))
        self._paths.append(path)

    def _read(self, path: Path, rows: int) -> Iterator[EventColumns]:
        """Yield a run, about so many rows at once."""
        with readable(str(path)), pa.OSFile(str(path)) as source, pa.ipc.open_stream(source) as reader:
            held: list[Any] = []
            for batch in reader:
                held.append(batch)
                if sum(one.num_rows for one in held) + ROWS_AT_ONCE > rows:
                    yield _events_of(pa.concat_batches(held))
                    held = []
            if held:
                yield _events_of(pa.concat_batches(held))


def _write(batch: Any, path: str) -> None:  # pyarrow has no types: a RecordBatch
    with (
        writable(path, _ELSEWHERE),
        pa.OSFile(path, "wb") as sink,
        pa.ipc.new_stream(sink, batch.schema) as writer,
    ):
        writer.write_table(pa.Table.from_batches([batch]), max_chunksize=ROWS_AT_ONCE)


def _merged(heads: list[EventColumns], runs: list[Iterator[EventColumns]]) -> Iterator[EventColumns]:
    """Merge runs, of each of which a head is there."""
    while heads:
        share = max(ROWS_OF_A_MERGE // len(heads), 1) - 1
        bound = min(_place(head, min(share, len(head) - 1)) for head in heads)
        cuts = [_up_to(head, *bound) for head in heads]
        yield in_order_of_time([head.slice(0, cut) for head, cut in zip(heads, cuts, strict=True) if cut])
        left = []
        for head, run, cut in zip(heads, runs, cuts, strict=True):
            rest = head.slice(cut, len(head) - cut)
            # A short one would make the next merge a short one.
            more = next(run, None) if len(rest) <= share else None
            following = [one for one in (rest, more) if one is not None and len(one)]
            left += [(following[0] if len(following) == 1 else joined(following), run)] if following else []
        heads, runs = [head for head, _ in left], [run for _, run in left]


def _place(events: EventColumns, row: int) -> tuple[int, int]:
    """Return where an event stands in the order of all."""
    return int(events.ends[row]), int(events.positions[row])


def _up_to(events: EventColumns, end: int, position: int) -> int:
    """Return how many events come no later than one that ends so and stands there."""
    first = int(np.searchsorted(events.ends, end, "left"))
    last = int(np.searchsorted(events.ends, end, "right"))
    return first + int(np.searchsorted(events.positions[first:last], position, "right"))


def _cut(run: EventColumns) -> Iterator[EventColumns]:
    return (run.slice(first, ROWS_AT_ONCE) for first in range(0, len(run), ROWS_AT_ONCE))


def _batch_of(events: EventColumns) -> Any:  # pyarrow has no types
    columns = {_TYPE: events.types, _END: events.ends, _NUMBER: events.positions}
    if events.starts is not None:
        columns[_START] = events.starts
    columns |= {_FIELD + name: column for name, column in events.fields.items()}
    return pa.RecordBatch.from_arrays([pa.array(column) for column in columns.values()], list(columns))


def _events_of(batch: Any) -> EventColumns:
    columns = dict(zip(batch.schema.names, batch.columns, strict=True))
    starts = columns.get(_START)
    fields = {name.removeprefix(_FIELD): one for name, one in columns.items() if name.startswith(_FIELD)}
    ends, numbers = np.asarray(columns[_END]), np.asarray(columns[_NUMBER])
    return EventColumns(columns[_TYPE], ends, None if starts is None else np.asarray(starts), numbers, fields)
