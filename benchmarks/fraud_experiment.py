"""The experiment on diffusion: is every fraud found while no history holds more than it must?

Transfers come from two sources, each with a clock of its own. Every history of the rule has a limit, the smaller one of
the dissertation's minimum viable size and the certified one, and a source waits when there is no room. Beside it, what
becomes of the same traces where a full history drops its oldest entries instead.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import cepheid
from cepheid import CompiledQuery, QueryDetector, Report, Wait
from cepheid.engine import fed
from cepheid.events import Event
from cepheid.languages.parte import minimum_viable_sizes
from examples.fraud.generator import Setting, Trace, generated

RULE: Final = "FraudDiffusion"
RULES: Final = Path(__file__).parents[1] / "examples" / "fraud" / "experiment.parte"
SPACED: Final = {"MoneyTransferred": "every 100 us"}

Histories = Mapping[str, int]
"""A number of entries for each history, by the variable that it is of."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run found of what there was, how much its histories held at most, and how often a source waited."""

    frauds: int
    found: int
    others: int
    peaks: Histories
    waits: int


def query_for(trace: Trace, *, spaced: bool) -> CompiledQuery:
    """Return the rule of the experiment, which knows the routes of a trace."""
    tables = {"common_routes": trace.routes}
    text = RULES.read_text(encoding="utf-8")
    if spaced:
        return cepheid.compile(text, language="parte", tables=tables, rates=SPACED, tick="100 us")
    return cepheid.compile(text, language="parte", tables=tables)


def published_sizes(query: CompiledQuery) -> Histories:
    """Return the minimum viable sizes of the dissertation."""
    sizes = minimum_viable_sizes(query.program).event_histories
    return {part: size for (rule, part), size in sizes.items() if rule == RULE}


def certified_sizes(query: CompiledQuery) -> Histories:
    """Return how much the histories hold at most, as it was proved."""
    histories = [one for operator in query.certificate.rule(RULE).operators for one in operator.histories]
    return {one.part: one.entries.number for one in histories if one.entries.number is not None}


def limits_of(query: CompiledQuery) -> Histories:
    """Return the smaller one of both sizes for every history."""
    published, certified = published_sizes(query), certified_sizes(query)
    return {part: min(size, certified[part]) for part, size in published.items()}


def by_source(trace: Trace) -> dict[str, list[Event]]:
    """Return the events of each source, in the order in which it brings them."""
    found: dict[str, list[Event]] = {}
    for source, event in trace.arrivals:
        found.setdefault(source, []).append(event)
    return found


def cases(matches: Iterable[Report]) -> list[tuple[object, ...]]:
    """Return the transfers of each match: the incoming one, then the outgoing ones."""
    told = [match.values for match in matches if match.name == RULE]
    return [(*_entries(one["incoming_transactions"]), *_entries(one["outgoing_transactions"])) for one in told]


def _entries(value: object) -> tuple[object, ...]:
    assert isinstance(value, tuple)
    return value


@dataclass(slots=True)
class _Watched:
    """A detector whose histories are looked at after every event."""

    detector: QueryDetector
    peaks: dict[str, int] = field(default_factory=dict)
    waits: int = 0

    def push(self, event: Event, source: str = "") -> list[Report]:
        try:
            found = self.detector.push(event, source)
        except Wait:
            self.waits += 1
            raise
        for one in self.detector.histories():
            self.peaks[one.part] = max(self.peaks.get(one.part, 0), one.used)
        return found

    def end(self, source: str = "") -> list[Report]:
        return self.detector.end(source)

    def behind(self, sources: Iterable[str]) -> str:
        return self.detector.behind(sources)


def run_ahead(detector: _Watched, sources: Mapping[str, Sequence[Event]]) -> Iterator[Report]:
    """Yield what is found where every source goes on until it has to wait, and only then lets another one go on."""
    left = {name: deque(events) for name, events in sources.items()}
    while left:
        for source in list(left):
            while left[source] and (found := _tried(detector, left[source][0], source)) is not None:
                left[source].popleft()
                yield from found
            if not left[source]:
                del left[source]
                yield from detector.end(source)


def _tried(detector: _Watched, event: Event, source: str) -> list[Report] | None:
    try:
        return detector.push(event, source)
    except Wait:
        return None


def outcome(setting: Setting, *, ahead: bool = False) -> Outcome:
    """Run the experiment once, with sources that are read in turn or that run ahead of each other while they can.

    No history holds more than its limit, or this does not come to an end.
    """
    trace = generated(setting)
    query = query_for(trace, spaced=setting.spaced)
    limits = {(RULE, part): limit for part, limit in limits_of(query).items()}
    watched = _Watched(query.detector(on_excess="wait", limits=limits))
    read = run_ahead if ahead else fed
    found = cases([*read(watched, by_source(trace)), *watched.detector.close()])
    right = trace.frauds.intersection(found)
    return Outcome(len(trace.frauds), len(right), len(found) - len(right), watched.peaks, watched.waits)


def found_by_eviction(trace: Trace, size: int) -> int:
    """Return how many frauds are found where everything suspicious fills the histories, and only the last ones stay."""
    kept = {event.id for event in trace.suspicious[-size:]}
    return sum(kept.issuperset(fraud) for fraud in trace.frauds)
