"""The table of what is given: events that rules read, in the order in which these see them."""

from collections.abc import Iterable

import numpy as np

from cepheid.engine.kernels.columns.batches import START, TIE, Batch
from cepheid.engine.kernels.columns.columns import Column, Kind, nulls
from cepheid.engine.kernels.columns.packing import count_of
from cepheid.engine.kernels.columns.words import Words
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask, Rows
from cepheid.engine.kernels.intake.event_log import EventLog
from cepheid.engine.kernels.tables.made_tables import taken
from cepheid.events import EventId, Value, id_key
from cepheid.events.order import ARRIVALS

_NO_KEY = np.zeros((1, 1), np.int32)


class GivenTable:
    """The given events of some types, in the order in which rules see them; with `every`, those of all types.

    `counts`: every event is told at its place, which is its serial number. `prompt`: that is certain as it arrives.
    """

    def __init__(
        self,
        types: Iterable[str],
        fields: Iterable[str],
        *,
        last: bool,
        every: bool = False,
        counts: bool = False,
        prompt: bool = False,
    ) -> None:
        self.types = {name: number for number, name in enumerate(sorted(types), 1)}
        self.log = EventLog([*sorted(fields), *([START] if last else []), TIE], 0)
        self.base, self.every, self.counts, self.prompt = 0, every, counts, prompt
        # Simultaneous events came in another order than their ids have.
        self.unordered = False
        self._codes: dict[tuple[str | None, ...], Data] = {}

    @property
    def lasts(self) -> bool:
        """Can its events be more than points?"""
        return START in self.log.fields

    @property
    def unseen(self) -> int:
        """The serial number of the next event that rules will see; where it counts, its place in the stream."""
        return self.base + self.log.done

    def place_at(self, time: int) -> int:
        """Return before which place everything ends before a time, where it counts."""
        return self.base + int(np.searchsorted(self.log.time[: self.log.done], time, "left"))

    def append(self, batch: Batch, words: Words, *, sorts: bool) -> None:
        """Add the events of a batch that are of use; there must be room. `sorts`: they are put in order later."""
        table = self._codes_of(batch)
        codes = table[batch.codes]
        if self.every or table[:-1].all():
            rows = np.arange(len(batch), dtype=np.int32)
        else:
            rows = np.flatnonzero(codes).astype(np.int32)
            codes = codes[rows]
        if not len(rows):
            return
        first = self.log.top
        self.log.append(batch, rows, codes, _NO_KEY, words)
        if not sorts and not batch.in_order:
            self.unordered = self.unordered or not self._is_ordered(max(first - 1, 0))

    def news(self, frontier: int | None) -> tuple[int, int]:
        """Return the serial numbers of what rules see now and did not before; None: all that came."""
        log = self.log
        if frontier is not None:
            log.sort()
        first, last = log.done, log.top if frontier is None else log.ready(frontier)
        log.finish(last)
        return self.base + first, self.base + last

    def drop(self, serial: int, room: int) -> None:
        """Forget what comes before a serial number, and make so much room."""
        log = self.log
        rows = min(max(serial - self.base, 0), log.done)
        log.keep(slice(rows, log.top), log.room_for(log.top - rows + room))
        self.base += rows

    def present(self, first: int, last: int) -> Mask:
        """Return for every code whether an event of that type is among some serial numbers."""
        found: Mask = np.bincount(self.log.member[first - self.base : last - self.base], minlength=1) > 0
        return found

    def read(self, name: str, rows: Rows | slice) -> Column:
        found = self.log.fields.get(name)
        return nulls(count_of(rows)) if found is None else found.read(rows)

    def ends(self, rows: Rows | slice) -> Data:
        return taken(self.log.time, rows)

    def starts(self, rows: Rows | slice) -> Data:
        return taken(self.log.fields[START].data if self.lasts else self.log.time, rows)

    def known(self, rows: Rows | slice) -> Data:
        """Return when events were certain: when they came, or where places count when nothing could come before."""
        return self.ends(rows) + 1 if self.counts and not self.prompt else self.ends(rows)

    def kinds(self, rows: Rows | slice) -> Data:
        """Return the codes of the types of some events, 0 for types that nobody asks for."""
        return taken(self.log.member, rows)

    def refs(self, serials: Data) -> Data:
        """Return the references of events: they are their serial numbers."""
        return serials

    @property
    def names(self) -> list[str]:
        """The names of the fields that somebody reads."""
        return [name for name in self.log.fields if name not in (START, TIE)]

    def said(self, row: int, words: Words) -> dict[str, Value]:
        """Return what an event says."""
        return {name: self.log.fields[name].one(row, words) for name in self.names}

    def order_key(self, row: int, words: Words) -> tuple[object, ...]:
        """Return the place of an event in the total order."""
        tie = self.log.fields[TIE].one(row, words)
        number = (-1, self.base + row) if self.log.numbered else id_key(self.id(row, words))
        return (int(self.log.time[row]), ARRIVALS, () if tie is None else tie, number)

    def id(self, row: int, words: Words) -> EventId:
        found = self.log.ids.one(row, words)
        assert isinstance(found, int | str)
        return found

    def _codes_of(self, batch: Batch) -> Data:
        types = tuple(batch.types)
        if types not in self._codes:
            codes = [0 if name is None else self.types.get(name, 0) for name in types]
            self._codes[types] = np.array([*codes, 0], np.uint32)
        return self._codes[types]

    def _is_ordered(self, first: int) -> bool:
        """Say whether the rows from one on are in the total order."""
        log = self.log
        times = log.time[first : log.top]
        level = np.flatnonzero(times[1:] == times[:-1]) + first
        if not len(level):
            return True
        if log.fields[TIE].kind is not Kind.NULL or (log.ids.kind is not Kind.INT and not log.numbered):
            return False
        if log.numbered:
            return True
        return bool((log.ids.data[level + 1] > log.ids.data[level]).all())
