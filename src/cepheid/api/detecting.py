"""Push events one by one; stop, and go on as if never stopped."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from threading import Condition, RLock
from typing import Any, Literal, overload

from cepheid.algebra.matches import Match
from cepheid.api.arguments import checks_arguments
from cepheid.api.at_a_glance import ShortWay
from cepheid.api.detector_states import form_called, opened, settings_told, waiting_events, written
from cepheid.api.engine_settings import EngineSettings, interpreted
from cepheid.api.limits import too_many
from cepheid.api.noticing import FirstLooks
from cepheid.api.pipe_values import check_pipe
from cepheid.api.portions import Telling, reports_of, table_of
from cepheid.api.progress import MOST, PartialMatch, check_rule, partial_matches
from cepheid.api.set_aside import SetAside
from cepheid.api.table_pushes import Arriving
from cepheid.connectors import (
    Batch,
    ColumnTrial,
    ObjectReader,
    Reading,
    Refused,
    Report,
    duplicate,
    far_ahead,
    late,
    lists_of_batch,
    moved_back,
    parts_of_table,
    reports,
    table_of_batch,
)
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.engine import (
    Detector,
    Found,
    HistoryUsage,
    TieredDetector,
    TooManyMatches,
    Usage,
    Wait,
    fed,
    histories,
)
from cepheid.events import Event, Jumps, Templates, Value


class QueryDetector:
    """A query at work: `push` returns the matches that are certain now.

    Times are in the form of the first event. An event that comes too late is rejected: it is in `late` and counted in
    `warnings`, or, if `strict`, an error; one that says nothing or is of no template is an error. One that is ahead of
    all before it by more than `max_jump` ticks waits for the next of its source, and goes to `far_ahead` unless that
    agrees. Without an id, an event is called by its number, from 1 on. Several threads may push, each for a source.
    """

    def __init__(
        self,
        settings: EngineSettings,
        reading: Reading,
        state: bytes | None = None,
        *,
        templates: Templates | None = None,
        strict: bool = False,
        max_jump: int | None = None,
    ) -> None:
        self._read_as = settings_told(reading, intervals=settings.intervals)
        head, inner = opened(state, self._read_as)
        self._reader = ObjectReader(reading, position=head.get("position", 0), form=form_called(head.get("form")))
        self._settings, self._reading, self._rounding = settings, reading, reading.rounding
        self._engine = settings.detector(inner, identified=reading.columns.id is not None)
        self._jumps: Jumps[None] = Jumps(max_jump, waiting_events(head.get("ahead")))
        self._templates, self._strict, self._aside = templates, strict, SetAside()
        self._first = FirstLooks(settings.plan.program)
        self._short = self._short_way()
        self._found: list[Report] = []  # by an event that waited for another, which was then not taken
        self._left: list[list[Report] | Found] = []  # by rows of a batch before one that was refused
        self._lock = RLock()
        self._acquire, self._release = self._lock.acquire, self._lock.release
        self._moved = Condition(self._lock)
        self._waiting = 0  # how many threads wait for others to move the other sources on

    def push(self, event: Event | Mapping[str, object], source: str = "", *, wait: bool = False) -> list[Report]:
        """Take in an event, and return the matches that are certain now.

        With `on_excess="wait"` an event that there is no capacity for is not taken, and `Wait` is raised: push it again
        later. With `wait` this call takes that long: until other threads have moved the other sources on.
        """
        self._acquire()  # with what is bound once: `with` takes half as long again
        try:
            if type(event) is dict and not source and self._short is not None:
                found = self._short.push(event)
                if found is not None:
                    return found
            return self._looked_at(event, source, wait=wait)
        finally:
            self._release()

    def _looked_at(self, event: Event | Mapping[str, object], source: str, *, wait: bool) -> list[Report]:
        while True:
            try:
                return self._pushed(event, source)
            except Wait as reason:
                if not wait or reason.diagnostics[0].code == "rate-exceeded":
                    raise
            self._waiting += 1
            try:
                self._moved.wait()
            finally:
                self._waiting -= 1

    @overload
    def push_batch(self, events: Batch, source: str = "", *, columns: Literal[False] = False) -> list[Report]: ...
    @overload
    def push_batch(self, events: Batch, source: str = "", *, columns: Literal[True]) -> Any: ...  # a pyarrow.Table

    @checks_arguments()
    def push_batch(self, events: Batch, source: str = "", *, columns: bool = False) -> Any:
        """Take in events of a table, a frame, a record batch or a list, and return the matches that are certain now.

        With `columns` these are a table of Arrow, as `run(...).to_arrow()` has it. A row that says no event is put
        into `rejected` and reported in `warnings`, or, if `strict`, an error; what was found before it is returned by
        the next call. No other thread pushes between two rows of a batch. A detector that is first pushed a table of
        many rows runs in kernels from then on, where these run all of the query.
        """
        with self._lock:
            found, self._left = self._left, []
            try:
                found.extend(self._of_batch(events, source))
            except CepheidError:
                self._left = found
                raise
            telling = Telling(self._engine.plan, self._reader.form, self._settings.evidence)
        if columns:
            return table_of(found, telling)
        return reports_of(found, telling)

    def _of_batch(self, events: Batch, source: str) -> Iterator[list[Report] | Found]:
        table = None if source else table_of_batch(events)
        if table is not None:
            self._engine = self._settings.for_table(table.num_rows, self._engine, self._reading)
        engine = self._engine
        if table is None or isinstance(engine, Detector):
            yield from self._of_rows(events if table is None else table, source)
            return
        self._short = None
        for part in parts_of_table(table):
            found = self._in_columns(part, engine)
            yield from [found] if found is not None else self._of_rows(part, "")

    def _of_rows(self, events: Batch, source: str) -> Iterator[list[Report]]:
        """Take in rows: as many at once as need no closer look, then one that does, and so on."""
        for rows in lists_of_batch(events):
            taken = 0
            while taken < len(rows):
                before = self._reader.position
                if self._short is not None and not source:
                    yield from self._short.push_all(rows, taken)
                    taken += self._reader.position - before
                if taken < len(rows):
                    yield self._one_of_many(rows[taken], source)
                    taken += 1

    def _in_columns(self, part: Batch, engine: TieredDetector) -> Found | None:
        """Take a part of a table in columns; None, and nothing is taken, where its rows have to be looked at."""
        if self._templates is not None or self._jumps.waiting or engine.closed:
            return None
        trial = self._reader.by_column(part)
        if trial is None or (self._strict and trial.rejects):
            return None
        arriving = Arriving(trial.events, engine.so_far()[1], engine.disorder)
        found = engine.take_columns(trial.events) if arriving.is_plain(self._jumps, strict=self._strict) else None
        if found is not None:
            self._note_taken(part, trial, arriving, engine)
        return found

    def _note_taken(self, part: Batch, trial: ColumnTrial, arriving: Arriving, engine: TieredDetector) -> None:
        """Count the rows of a part that was taken, and set aside those that were not."""
        self._aside.note_rows(part, trial.rejects, self._reader.position)
        self._first.take_columns(trial.events)
        for event, reached in [] if engine.accepted is None else arriving.late(engine.accepted):
            self._aside.note_late([event], late(event, reached, self._reader.form), "")
        self._reader.took(trial)
        if self._waiting:
            self._moved.notify_all()

    def _one_of_many(self, row: object, source: str) -> list[Report]:
        if type(row) is dict and not source and self._short is not None:
            found = self._short.push(row)
            if found is not None:
                return found
        before = self._reader.position
        try:
            return self._pushed(row, source)  # type: ignore[arg-type]  # what is no event says so
        except Wait:
            raise
        except CepheidError as error:
            if self._strict or self._engine.closed:
                raise
            self._aside.rejected.append(row)
            place = DataPlace(path=(before,))
            self._aside.note(Refused(replace(error.diagnostics[0], place=place)), source)
            return []

    def advance(self, time: object, source: str = "") -> list[Report]:
        """Promise that every event still to come ends at `time` or later; return what becomes certain by that.

        A promise that takes back what the source promised before, or what its events have shown, is an error.
        """
        with self._lock:
            bound, promised = self._reader.read_time(time), self._engine.clock(source)
            if bound < promised:
                raise moved_back(source, promised, bound, self._reader.form)
            agrees = source in self._jumps.waiting and self._jumps.is_far(bound, self._engine.latest(source))
            believed = self._believed([source]) if agrees else []
            return [*believed, *self._told(self._engine.advance, bound, source)]

    def end(self, source: str = "") -> list[Report]:
        """End one source: nothing comes from it any more. Return what becomes certain by that."""
        with self._lock:
            return [*self._believed([source]), *self._told(self._engine.end, source)]

    def feed(self, sources: Mapping[str, Iterable[Event | Mapping[str, object]]]) -> Iterator[Report]:
        """Read several sources to their ends, each only as fast as there is capacity, and yield the matches."""
        return fed(self, sources)

    def behind(self, sources: Iterable[str]) -> str:
        """Return that of some sources which has come the least far."""
        return self._engine.behind(sources)

    def close(self) -> list[Report]:
        """End the input, and return all matches that were still waiting."""
        with self._lock:
            return [*self._believed(list(self._jumps.waiting)), *self._told(self._engine.close)]

    def snapshot(self) -> bytes:
        """Return the whole state; a detector that is made with it goes on as if this one had never stopped."""
        with self._lock:
            form = self._reader.form
            ahead = {source: event for source, (event, _) in self._jumps.waiting.items()}
            return written(self._engine.snapshot(), self._reader.position, form, ahead, self._read_as)

    @property
    def position(self) -> int:
        """How many events were pushed so far; where a detector goes on from a snapshot, also before that."""
        with self._lock:
            return self._reader.position

    @property
    def positions(self) -> dict[str, int]:
        """How many events of each source were taken or came late, also before a snapshot: where to go on in each."""
        with self._lock:
            return {name: sum(arrivals.counts.values()) for name, arrivals in self._engine.arrivals.items()}

    @property
    def late(self) -> list[Event]:
        """The last events that came too late, so many that they do not fill the memory; `warnings` counts them all."""
        with self._lock:
            return list(self._aside.late)

    @property
    def rejected(self) -> list[object]:
        """The last rows of batches that said no event; `warnings` counts them all."""
        with self._lock:
            return list(self._aside.rejected)

    @property
    def far_ahead(self) -> list[Event]:
        """The events that were dated far after all before them, and that the next one did not agree with."""
        with self._lock:
            return list(self._aside.far_ahead)

    @property
    def warnings(self) -> list[Diagnostic]:
        """What was noticed: events that came late, twice, or faster than declared, and times that were rounded.

        Of the first thousand events of each type also attributes that none has, keys that are always null, comparisons
        that never hold, and times in another unit.
        """
        with self._lock:
            noticed = [*self._aside.warnings, *self._rounding.warnings, *self._first.warnings(self._reader.form)]
            return [*self._engine.premises.warnings.values(), *noticed]

    def usage(self) -> tuple[Usage, ...]:
        """Return how much state each operator holds, beside how much it was promised to hold at most."""
        with self._lock:
            return self._engine.usage()

    def progress(self, rule: str | None = None, most: int = MOST) -> list[PartialMatch]:
        """Return the matches that are not complete, of a rule or of all, those first that have come furthest.

        Of each rule there are at most so many.
        """
        check_rule(self._engine.plan.program, rule)
        with self._lock:
            return partial_matches(interpreted(self._engine, "progress"), rule, most, self._reader.form)

    def values(self, pipe: str) -> list[Value]:
        """Return what a pipe of the program has given since the last time somebody asked for it."""
        check_pipe(self._engine.plan.program, pipe)
        with self._lock:
            return interpreted(self._engine, "values").take(pipe)

    def histories(self) -> tuple[HistoryUsage, ...]:
        """Return how much of each input waits in joins, absences and collections, beside what was promised."""
        with self._lock:
            return histories(interpreted(self._engine, "histories"))

    def _short_way(self) -> ShortWay | None:
        """Return what takes in events that need no closer look; None where all need one."""
        if self._templates is not None or not isinstance(self._engine, Detector):
            return None
        return ShortWay(self._reader, self._engine, self._jumps, self._first, self._cannot_go_on)

    def _pushed(self, event: Event | Mapping[str, object], source: str) -> list[Report]:
        position, (clock, latest) = self._reader.position, self._engine.so_far(source)
        try:
            read = self._reader.read(event)
            if self._templates is not None and (problem := self._templates.problem(read)) is not None:
                raise CepheidError(problem)
            if not self._jumps.waiting and not self._jumps.is_far(read.end, latest):
                return self._taken(read, source)
            return self._judged(read, source, latest)
        except Wait:
            self._reader.position = position  # it was not taken, so it has no number yet
            if self._engine.clock(source) > clock and self._waiting:
                self._moved.notify_all()
            raise

    def _judged(self, event: Event, source: str, latest: int | None) -> list[Report]:
        """Take an event, unless it has to wait because it is far ahead, and those that waited for it."""
        if self._strict and self._jumps.is_far(event.end, latest):
            raise CepheidError(far_ahead(event, latest, self._reader.form).diagnostic)
        judged = self._jumps.see(event, None, source, latest)
        for far, _ in judged.refused:
            self._aside.far_ahead.append(far)
            self._aside.note(far_ahead(far, latest, self._reader.form), source)
        return self._all_taken([one for one, _ in judged.taken], event, source)

    def _all_taken(self, events: list[Event], pushed: Event, source: str) -> list[Report]:
        """Take the event that is pushed and one that waited for it; what cannot be taken yet waits on."""
        for one in events:
            try:
                self._found += self._taken(one, source)
            except CepheidError as error:
                waits = isinstance(error, Wait)
                if waits and one is not pushed:
                    self._jumps.waiting[source] = (one, None)
                if one is pushed or self._engine.closed or (waits and one is events[0]):
                    raise
                if not waits:
                    self._aside.note(Refused(error.diagnostics[0]), source)
        found, self._found = self._found, []
        return found

    def _taken(self, event: Event, source: str) -> list[Report]:
        by_number = isinstance(engine := self._engine, TieredDetector) and event.number is None
        found = self._told(engine.push_numbered if by_number else engine.push, event, source)  # type: ignore[union-attr]
        if event.type in self._first.left:
            self._first.take(event)
        if self._engine.late or self._engine.duplicates:
            self._set_aside(event, source)
        return found

    def _believed(self, sources: Iterable[str]) -> list[Report]:
        """Take what still waits for an event to agree, where none comes any more."""
        left = [(source, self._jumps.waiting.pop(source, None)) for source in sources]
        return [match for source, one in left if one is not None for match in self._taken(one[0], source)]

    def _set_aside(self, event: Event, source: str) -> None:
        """Note that an event was not taken, or complain."""
        events, form = list(self._engine.late), self._reader.form
        self._engine.late.clear()
        self._engine.duplicates.clear()
        reason = late(event, self._engine.latest(source), form) if events else duplicate(event, form)
        if self._strict:
            self._aside.late += events
            raise CepheidError(reason.diagnostic)
        self._aside.note_late(events, reason, source)

    def _told(self, find: Callable[..., list[Match]], *arguments: object) -> list[Report]:
        """Return what is found; where it is too much, part of it is lost, and the detector cannot go on."""
        try:
            matches = find(*arguments)
        except TooManyMatches as reason:
            raise self._cannot_go_on(reason) from None
        if self._waiting:
            self._moved.notify_all()
        return reports(matches, self._reader.form) if matches else []

    def _cannot_go_on(self, reason: TooManyMatches) -> CepheidError:
        interpreted(self._engine, "max_matches").closed = True
        return too_many(reason, self._reader.form)
