"""Finite input is put in order: in columns, where kernels run the query and its input has some, or as events."""

from collections.abc import Callable, Iterator, Sequence, Sized
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.analysis.plans.inputs import types_that_matter
from cepheid.api.detectors import AnyDetector, found_by, pushed
from cepheid.api.intake import Intake
from cepheid.api.unread_blocks import How, PartReader
from cepheid.connectors import (
    AnyChunk,
    Chunk,
    ColumnBuffer,
    ColumnChunk,
    EventColumns,
    EventSource,
    KnownIds,
    Outlook,
    PartBuffer,
    SortBuffer,
    SortedRuns,
    SourceInParts,
    in_columns,
    of_templates,
    row_chunks,
    without_duplicates,
)
from cepheid.diagnostics import CepheidError
from cepheid.engine import REACH, Engine, Found, Slices, TieredDetector, has_points, reach_of, tiers_of, within_reach
from cepheid.events import Event, Templates

T = TypeVar("T", bound=Sized)
ROWS_OF_A_PART = 1 << 20
"""So many rows a thread reads at once: each piece costs the same under Python's lock, however long it is."""
MANY = 20_000
"""From so many events on, finite input runs in kernels where there are some, and waits for them."""


@dataclass(frozen=True, slots=True)
class FiniteRun:
    """Events on their way from a source to a detector, all of them in order."""

    plan: Plan
    source: EventSource
    intake: Intake
    make: Callable[[Engine], AnyDetector]
    keep: Callable[[AnyDetector], None]
    sort_buffer: int
    ordered: bool
    templates: Templates | None
    fields: frozenset[str]
    outlook: Outlook | None = None
    threads: int = 1

    def found(self, engine: Engine) -> Iterator[list[Match] | Found]:
        """Yield what becomes certain by the input; its end is still to come."""
        reader = self._in_parts()
        unread = None if reader is None else self._unread(reader, engine)
        if unread is not None:
            yield from unread
            return
        first, rest = _up_to_columns(self._chunks() if reader is None else reader.chunks())
        if first and isinstance(first[-1], ColumnChunk) and self._takes_columns(engine):
            found = None if reader is None else self._after_the_first(first, reader, engine)
            yield from self._by_column(chain(first, rest), engine) if found is None else found
        else:
            yield from self._by_row(_one_by_one(chain(first, rest)), engine)

    def _in_parts(self) -> PartReader | None:
        """Return what reads the input in parts, where several threads may do that and the parts are in order."""
        outlook = self.outlook
        follow = outlook is not None and (outlook.in_order or outlook.parts) and self.templates is None
        if self.threads < 2 or not follow or not isinstance(self.source, SourceInParts) or reach_of(self.plan) is None:
            return None
        return PartReader(self.source.parts(ROWS_OF_A_PART, types_that_matter(self.plan)))

    def _unread(self, reader: PartReader, engine: Engine) -> Iterator[Found] | None:
        """Return what is found by threads that read all of the input; None where somebody must look at it first."""
        rows = 0 if self.outlook is None else sum(self.outlook.parts)
        if rows < MANY or not self._takes_columns(engine) or not reader.may_be_left_unread(rows):
            return None
        return self._by_blocks((), rows, reader, engine)

    def _after_the_first(self, first: Sequence[AnyChunk], reader: PartReader, engine: Engine) -> Iterator[Found] | None:
        """Return what is found in the first chunks, and by threads that read the rest; None as below."""
        count = sum(len(in_columns(chunk, self.fields).events) for chunk in first)
        return None if count < MANY else self._by_blocks(first, count, reader, engine)

    def _by_blocks(
        self, first: Sequence[AnyChunk], count: int, reader: PartReader, engine: Engine
    ) -> Iterator[Found] | None:
        """Return what is found by threads that read the input too; None where nothing can be done so."""
        outlook = self.outlook
        if outlook is None:
            return None
        slices = self._slices(self._chosen(engine, count, lambda: outlook.is_within(REACH)), engine)
        if slices is None:
            return None
        how = How(self.fields, self.intake, self.source.name, outlook.in_order)
        return self._told(slices, slices.found_in(reader.blocks(first, how, slices.rows)))

    def _told(self, slices: Slices, found: Iterator[Found]) -> Iterator[Found]:
        yield from found
        assert slices.last is not None
        self.keep(slices.last)

    def _by_column(self, chunks: Iterator[AnyChunk], engine: Engine) -> Iterator[list[Match] | Found]:
        pieces = self._columns_in_order(chunks)
        first, count = _first(pieces)
        detector = self._chosen(engine, count, lambda: self._are_within_reach(first))
        slices = self._slices(detector, engine)
        if slices is not None:
            yield from self._told(slices, slices.found(chain(first, pieces)))
            return
        for events in chain(first, pieces):
            if isinstance(detector, TieredDetector):
                yield detector.push_columns(events)
            else:
                yield from pushed(self._that_matter(events.objects()), detector, self.plan)

    def _slices(self, detector: AnyDetector, engine: Engine) -> Slices | None:
        """Return what runs the input on several threads, where that is asked for and can be done."""
        if self.threads < 2 or not isinstance(detector, TieredDetector) or detector.is_watchful:
            return None
        reach, ready = reach_of(self.plan), [detector]

        def made() -> TieredDetector:
            one = ready.pop() if ready else self.make(engine)
            assert isinstance(one, TieredDetector)
            return one

        return None if reach is None else Slices(made, reach, self.threads)

    def _by_row(self, chunks: Iterator[Chunk], engine: Engine) -> Iterator[list[Match] | Found]:
        portions = map(self._that_matter, self._in_order(chunks))
        first, count = _first(portions)
        detector = self._chosen(engine, count, lambda: all(map(within_reach, first)))
        by_position = not self.source.identified and not self.ordered
        for events in chain(first, portions):
            yield from found_by(events, detector, self.plan, by_position=by_position)

    def _chosen(self, engine: Engine, count: int, within_reach: Callable[[], bool]) -> AnyDetector:
        """Return a detector; kernels must be loaded, which is not worth it for a few events, and cannot take some."""
        worth = engine is not Engine.AUTO or (count >= MANY and within_reach())
        return self.make(engine if worth else Engine.INTERPRETER)

    def _chunks(self) -> Iterator[AnyChunk]:
        """Yield the input, with what is of no template among what was set aside."""
        for chunk in self.source.chunks():
            if self.templates is None:
                yield chunk
            else:
                for rows in row_chunks(chunk):
                    yield of_templates(rows, self.templates, self.intake.heartbeat)

    def _takes_columns(self, engine: Engine) -> bool:
        """Say whether the query may run in kernels alone, to which columns are given; points of time come in steps."""
        possible = engine is not Engine.INTERPRETER and self.intake.heartbeat is None
        return possible and not has_points(self.plan) and all(tier.shape is not None for tier in tiers_of(self.plan))

    def _columns_in_order(self, chunks: Iterator[AnyChunk]) -> Iterator[EventColumns]:
        """Yield the events in order; what is known to be in order runs through."""
        noted = map(self._noted, chunks)
        if self.outlook is None:
            yield from self._through_a_buffer(noted)
        elif self.outlook.in_order:
            yield from (chunk.events for chunk in noted)
        elif self.outlook.parts:
            yield from self._part_by_part(noted, self.outlook.parts)
        else:
            yield from self._sorted(noted)

    def _noted(self, chunk: AnyChunk) -> ColumnChunk:
        self.intake.note(chunk)
        return in_columns(chunk, self.fields)

    def _through_a_buffer(self, chunks: Iterator[ColumnChunk]) -> Iterator[EventColumns]:
        buffer = ColumnBuffer(self.sort_buffer)
        try:
            for chunk in chunks:
                yield from buffer.add(chunk, self.source.form)
        except CepheidError:  # what came before it is told first
            yield from buffer.let_go()
            raise
        yield from buffer.finish()

    def _part_by_part(self, chunks: Iterator[ColumnChunk], parts: Sequence[int]) -> Iterator[EventColumns]:
        buffer = PartBuffer(parts, self.source.name)
        for chunk in chunks:
            yield from buffer.add(chunk.events)
        yield from buffer.finish()

    def _sorted(self, chunks: Iterator[ColumnChunk]) -> Iterator[EventColumns]:
        with SortedRuns() as runs:
            for chunk in chunks:
                runs.add(chunk.events)
            yield from runs.merged()

    def _are_within_reach(self, first: Sequence[EventColumns]) -> bool:
        if self.outlook is not None:
            return self.outlook.is_within(REACH)
        return all(events.is_within(REACH) for events in first)

    def _in_order(self, chunks: Iterator[Chunk]) -> Iterator[Sequence[Event]]:
        """Yield the events in order."""
        identified, form = self.source.identified, self.source
        buffer, known = SortBuffer(self.sort_buffer, not identified and not self.ordered), KnownIds(self.sort_buffer)
        for chunk in chunks:
            taken = without_duplicates(chunk, known, form.form) if identified else chunk
            self.intake.note(taken)
            yield buffer.add(taken, form.form)
        yield buffer.finish()

    def _that_matter(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events without those that no match of finite input can depend on."""
        if self.intake.heartbeat is not None:
            events = [event for event in events if event.type != self.intake.heartbeat]
        types = types_that_matter(self.plan)
        return events if types is None else [event for event in events if event.type in types]


def _up_to_columns(chunks: Iterator[AnyChunk]) -> tuple[list[AnyChunk], Iterator[AnyChunk]]:
    """Return the first chunks, up to one in columns or up to many events, and the rest."""
    first: list[AnyChunk] = []
    count = 0
    try:
        while count < MANY and (chunk := next(chunks, None)) is not None:
            first.append(chunk)
            if isinstance(chunk, ColumnChunk):
                break
            count += len(chunk.events)
    except CepheidError as error:  # what came before it is told first
        return first, map(_raised, (error,))
    return first, chunks


def _one_by_one(chunks: Iterator[AnyChunk]) -> Iterator[Chunk]:
    return (rows for chunk in chunks for rows in row_chunks(chunk))


def _raised(error: CepheidError) -> AnyChunk:
    raise error


def _first(portions: Iterator[T]) -> tuple[list[T], int]:
    """Return the first portions of events, as many as decide what runs the query, and how many events these are."""
    first: list[T] = []
    count = 0
    while count < MANY and (portion := next(portions, None)) is not None:
        first.append(portion)
        count += len(portion)
    return first, count
