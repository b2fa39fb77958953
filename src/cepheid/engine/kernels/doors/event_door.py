"""Kernels behind the same door as the interpreter: events in, matches out, one by one or many at once."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import pyarrow as pa

from cepheid.algebra.match_ids import match_id
from cepheid.algebra.matches import Match
from cepheid.analysis import Certificate, Plan
from cepheid.connectors import EventColumns
from cepheid.engine.clock.output_order import in_output_order, rule_numbers
from cepheid.engine.clock.settled import ANYWHERE
from cepheid.engine.kernels.columns.batches import ArrowNames, Batch, batch_of_arrow, batch_of_columns, batch_of_events
from cepheid.engine.kernels.columns.columns import values_of
from cepheid.engine.kernels.compiling.typed_arrays import Mask
from cepheid.engine.kernels.emitting.match_batches import Found, MatchBatch, in_order
from cepheid.engine.kernels.emitting.match_id_columns import FEW
from cepheid.engine.kernels.rules.kernel_run import KernelRun, Matches
from cepheid.engine.kernels.sequences.found_ids import grounds_of, ids_of, last_instant, may_be_alike
from cepheid.engine.kernels.sequences.matches_found import MatchColumns
from cepheid.engine.kernels.tables.chain_matches import ChainMatches
from cepheid.engine.limits.premises import Excess, Premises
from cepheid.engine.limits.refusals import closed_already, unexpected_interval, unknown_source
from cepheid.engine.watching.promises import Usage
from cepheid.events import Arrival, Event, EventId, values

Told = Match | MatchBatch


class CompiledDetector:
    """A plan at work in kernels; what it is told and what it tells is as `Detector` has it.

    `premised`: it watches whether events come as was declared. Without `ids` matches are called nothing.
    """

    def __init__(
        self,
        plan: Plan,
        *,
        state: bytes | None = None,
        evidence: bool = True,
        identified: bool = False,
        disorder: int = 0,
        certificate: Certificate | None = None,
        on_excess: Excess = Excess.WARN,
        premised: bool = True,
        ids: bool = True,
    ) -> None:
        self.plan, self.evidence, self.ids, self.disorder = plan, evidence, ids, disorder
        self.certificate = certificate
        self.run = KernelRun(plan, disorder=disorder, identified=identified, evidence=evidence or ids, state=state)
        self.premises = Premises(plan.program, on_excess, certificate, frozenset())
        self._premised = premised and bool(self.premises.declared or self.premises.keys.most)
        if self.run.beside is not None:
            self.premises.restore(self.run.beside)
        self.late: list[Event] = []
        self.duplicates: list[Event] = []
        self._by_position = True  # all events that came are called so, and none by the name of another
        self._alike: dict[tuple[object, ...], int] = {}
        self._end: int | None = None

    @property
    def frontier(self) -> int:
        """Every event still to come ends here or later."""
        return self.run.frontier

    @property
    def counts(self) -> Counter[Arrival]:
        """How many events were in time, late and duplicate."""
        return Counter(self.run.admission.arrivals.counts)

    def push(self, event: Event) -> list[Match]:
        """Take in an event and return the matches that are certain now."""
        return self.push_all((event,))

    def push_all(self, events: Sequence[Event]) -> list[Match]:
        """Take in events and return the matches that are certain now."""
        self._by_position = False
        return self._told(list(self._taken(events)))

    def push_events(self, events: Sequence[Event], *, by_position: bool) -> Found:
        """Take in events and return the matches that are certain now in columns.

        `by_position`: events are called by their positions, which order simultaneous ones too.
        """
        self._by_position = self._by_position and by_position
        if by_position:
            return self._found(self._taken(events, in_order=True))
        return in_order([self._batch(some) for some in self._taken(events)])

    def _taken(self, events: Sequence[Event], *, in_order: bool = False) -> Iterator[Matches]:
        """Take in events, and yield what is certain now; what was not taken is set aside."""
        for event in events:
            self._check(event)
        self.run = self.run.with_few_words()
        yield from self.run.push(batch_of_events(events, self.run.words), in_order=in_order)
        if self.run.accepted is not None:
            for event in (event for event, taken in zip(events, self.run.accepted, strict=True) if not taken):
                self.set_aside(event)

    def push_arrow(self, table: Any, names: ArrowNames) -> list[Told] | None:  # pyarrow has no types
        """Take in the rows of a table that say events; `run.accepted` says which of them were taken.

        Many matches are told in columns. Nothing is taken, and None returned, where events may break what was declared:
        they come one by one then.
        """
        self._by_position, self.run = False, self.run.with_few_words()
        batch = batch_of_arrow(table, names, self.run.words, 1)
        if self._premised and not self.premises.hold_for(self._ends(batch, None)):
            return None
        found = [one for some in list(self.run.push(batch)) for one in self._in_columns(some)]
        if self._premised:
            self.premises.note(self._ends(batch, self.run.accepted), self.frontier)
        return found

    def push_columns(self, events: EventColumns) -> Found | None:
        """Take in events that were read by column, and return the matches that are certain now in columns too.

        Nothing is taken, and None returned, where events may break what was declared: they come one by one then.
        """
        self.run = self.run.with_few_words()
        batch = batch_of_columns(events, self.run.words)
        if self._premised and not self.premises.hold_for(self._ends(batch, None)):
            return None
        found = self._found(self.run.push(batch, in_order=True))
        if self._premised:
            self.premises.note(self._ends(batch, self.run.accepted), self.frontier)
        return found

    def advance_columns(self, time: int) -> Found:
        """Promise that every event still to come ends at `time` or later; return what is certain by that in columns."""
        return self._found(self.run.advance(time, in_order=True))

    def close_columns(self) -> Found:
        """End the input, and return what was still waiting in columns."""
        return self._found(self.run.close(in_order=True))

    def _found(self, found: Iterable[Matches]) -> Found:
        batches = [self._batch(some) for some in found]
        return Found(batches) if self.run.is_one_kernel else in_order(batches)

    def _batch(self, found: Matches, ids: Any = None) -> MatchBatch:  # a pyarrow.Array
        """Return matches in columns, with all that was asked for; their ids may be known."""
        rules = tuple(found.rules)
        numbers = tuple(rule_numbers(self.plan)[name] for name in rules)
        evidence = None
        if self.evidence:
            evidence = found.evidence() if isinstance(found, ChainMatches) else grounds_of(found)
        return MatchBatch(
            rules,
            numbers,
            None if isinstance(found, ChainMatches) else found.which,
            found.start,
            found.end,
            found.known,
            found.values,
            self.run.words,
            evidence,
            self._ids(found) if self.ids and ids is None else ids,
        )

    def _ids(self, found: Matches) -> Any:  # a pyarrow.Array
        """Return the ids of matches; two of the same events are alike only where events share a name."""
        if isinstance(found, ChainMatches):
            return found.id_column()
        if not self._by_position:
            return pa.array([match.id for match in self._matches(found)], pa.string())
        return ids_of(found, self.run.words)

    def _ends(self, batch: Batch, taken: Mask | None) -> dict[str, list[int]]:
        """Return the ends of the events of a batch, or of those that were taken, by the types that were declared."""
        ends: dict[str, list[int]] = {}
        for code, name in enumerate(batch.types):  # where a name may stand twice
            if name is not None and name in self.premises.declared:
                these = batch.codes == code
                ends.setdefault(name, []).extend(batch.times[these if taken is None else these & taken].tolist())
        return ends

    def set_aside(self, event: Event) -> None:
        """Note an event that was not taken."""
        (self.late if event.end < self.frontier else self.duplicates).append(event)

    @property
    def closed(self) -> bool:
        """Whether the input has ended."""
        return self.run.closed

    def clock(self, source: str = ANYWHERE) -> int:
        """Return how far the input has come: every event still to come ends there or later."""
        self._check_source(source)
        return self.run.frontier

    def latest(self, source: str = ANYWHERE) -> int:
        """Return the greatest end that has come."""
        self._check_source(source)
        return self.run.frontier + self.run.admission.allowed

    def _check_source(self, source: str) -> None:
        if self.run.closed:
            raise closed_already()
        if source != ANYWHERE:
            raise unknown_source(source, [])

    def advance(self, time: int, source: str = ANYWHERE) -> list[Match]:
        """Promise that every event still to come ends at `time` or later; return what becomes certain by that."""
        self._check_source(source)
        return self._told(self.run.advance(time))

    def close(self) -> list[Match]:
        """End the input: nothing will come any more, so everything that waits is decided."""
        return self._told(self.run.close())

    def snapshot(self) -> bytes:
        """Return the whole state; a detector of the same program goes on from it as if it had never stopped."""
        return self.run.snapshot(self.premises.state())

    def usage(self) -> tuple[Usage, ...]:
        """Return how many events every rule holds, beside what its certificate promises for all its operators."""
        return tuple(self._usage())

    def _usage(self) -> Iterator[Usage]:
        for kernel in self.run.kernels:
            names = [member.plan.rule.name for member in kernel.family.members]
            yield self._used(names, kernel.live(self.frontier))
        for rule in self.run.staged:
            yield self._used([rule.shape.plan.rule.name], rule.live())

    def _used(self, rules: list[str], used: int) -> Usage:
        promised = [number for name in rules for number in self._promised(name)]
        known = [number for number in promised if number is not None]
        most = sum(known) if len(known) == len(promised) else None
        return Usage(" ".join(rules), "kernel", used, most)

    def _promised(self, rule: str) -> list[int | None]:
        certified = None if self.certificate is None else self.certificate.rule(rule)
        return [None] if certified is None else [one.entries.number for one in certified.operators]

    def _check(self, event: Event) -> None:
        if event.start != event.end and self.plan.lengths.default == 0:
            raise unexpected_interval(event)
        if self._premised and self.run.admission.arrivals.judge(event) is Arrival.IN_TIME:
            self.premises.admit(event, self.frontier)

    def _told(self, found: Iterable[Matches]) -> list[Match]:
        if not self.ids:
            return in_order([self._batch(some) for some in found]).matches()
        return in_output_order([match for some in found for match in self._listed(some)], self.plan)

    def _in_columns(self, found: Matches) -> Iterator[Told]:
        """Yield matches in columns, and one by one where they are few, or where some may be alike."""
        if isinstance(found, ChainMatches) or len(found) < FEW or found.end[0] == self._end or may_be_alike(found):
            yield from self._listed(found)
            return
        # Those of the last instant are remembered, because some that come may be alike to them.
        before, last = last_instant(found)
        lasting = pa.array([one.id for one in self._matches(found.take(last))], pa.string())
        ids = pa.concat_arrays([ids_of(found.take(before), self.run.words), lasting])
        yield self._batch(found, ids)

    def _listed(self, found: Matches) -> Iterator[Match]:
        return found.matches(evidence=self.evidence) if isinstance(found, ChainMatches) else self._matches(found)

    def _matches(self, found: MatchColumns) -> Iterator[Match]:
        which = found.which.tolist() if found.which is not None else [0] * len(found)
        names = list(found.values)
        columns = [values_of(column, self.run.words) for column in found.values.values()]
        fields = zip(*columns, strict=True) if columns else iter([()] * len(found))
        times = zip(found.start.tolist(), found.end.tolist(), found.known.tolist(), strict=True)
        assert found.ids is not None
        own_ids: list[tuple[EventId, ...]] = list(map(tuple, found.ids.tolist()))
        items = [()] * len(found) if found.items is None else found.items.items.tuples()
        grounds = own_ids if found.items is None else found.items.rests_on.tuples()
        firsts = ids_of(found, self.run.words).to_pylist() if len(found) >= FEW else [None] * len(found)
        rows = zip(which, times, fields, own_ids, items, grounds, firsts, strict=True)
        collect = found.family.shape.collect
        times_over = 1 if collect is None else len(collect.names)
        said_by = [(one.plan.rule.name, one.plan.version, one.identity) for one in found.family.members]
        for number, (start, end, known), told, own, listed, rests_on, first in rows:
            rule, version, places = said_by[number]
            said = dict(zip(names, told, strict=True))
            identity = tuple([own[place] for place in places]) + listed * times_over
            ordinal = self._ordinal((rule, start, values.key_of(said) if said else None, identity), end)
            name = first if first and not ordinal else match_id(version, start, end, said, identity, ordinal)
            yield Match(rule, start, end, said, rests_on if self.evidence else (), name, known)

    def _ordinal(self, content: tuple[object, ...], end: int) -> int:
        """Count matches that are alike in everything; those of other ends than the last are alike to none to come."""
        if end != self._end:
            self._alike, self._end = {}, end
        before = self._alike.get(content, 0)
        self._alike[content] = before + 1
        return before
