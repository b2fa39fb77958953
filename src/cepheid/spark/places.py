"""Detectors at one place of work: a part of a frame, or a bucket of a stream.

Rules that have a kernel take columns as they come; for all others, rows become events first.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from cepheid.algebra.matches import Match
from cepheid.analysis.keys.roles import AGAIN
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import (
    ArrowNames,
    Detector,
    Engine,
    Excess,
    FromBefore,
    HistoryUsage,
    MatchBatch,
    Record,
    ShippedKernels,
    TieredDetector,
    histories,
    push_in_step,
)
from cepheid.events import MAX_TIME, Duration, Event
from cepheid.spark.bucket_keys import told_keys
from cepheid.spark.event_columns import END, ID, SOURCE, START, TIE, TYPE
from cepheid.spark.event_tables import Sourced, Table, events_of, first_copies, of_types, with_plain_names
from cepheid.spark.handing import Heard
from cepheid.spark.lanes import Lane, Route
from cepheid.spark.partition_clocks import Held
from cepheid.spark.results import DUPLICATE, LATE, ResultForm, figures, set_aside
from cepheid.spark.state_settings import lane_name
from cepheid.spark.stream_rates import CountedEnds

Row = Mapping[str, object]
Told = Any  # pyarrow has no types: a row, or a record batch of rows
Found = Sequence[Match | MatchBatch]
_POINTS, _LASTING = ArrowNames(TYPE, END, ID), ArrowNames(TYPE, END, ID, START)
NOTHING = Heard({})


NO_KERNELS = ShippedKernels()


@dataclass(frozen=True, slots=True)
class Settings:
    """How detectors are set up: with evidence, with ids that tell duplicates, and what happens to too many events.

    `limits` are the most entries of some histories, by rule and variable. Where there are limits, histories are looked
    at after every event, and one that holds more ends the work. `kernels` are those that were compiled elsewhere.
    """

    evidence: bool = True
    identified: bool = False
    on_excess: Excess = Excess.WARN
    engine: Engine = Engine.AUTO
    limits: tuple[tuple[str, str, int], ...] = ()
    kernels: ShippedKernels = NO_KERNELS


class Place:
    """The detectors of one route at one place, in the states that were kept, if any were.

    A place that is `one_of` many sees a part of the events, so it counts them, and their keys, for those who know all
    parts; so far it `counted` what `counts` gave. What is ahead of a partition of its source is `held`.
    """

    def __init__(
        self,
        route: Route,
        form: ResultForm,
        settings: Settings,
        number: int = 0,
        states: Sequence[bytes | None] = (),
        *,
        one_of: int = 1,
        held: Held | None = None,
        counted: bytes = b"",
    ) -> None:
        self.route, self.form, self.number, self.held = route, form, number, held or Held()
        self.one_of = one_of
        self.keys: str | None = None
        settings.kernels.install()
        known = states or [None] * len(route.lanes)
        self.works = [LaneAtWork(lane, settings, state) for lane, state in zip(route.lanes, known, strict=True)]
        before = json.loads(counted) if counted else {}
        for work in self.works if one_of > 1 else ():
            work.ends = CountedEnds.from_json(before.get(lane_name(work.lane), {}))
            work.counts_copies = route.multiplies
            work.detector.premises.listener = None if route.multiplies else work.ends.take

    def push(
        self, table: Table | None, heard: Heard = NOTHING, clocks: Mapping[str, int] | None = None
    ) -> Iterator[Told]:
        """Take in rows in the order of time; yield rows of what is certain now, and of what was set aside.

        Events of stages before come in between, by their ends. When all is taken in, the clocks of the sources are
        known to be so far; where nobody says, they are as far as the rows.
        """
        if table is not None and self.one_of > 1:
            self.keys = told_keys(self.route, self.number, self.one_of, table)
        for work in self.works:
            own = table if table is None or len(self.works) == 1 else of_types(table, work.lane.types)
            if work.lane.takes:
                yield from self._told(work, work.push_in_step(own, heard.by(work.lane), clocks))
            elif own is not None and own.num_rows:
                yield from self._told(work, work.push(own))

    def settle(self, heard: Heard) -> Iterator[Told]:
        """Note how far stages before are, and yield the rows of what is certain by that."""
        for work in (one for one in self.works if one.lane.takes):
            yield from self._told(work, work.settle(heard.by(work.lane)))

    def handed(self) -> Iterator[tuple[Lane, list[Record], Mapping[str, int]]]:
        """Yield what each lane hands on since the last time, and how far it is."""
        for work in (one for one in self.works if one.lane.hands):
            detector = work.interpreter
            records, detector.handed = detector.handed, []
            yield work.lane, records, detector.handed_frontiers()

    def advance(self, clocks: Mapping[str, int]) -> Iterator[Told]:
        """Note how far the clocks of the sources are, and yield the rows of what is certain by that."""
        for work in self.works:
            yield from self._told(work, work.advance(clocks))

    def close(self) -> Iterator[Told]:
        """End the input, and yield the rows of all that waited for it."""
        for work in self.works:
            yield from self._told(work, work.detector.close())

    def states(self) -> list[bytes]:
        """Return the state of each lane."""
        return [work.detector.snapshot() for work in self.works]

    def counts(self) -> bytes:
        """Return what was counted that later events may still be too close to; nothing where nobody counts."""
        told = {lane_name(work.lane): work.ends.to_json() for work in self.works if work.ends.before}
        return json.dumps(told, separators=(",", ":")).encode() if told else b""

    def figures(self, *, promising: bool = True) -> Iterator[Row]:
        """Yield how much was taken in since the last time, how much is held, and where it is `promising`, may be.

        What is promised is promised for all places together, so one of them says it; the others say only what each of
        them may hold of events that are given to all.
        """
        for work in self.works:
            usage = work.detector.usage()
            promised = [one.promised for one in usage]
            known = [one for one in promised if one is not None]
            whole = sum(known) if promising else work.lane.entries_everywhere or None
            most = whole if len(known) == len(promised) else None
            used = sum(one.used for one in usage)
            told = figures(work.lane.query, self.number, work.taken, used, most, work.peak)
            # What rows of figures say in place of a match is the rules that they are about.
            said = {"reason": work.exceeded(), "record": work.counted(self.number), "file": self.keys}
            yield {**told, "match": work.lane.name, **said}
            work.taken, self.keys = 0, None

    def _told(self, work: "LaneAtWork", found: Found) -> Iterator[Told]:
        query = work.lane.query
        for one in found:
            yield self.form.match(query, one) if isinstance(one, Match) else self.form.matches(query, one)
        yield from work.set_aside()


class LaneAtWork:
    """The detector of one lane."""

    def __init__(self, lane: Lane, settings: Settings, state: bytes | None = None) -> None:
        self.lane, self.taken, self.peak = lane, 0, 0
        self.complained: set[str] = set()
        self.counts_copies = False
        self.ends = CountedEnds()
        self.limits = {(rule, part): most for rule, part, most in settings.limits}
        self.detector = TieredDetector(
            lane.working.plan,
            Engine.INTERPRETER if self.limits else settings.engine,
            state=state,
            evidence=settings.evidence,
            identified=settings.identified,
            disorder=lane.disorder,
            certificate=lane.certificate,
            on_excess=settings.on_excess,
            stage=lane.working.stage,
        )

    @property
    def interpreter(self) -> Detector:
        """The detector of a lane that is left to the interpreter, as every stage is."""
        assert self.detector.interpreted is not None
        return self.detector.interpreted

    def push(self, table: Table) -> Found:
        """Take in rows, and return what is certain now."""
        compiled, names = self.detector.compiled, table.schema.names
        whole = self.detector.interpreted is None and SOURCE not in names and not any(map(_is_tie, names))
        columns = _LASTING if START in names else _POINTS
        found = compiled.push_arrow(with_plain_names(table), columns) if compiled is not None and whole else None
        if found is None or compiled is None:
            return self.push_events(events_of(table))
        first = first_copies(table)
        self.taken += first.num_rows
        if compiled.run.accepted is not None:
            refused = table.filter(~compiled.run.accepted)
            for event, _ in events_of(refused):
                compiled.set_aside(event)
        for kind in self.detector.premises.declared if self.counts_copies else ():
            self.ends.take(kind, of_types(first, frozenset((kind,))).column(END).to_pylist())
        self.peak = max(self.peak, sum(one.used for one in compiled.usage()))
        return found

    def push_events(self, events: Iterable[Sourced]) -> list[Match]:
        """Take in events, and return what is certain now."""
        found = []
        for event, source in events:
            self._take(event)
            found += self.detector.push(event, source)
            if self.limits:
                self._watch()
        return found

    def push_in_step(self, table: Table | None, before: FromBefore, clocks: Mapping[str, int] | None) -> list[Match]:
        """Take in rows and events of stages before, and return what is certain now."""
        events = [] if table is None else events_of(table)
        for event, _ in events:
            self._take(event)
        bounds = dict.fromkeys(self.interpreter.arrivals, MAX_TIME) if clocks is None else dict(self._bounds(clocks))
        found = []
        for some in push_in_step(self.interpreter, events, before, bounds):
            found += some
            if self.limits:
                self._watch()
        return found

    def settle(self, before: FromBefore) -> list[Match]:
        """Note how far stages before are, and return what is certain by that."""
        self.interpreter.settle(before.frontiers)
        return self.interpreter.feed(())

    def _watch(self) -> None:
        for history in histories(self.interpreter):
            self.peak = max(self.peak, history.used)
            most = self.limits.get((history.rule, history.part))
            if most is not None and history.used > most:
                raise _full(history, most)

    def advance(self, clocks: Mapping[str, int]) -> list[Match]:
        """Note how far the clocks of the sources are, and return what is certain by that."""
        return [match for source, bound in self._bounds(clocks) for match in self.detector.advance(bound, source)]

    def _bounds(self, clocks: Mapping[str, int]) -> Iterator[tuple[str, int]]:
        """Yield how far each source has come by its clock: every event still to come from it ends there or later."""
        slow = self.detector.interpreted
        known = {""} if slow is None else set(slow.arrivals)
        return ((source, clock - self._allowed(slow, source)) for source, clock in clocks.items() if source in known)

    def exceeded(self) -> str | None:
        """Return what came faster than was declared, a line for each, unless it was told before; None for nothing."""
        new = {name: one for name, one in self.detector.premises.warnings.items() if name not in self.complained}
        self.complained |= new.keys()
        return "\n".join(one.message for one in new.values()) or None

    def _take(self, event: Event) -> None:
        """Count an event that is taken in, unless it is a copy of one that is counted elsewhere."""
        if self._speaks_for(event):
            self.taken += 1
            if self.counts_copies and event.type in self.detector.premises.declared:
                self.ends.take(event.type, [event.end])

    def _speaks_for(self, event: Event) -> bool:
        """Say whether it is for this lane to tell of an event, and for this copy of it."""
        return self.lane.speaks_for(event.type) and AGAIN not in event.fields

    def counted(self, bucket: int) -> str | None:
        """Return how many events of declared types came when since the last time, as a text; None for nothing."""
        lane = f"{self.lane.query} {self.lane.name}"
        return self.ends.told(bucket, lane, self.detector.premises.declared, self.detector.frontier)

    def set_aside(self) -> Iterator[Row]:
        """Yield rows of the events that were not taken, where it is for this lane to tell of them."""
        late, again = list(self.detector.late), list(self.detector.duplicates)
        self.detector.late.clear()
        self.detector.duplicates.clear()
        for one in (*late, *again) if self.counts_copies else ():
            if self._speaks_for(one):
                self.ends.take_back(one.type, one.end)
        query = self.lane.query
        yield from (set_aside(LATE, query, one, self._late()) for one in late if self._speaks_for(one))
        yield from (set_aside(DUPLICATE, query, one, _again(one)) for one in again if self._speaks_for(one))

    def _allowed(self, slow: Detector | None, source: str) -> int:
        if slow is not None:
            return slow.arrivals[source].allowed.ticks
        return max([self.lane.disorder, *(stream.disorder for stream in self.lane.plan.program.streams)])

    def _late(self) -> str:
        return f"it came more than {Duration(self.lane.disorder)} after a later one"


def _full(history: HistoryUsage, most: int) -> CepheidError:
    message = (
        f"the history of `{history.part}` in `{history.rule}` holds {history.used} entries, and {most} are allowed"
    )
    return CepheidError(
        Diagnostic("history-full", message, hints=(f"allow as many as its certificate says: {history.promised}",))
    )


def _is_tie(name: str) -> bool:
    return name.startswith(TIE)


def _again(event: Event) -> str:
    return f"an event with the id `{event.id}` came before"
