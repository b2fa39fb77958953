"""A stream is taken as it comes: what is too late, came before or is far ahead is set aside."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.api.detectors import AnyDetector, on_the_way, pushed
from cepheid.api.intake import Intake
from cepheid.connectors import (
    MOVED_BACK,
    Chunk,
    EventSource,
    Form,
    Refused,
    duplicate,
    far_ahead,
    late,
    moved_back,
)
from cepheid.diagnostics import CepheidError
from cepheid.events import MIN_TIME, Event, Jumps

PORTION = 4096


class StreamRun:
    """Events on their way from a source to a detector, each looked at when it comes.

    With a `source_column` each source has a clock of its own.
    """

    def __init__(
        self,
        plan: Plan,
        detector: AnyDetector,
        source: EventSource,
        intake: Intake,
        *,
        max_jump: int | None,
        source_column: str | None,
    ) -> None:
        self._plan, self._detector, self._source, self._intake = plan, detector, source, intake
        self._column = source_column
        self._heartbeat = intake.heartbeat
        self._jumps: Jumps[tuple[Chunk, int]] = Jumps(max_jump)

    def found(self, chunks: Iterator[Chunk]) -> Iterator[list[Match]]:
        """Yield what becomes certain by chunks of the input."""
        detector, plan = self._detector, self._plan
        for chunk in chunks:
            self._intake.note(chunk)
            if not self._source.identified and self._come_in_order(chunk.events):
                yield from pushed(chunk.events, detector, plan)
            else:
                yield from self._one_by_one(chunk)
        for name, event in self._jumps.rest():
            for time in () if self._column is not None else on_the_way(event, detector, plan):
                yield detector.advance(time)
            yield detector.push(event, name) if event.type != self._heartbeat else detector.advance(event.end, name)

    def _one_by_one(self, chunk: Chunk) -> Iterator[list[Match]]:
        found: list[Match] = []
        for index, event in enumerate(chunk.events):
            for matches in self._judged(event, chunk, index):
                found += matches
                if len(found) >= PORTION:
                    yield found
                    found = []
        yield found

    @property
    def _form(self) -> Form:
        return self._source.form

    def _judged(self, event: Event, chunk: Chunk, index: int) -> Iterator[list[Match]]:
        """Take an event, unless it has to wait because it is far ahead, and those that waited for it."""
        name = self._source_of(event)
        latest = self._latest(name)
        if self._intake.strict and self._jumps.is_far(event.end, latest):
            raise CepheidError(chunk.reject(index, far_ahead(event, latest, self._form)).diagnostic)
        judged = self._jumps.see(event, (chunk, index), name, latest)
        for far, (its_chunk, its_index) in judged.refused:
            self._intake.uncount(far)
            self._intake.reject(its_chunk.reject(its_index, far_ahead(far, latest, self._form)))
        for one, (its_chunk, its_index) in judged.taken:
            for time in () if self._column is not None else on_the_way(one, self._detector, self._plan):
                yield self._detector.advance(time)
            found: list[Match] = []
            try:
                found = self._taken(one)
            except CepheidError as error:
                self._refuse(its_chunk, its_index, error)
            if self._detector.late or self._detector.duplicates:
                self._set_aside(its_chunk, its_index)
            yield found

    def _latest(self, source: str) -> int | None:
        """Return how far a source has come; None where nothing has come from it, or nothing can."""
        try:
            return None if self._detector.clock(source) == MIN_TIME else self._detector.latest(source)
        except CepheidError:  # which is told when the event is pushed
            return None

    def _come_in_order(self, events: Sequence[Event]) -> bool:
        """Say whether each event comes after the one before it, so that none is set aside."""
        if self._column is not None or self._heartbeat is not None or self._jumps.waiting:
            return False
        ends = [event.end for event in events]
        if not ends or ends[0] < self._detector.latest() or ends != sorted(ends):
            return not ends
        before = [self._latest(""), *ends]
        return not any(map(self._jumps.is_far, ends, before))

    def _taken(self, event: Event) -> list[Match]:
        """Push an event, or move the clock of its source on where it is a heartbeat."""
        source, detector = self._source_of(event), self._detector
        if event.type != self._heartbeat:
            return detector.push(event, source)
        if event.end < detector.clock(source):
            raise moved_back(source, detector.clock(source), event.end, self._form)
        return detector.advance(event.end, source)

    def _source_of(self, event: Event) -> str:
        return "" if self._column is None else str(event.fields[self._column])

    def _refuse(self, chunk: Chunk, index: int, error: CepheidError) -> None:
        """Set aside an event from a source that it cannot come from, or a heartbeat that takes back an earlier one.

        Anything else is no matter of the event.
        """
        [reason] = error.diagnostics
        is_lowered = reason.code == MOVED_BACK
        if not is_lowered and (self._column is None or reason.code != "unknown-source"):
            raise error
        self._intake.uncount(chunk.events[index])
        self._intake.reject(chunk.reject(index, Refused(reason if is_lowered else replace(reason, hints=()))))

    def _set_aside(self, chunk: Chunk, index: int) -> None:
        """Tell that the detector did not take an event."""
        event, detector = chunk.events[index], self._detector
        latest = detector.latest(self._source_of(event))
        reason = late(event, latest, self._form) if detector.late else duplicate(event, self._form)
        detector.late.clear()
        detector.duplicates.clear()
        self._intake.uncount(event)
        self._intake.reject(chunk.reject(index, reason))
