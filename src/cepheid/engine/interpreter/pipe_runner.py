"""One pipe at work: it gets its records and matches in order, each when nothing earlier can come."""

from collections.abc import Iterable, Mapping
from heapq import heappop, heappush

from cepheid.algebra.matches import Match, told_order
from cepheid.algebra.pipe_semantics import Timed
from cepheid.algebra.pipes import INPUT, Detect, Pipe, Source
from cepheid.algebra.programs import Table
from cepheid.algebra.traversal import walk
from cepheid.analysis.certificates.pipe_tree import kind_of, processors
from cepheid.engine.clock.settled import Settled
from cepheid.engine.pipes import Feed, processor_of
from cepheid.events import Event, OrderKey, Value, order_key


class PipeRunner:
    """A processor, and what waits in front of it until it is in order."""

    def __init__(self, pipe: Pipe, tables: Mapping[str, Table]) -> None:
        self.tables = tables
        self.processor = processor_of(pipe)
        self.kinds = [kind_of(one) for one in processors(pipe)]
        nodes = list(walk(pipe))
        self.streams = frozenset(node.stream for node in nodes if isinstance(node, Source)) - {INPUT}
        self.rules = frozenset(node.rule for node in nodes if isinstance(node, Detect))
        self.events: dict[str, list[tuple[tuple[object, ...], int, Event]]] = {stream: [] for stream in self.streams}
        self.arrived = 0
        self.matches: dict[str, list[tuple[OrderKey, Match]]] = {rule: [] for rule in self.rules}
        self.given: list[Value] = []

    def turn(
        self,
        events: Iterable[Event],
        matches: Iterable[Match],
        settled: Settled,
        rule_frontiers: Mapping[str, int],
    ) -> None:
        """Take in what is new; what comes out is added to `given`."""
        for event in events:
            for stream in self.streams:
                if event.type == stream or (not stream and not event.derived):
                    self._hold(stream, event)
        for match in matches:
            if match.name in self.rules:
                heappush(self.matches[match.name], (told_order(match), match))
        records = {stream: self._records(stream, settled) for stream in sorted(self.streams)}
        found = {rule: self._found(rule, rule_frontiers[rule]) for rule in sorted(self.rules)}
        self.given += [timed.value for timed in self.processor.turn(Feed(records, found, self.tables))]

    def entries(self) -> list[int]:
        """Return how much each processor keeps, in the order of their numbers."""
        return self.processor.sizes()

    def buffered(self) -> int:
        """Return how much only waits for its instant to be complete."""
        return sum(map(len, self.events.values())) + sum(map(len, self.matches.values()))

    def state(self) -> object:
        events = {
            stream: [event for *_, event in sorted(held, key=lambda one: one[:2])]
            for stream, held in self.events.items()
        }
        matches = {
            rule: [
                (one.name, one.start, one.end, dict(one.values), one.evidence, one.id, one.known)
                for _, one in sorted(held)
            ]
            for rule, held in self.matches.items()
        }
        return [events, matches, self.processor.state(), self.given]

    def restore(self, state: object) -> None:
        assert isinstance(state, list)
        events, matches, its, self.given = state
        for stream, some in events.items():
            for event in some:
                self._hold(stream, event)
        for rule, told in matches.items():
            some = [Match(*one) for one in told]
            self.matches[rule] = [(told_order(match), match) for match in some]
        self.processor.restore(its)

    def _hold(self, stream: str, event: Event) -> None:
        # Events of several sources may have the same id, so that nothing but their arrival tells them apart.
        self.arrived += 1
        heappush(self.events[stream], (order_key(event), self.arrived, event))

    def _records(self, stream: str, settled: Settled) -> list[Timed]:
        frontier = settled.frontier(stream) if stream else settled.least(None, frozenset())
        ready, held = [], self.events[stream]
        while held and held[0][-1].end < frontier:
            event = heappop(held)[-1]
            more: dict[str, Value] = {} if stream else {"type": event.type}
            ready.append(Timed(event.end, {**event.fields, **more}))
        return ready

    def _found(self, rule: str, frontier: int) -> list[Timed]:
        ready, held = [], self.matches[rule]
        while held and held[0][0][0] < frontier:
            match = heappop(held)[1]
            ready.append(Timed(match.end, {**match.values, "start": match.start, "end": match.end}))
        return ready
