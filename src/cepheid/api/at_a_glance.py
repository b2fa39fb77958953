"""The short way of events from dictionaries to the matches that they complete, for those that say nothing unusual."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias

from cepheid.api.noticing import FirstLooks
from cepheid.connectors import Glance, ObjectReader, Report, reports
from cepheid.diagnostics import CepheidError
from cepheid.engine import Detector, TooManyMatches
from cepheid.events import MAX_TIME, MIN_TIME, Arrival, Jumps

Push: TypeAlias = Callable[[dict[str, Any]], list[Report] | None]  # whatever somebody pushes
AT_ONCE: Final = 512
"""So many rows are looked at before the first of them is taken."""


class ShortWay:
    """What takes in events that say no more than what they are; `cannot_go_on` makes an error of what is too much.

    `push` takes in one, and returns the matches that are certain then; None, and nothing is taken, where it takes a
    closer look, which is the caller's.
    """

    __slots__ = ("_cannot_go_on", "_engine", "_far", "_first", "_jumps", "_reader", "push")

    def __init__(
        self,
        reader: ObjectReader,
        engine: Detector,
        jumps: Jumps[None],
        first: FirstLooks,
        cannot_go_on: Callable[[TooManyMatches], CepheidError],
    ) -> None:
        self._reader, self._engine, self._jumps, self._first = reader, engine, jumps, first
        self._cannot_go_on = cannot_go_on
        self._far = MAX_TIME - MIN_TIME if jumps.most is None else jumps.most
        self.push = self._at_a_glance()

    def _at_a_glance(self) -> Push:
        # What is looked at for every event is bound once.
        reader, engine, first = self._reader, self._engine, self._first
        glance, event_of, looked_at = reader.glance, reader.event_of, engine.looked_at
        only, pass_by, far_ahead, far, left = engine.only, engine.pass_by, self._jumps.waiting, self._far, first.left

        def push(given: dict[str, Any]) -> list[Report] | None:
            seen = glance(given)
            if seen is None:
                return None
            kind, ticks, name, _ = seen
            # The first event is as far ahead of the beginning as can be.
            if ticks - only.bound > far or far_ahead:
                return None
            try:
                if kind not in looked_at:  # it only moves the clock on
                    found = pass_by(ticks, name)
                    if found is None:
                        return None
                    reader.position += 1
                elif engine.takes_at_once(kind, ticks, name):
                    reader.position += 1
                    event = event_of(seen)
                    if kind in left:
                        first.take(event)
                    found = engine.at_once(event)
                else:
                    return None
            except TooManyMatches as reason:
                raise self._cannot_go_on(reason) from None
            return reports(found, reader.form) if found else []

        return push

    def push_all(self, rows: Sequence[Any], place: int) -> Iterator[list[Report]]:
        """Take in the rows from a place on, as far as none takes a closer look, and yield what they complete.

        The reader counts those that were taken, and where something is raised, that with which it was.
        """
        reader, engine = self._reader, self._engine
        if self._jumps.waiting or not engine.takes_many:
            return
        position, counts = reader.position, engine.only.counts
        before = counts[Arrival.IN_TIME]
        try:
            for found in engine.all_at_once(self._plain(rows[place : place + AT_ONCE]), reader.event_of):
                yield reports(found, reader.form)
        except TooManyMatches as reason:
            raise self._cannot_go_on(reason) from None
        finally:
            reader.position = position + counts[Arrival.IN_TIME] - before

    def _plain(self, rows: Sequence[Any]) -> list[Glance]:
        """Return what is seen of some rows, as far as nothing more need be asked, and count them."""
        reader, only, glance, far, left = (
            self._reader,
            self._engine.only,
            self._reader.glance,
            self._far,
            self._first.left,
        )
        concerned, bound, lag = self._engine.premises.concerned, only.bound, only.allowed.ticks
        found: list[Glance] = []
        for row in rows:
            seen = glance(row) if type(row) is dict else None
            if seen is None:
                break
            kind, ticks, _, _ = seen
            if not 0 <= ticks - bound <= far or kind in left or kind in concerned:
                break
            if ticks - lag > bound:
                bound = ticks - lag
            reader.position += 1
            found.append(seen)
        return found
