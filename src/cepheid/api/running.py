"""Run a query over some input: read it, put it in order, set aside what is no event, and tell the matches."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from cepheid.algebra.matches import Match
from cepheid.analysis import Certificate, Plan
from cepheid.analysis.inputs import from_one_source, types_that_matter
from cepheid.api.declarations import unseen_types
from cepheid.api.limits import counted, too_many
from cepheid.api.progress import MOST, PartialMatch, check_rule, partial_matches
from cepheid.api.told import Told
from cepheid.connectors import (
    MOVED_BACK,
    Chunk,
    EventSource,
    Form,
    Input,
    KnownIds,
    Reading,
    Refused,
    Reject,
    Report,
    SortBuffer,
    duplicate,
    far_ahead,
    is_read_again,
    late,
    moved_back,
    of_templates,
    report,
    source_of,
    without_duplicates,
)
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import (
    WORTH,
    Detector,
    Engine,
    Excess,
    Given,
    OutOfReach,
    TieredDetector,
    TooManyMatches,
    WarmingDetector,
    detector_for,
    not_compiled,
    portions,
    steps,
    within_reach,
)
from cepheid.events import MIN_TIME, Event, Jumps, Templates

AnyDetector = Detector | TieredDetector | WarmingDetector
_PORTION = 4096
MOST_TOLD = 10_000
"""So many matches are told at a time."""
MANY = 20_000
"""From so many events on, finite input runs in kernels where there are some, and waits for them."""


@dataclass(slots=True)
class Summary:
    """What a run has met so far: the events it took, by type, the matches it told, the rows it set aside, by code."""

    types: Counter[str] = field(default_factory=Counter)
    matches: int = 0
    rejects: Counter[str] = field(default_factory=Counter)

    @property
    def events(self) -> int:
        return self.types.total()

    @property
    def rejected(self) -> int:
        return self.rejects.total()


@dataclass(frozen=True, slots=True)
class Runnable:
    """What a run needs of a query; with a `disorder`, in ticks, its input is a stream of events of `templates`."""

    plan: Plan
    certificate: Certificate
    disorder: int | None
    templates: Templates | None = None
    max_jump: int | None = None
    max_matches: int | None = None


class Run:
    """The matches of a query over some input, found while they are asked for.

    Input without disorder is finite and is put in order. A stream is taken as it comes, and what is too late is set
    aside. `summary` counts along; `warnings` are known at the end.
    """

    def __init__(
        self,
        query: Runnable,
        events: Input,
        reading: Reading,
        *,
        strict: bool,
        on_reject: Callable[[Reject], None] | None,
        evidence: bool,
        sort_buffer: int,
        on_excess: Excess,
        heartbeat: str | None = None,
        engine: Engine = Engine.AUTO,
    ) -> None:
        self.summary = Summary()
        self._max_matches = query.max_matches
        by_source = reading.columns.source is not None and query.disorder is not None
        self._plan, self._certificate = query.plan if by_source else from_one_source(query.plan), query.certificate
        self._by_source, self._heartbeat = by_source, heartbeat
        self._events, self._reading = events, reading
        self._disorder, self._strict = query.disorder, strict
        self._on_reject, self._evidence, self._sort_buffer = on_reject, evidence, sort_buffer
        self._on_excess, self._engine, self._templates = on_excess, engine, query.templates
        self._types = types_that_matter(query.plan)
        self._detector: AnyDetector | None = None
        self._chosen = Engine.INTERPRETER
        self._form: Form = reading.unit
        self._jumps: Jumps[tuple[Chunk, int]] = Jumps(query.max_jump)
        self._muted = 0  # so many rows were told to be set aside, and are now read again
        self._matches = (match for batch in self.batches() for match in batch)

    def __iter__(self) -> Iterator[Report]:
        return self._matches

    @property
    def warnings(self) -> list[Diagnostic]:
        """What looks like a mistake: types that the query reads and the input has not, broken rates, rounded times."""
        exceeded = [] if self._detector is None else list(self._detector.premises.warnings.values())
        unseen = unseen_types(self._plan.program, self.summary.types)
        return [*exceeded, *self._reading.rounding.warnings, *unseen, *self._not_compiled]

    @property
    def _not_compiled(self) -> Sequence[Diagnostic]:
        """What is said where kernels would run if there were a compiler; a stream asks for them after some events."""
        many = self._disorder is None or self.summary.events >= WORTH
        return not_compiled(self._plan) if many and self._chosen is Engine.AUTO else ()

    @property
    def usage(self) -> tuple[int, int | None]:
        """How many entries of state are held now, and how many may be held at most; None where nobody knows."""
        each = () if self._detector is None else self._detector.usage()
        promised = [one.promised for one in each]
        known = [number for number in promised if number is not None]
        return sum(one.used for one in each), sum(known) if len(known) == len(promised) else None

    @property
    def form(self) -> Form:
        """The form in which times are told: that of the input, once something was read."""
        return self._form

    def batches(self) -> Iterator[list[Report]]:
        """Yield the matches portion by portion of the input, also where there are none.

        Where kernels cannot go on, the interpreter does all of it once more, if the input can be read again.
        """
        told = Told(kept=self._engine is Engine.AUTO and is_read_again(self._events))
        try:
            for batch in self._all_batches(self._engine):
                yield told.noted(batch)
        except OutOfReach:
            if not told.kept:
                raise
            told.begin_again()
            self._muted, self.summary = self.summary.rejected, Summary()
            for batch in self._all_batches(Engine.INTERPRETER):
                yield told.noted(batch)

    def _all_batches(self, engine: Engine) -> Iterator[list[Report]]:
        yield from self._open_batches(engine)
        assert self._detector is not None
        with counted(self._form):
            found = self._detector.close()
        yield from self._told(found)

    def progress(self, rule: str | None = None, most: int = MOST) -> list[PartialMatch]:
        """Read all of the input and return the matches that are not complete then: nothing has been closed yet."""
        check_rule(self._plan.program, rule)
        for _ in self._open_batches(Engine.INTERPRETER):
            pass
        assert isinstance(self._detector, Detector)
        return partial_matches(self._detector, rule, most, self._form)

    def _open_batches(self, engine: Engine) -> Iterator[list[Report]]:
        source = source_of(self._events, self._reading, live=self._disorder is not None)
        found = self._finite(source, engine) if self._disorder is None else self._stream(source, engine)
        try:
            for matches in found:
                self._form = source.form
                yield from self._told(matches)
        except TooManyMatches as reason:
            raise too_many(reason, source.form) from None

    def _new_detector(self, source: EventSource, engine: Engine) -> AnyDetector:
        identified = source.identified and self._disorder is not None
        given = Given(
            self._evidence,
            identified,
            self._disorder or 0,
            self._certificate,
            self._on_excess,
            max_matches=self._max_matches,
        )
        self._chosen = engine
        self._detector = detector_for(self._plan, engine, given, meanwhile=self._disorder is not None)
        return self._detector

    def _finite(self, source: EventSource, engine: Engine) -> Iterator[list[Match]]:
        portions = self._portions(source)
        first: list[Event] = []
        while len(first) < MANY and (portion := next(portions, None)) is not None:
            first += portion
        # Kernels must be loaded, which is not worth it for a few events, and cannot take some.
        worth = engine is not Engine.AUTO or (len(first) >= MANY and within_reach(first))
        detector = self._new_detector(source, engine if worth else Engine.INTERPRETER)
        for portion in chain((first,), portions):
            yield from _pushed(portion, detector, self._plan)

    def _portions(self, source: EventSource) -> Iterator[Sequence[Event]]:
        """Yield the events of finite input in order."""
        numbered = not source.identified and not self._reading.columns.order_by
        buffer, known = SortBuffer(self._sort_buffer, numbered), KnownIds(self._sort_buffer)
        for chunk in self._chunks(source):
            taken = without_duplicates(chunk, known, source.form) if source.identified else chunk
            self._note(taken)
            yield self._that_matter(buffer.add(taken, source.form))
        yield self._that_matter(buffer.finish())

    def _chunks(self, source: EventSource) -> Iterator[Chunk]:
        """Yield the input, with what is of no template among what was set aside."""
        for chunk in source.chunks():
            yield chunk if self._templates is None else of_templates(chunk, self._templates, self._heartbeat)

    def _that_matter(self, events: Sequence[Event]) -> Sequence[Event]:
        """Return the events without those that no match of finite input can depend on."""
        if self._heartbeat is not None:
            events = [event for event in events if event.type != self._heartbeat]
        types = self._types
        return events if types is None else [event for event in events if event.type in types]

    def _stream(self, source: EventSource, engine: Engine) -> Iterator[list[Match]]:
        detector = self._new_detector(source, engine)
        for chunk in self._chunks(source):
            self._note(chunk)
            if not source.identified and self._come_in_order(chunk.events, detector):
                yield from _pushed(chunk.events, detector, self._plan)
                continue
            found: list[Match] = []
            for index, event in enumerate(chunk.events):
                for matches in self._judged(event, chunk, index, detector, source.form):
                    found += matches
                    if len(found) >= _PORTION:
                        yield found
                        found = []
            yield found
        for name, event in self._jumps.rest():
            for time in () if self._by_source else _on_the_way(event, detector, self._plan):
                yield detector.advance(time)
            yield detector.push(event, name) if event.type != self._heartbeat else detector.advance(event.end, name)

    def _judged(
        self, event: Event, chunk: Chunk, index: int, detector: AnyDetector, form: Form
    ) -> Iterator[list[Match]]:
        """Take an event of a stream, unless it has to wait because it is far ahead, and those that waited for it."""
        name = self._source_of(event)
        latest = self._latest(name, detector)
        if self._strict and self._jumps.is_far(event.end, latest):
            raise CepheidError(chunk.reject(index, far_ahead(event, latest, form)).diagnostic)
        judged = self._jumps.see(event, (chunk, index), name, latest)
        for far, (its_chunk, its_index) in judged.refused:
            self._uncount(far)
            self._reject(its_chunk.reject(its_index, far_ahead(far, latest, form)))
        for one, (its_chunk, its_index) in judged.taken:
            for time in () if self._by_source else _on_the_way(one, detector, self._plan):
                yield detector.advance(time)
            found: list[Match] = []
            try:
                found = self._taken(one, detector)
            except CepheidError as error:
                self._refuse(its_chunk, its_index, error)
            if detector.late or detector.duplicates:
                self._set_aside(its_chunk, its_index, detector, form)
            yield found

    def _latest(self, source: str, detector: AnyDetector) -> int | None:
        """Return how far a source has come; None where nothing has come from it, or nothing can."""
        try:
            return None if detector.clock(source) == MIN_TIME else detector.latest(source)
        except CepheidError:  # which is told when the event is pushed
            return None

    def _come_in_order(self, events: Sequence[Event], detector: AnyDetector) -> bool:
        """Say whether each event of a stream comes after the one before it, so that none is set aside."""
        if self._by_source or self._heartbeat is not None or self._jumps.waiting:
            return False
        ends = [event.end for event in events]
        if not ends or ends[0] < detector.latest() or ends != sorted(ends):
            return not ends
        before = [self._latest("", detector), *ends]
        return not any(map(self._jumps.is_far, ends, before))

    def _taken(self, event: Event, detector: AnyDetector) -> list[Match]:
        """Push an event of a stream, or move the clock of its source on where it is a heartbeat."""
        source = self._source_of(event)
        if event.type != self._heartbeat:
            return detector.push(event, source)
        if event.end < detector.clock(source):
            raise moved_back(source, detector.clock(source), event.end, self._form)
        return detector.advance(event.end, source)

    def _source_of(self, event: Event) -> str:
        column = self._reading.columns.source
        return str(event.fields[column]) if self._by_source and column is not None else ""

    def _refuse(self, chunk: Chunk, index: int, error: CepheidError) -> None:
        """Set aside an event from a source that it cannot come from, or a heartbeat that takes back an earlier one.

        Anything else is no matter of the event.
        """
        [reason] = error.diagnostics
        is_lowered = reason.code == MOVED_BACK
        if not is_lowered and (not self._by_source or reason.code != "unknown-source"):
            raise error
        self._uncount(chunk.events[index])
        self._reject(chunk.reject(index, Refused(reason if is_lowered else replace(reason, hints=()))))

    def _uncount(self, event: Event) -> None:
        if event.type != self._heartbeat:
            self.summary.types[event.type] -= 1

    def _note(self, chunk: Chunk) -> None:
        """Count the events of a chunk, and tell what was set aside."""
        self.summary.types.update(event.type for event in chunk.events if event.type != self._heartbeat)
        for reject in chunk.rejects:
            self._reject(reject)

    def _set_aside(self, chunk: Chunk, index: int, detector: AnyDetector, form: Form) -> None:
        """Tell that the detector did not take an event of a stream."""
        event = chunk.events[index]
        latest = detector.latest(self._source_of(event))
        reason = late(event, latest, form) if detector.late else duplicate(event, form)
        detector.late.clear()
        detector.duplicates.clear()
        self._uncount(event)
        self._reject(chunk.reject(index, reason))

    def _reject(self, reject: Reject) -> None:
        if self._strict:
            raise CepheidError(reject.diagnostic)
        self.summary.rejects[reject.code] += 1
        self._muted -= 1
        if self._on_reject is not None and self._muted < 0:
            self._on_reject(reject)

    def _told(self, matches: list[Match]) -> Iterator[list[Report]]:
        """Yield matches in portions, and let go of each before the next; one at least, so that others can look on."""
        matches.reverse()
        while True:
            some = [report(match, self._form) for match in reversed(matches[-MOST_TOLD:])]
            del matches[-MOST_TOLD:]
            self.summary.matches += len(some)
            yield some
            if not matches:
                return


def _pushed(events: Sequence[Event], detector: AnyDetector, plan: Plan) -> Iterator[list[Match]]:
    """Yield what becomes certain by some events that come in order, a portion of them, or of a gap, at a time."""
    for portion in portions(events, plan, _PORTION):
        for time in _on_the_way(portion[0], detector, plan):
            yield detector.advance(time)
        if isinstance(detector, Detector):
            yield from _pushed_one_by_one(portion, detector)
        else:
            yield detector.push_all(portion)


def _pushed_one_by_one(events: Sequence[Event], detector: Detector) -> Iterator[list[Match]]:
    """Yield what becomes certain by some events, in more portions where it is much."""
    found: list[Match] = []
    for event in events:
        found += detector.push(event)
        if len(found) >= MOST_TOLD:
            yield found
            found = []
    yield found


def _on_the_way(event: Event, detector: AnyDetector, plan: Plan) -> Iterator[int]:
    """Yield where the clock stops on the way to an event far ahead, lest all points of time between come at once."""
    clock = detector.clock()
    return steps(plan, clock, event.end - (detector.latest() - clock))
