"""Back-pressure: an event is taken when there is room for it, and for all that may still come before it.

While all sources are in step, the certificate proves that there is room. A source that runs ahead of another fills
histories that nothing empties yet. In a plain join it may do so as long as the places suffice that are left: what waits
already, and all that the declared arrivals allow up to the new event, must fit. Anywhere else it has to wait until the
others have come as far. The source that is behind never has to wait, so somebody can always go on.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from cepheid.algebra.evaluation import holds
from cepheid.algebra.instances import named, of_event, scope_of
from cepheid.algebra.patterns import Atom
from cepheid.analysis import Certificate, HistoryCertificate, Kind, Operator
from cepheid.diagnostics import Diagnostic
from cepheid.engine.clock.settled import Settled
from cepheid.engine.interpreter.rule_runner import RuleRunner
from cepheid.engine.limits.no_room import Lack, ahead, full, unknown_history
from cepheid.engine.operators.join import JoinAll
from cepheid.events import Event

Limits = Mapping[tuple[str, str], int]
"""The most entries of some histories, each called by its rule and its variable."""


@dataclass(frozen=True, slots=True)
class EventHistory:
    """Events that wait in a join for events of `others`; `capped` below what the certificate says would suffice."""

    runner: RuleRunner
    operator: int
    side: int
    atom: Atom
    others: frozenset[str]
    limit: int
    capped: bool

    def waiting(self, settled: Settled) -> list[int]:
        """Return the ends of the events that something still to come can join."""
        frontier = min(settled.frontier(name) for name in self.others)
        machines = self.runner.machines.values()
        return [end for one in machines for end in self._join(one.interpreters[self.operator], frontier)]

    def takes(self, event: Event) -> bool:
        instance = named(self.atom.name, of_event(event, None))
        return holds(self.atom.where, scope_of(instance, self.runner.tables))

    def lack(self, waiting: int, to_come: int) -> Lack:
        return Lack(self.runner.rule.name, self.atom.name, waiting, to_come, self.limit)

    def _join(self, interpreter: object, frontier: int) -> list[int]:
        assert isinstance(interpreter, JoinAll)
        return interpreter.waiting(self.side, frontier)


class Room:
    """The histories of events that have a limit: the certified one, or a lower one that the user sets.

    Of the types that are `piped`, an empty one for all, events wait in pipes as well: their sources stay in step.
    """

    def __init__(
        self,
        certificate: Certificate,
        runners: Sequence[RuleRunner],
        sources: frozenset[str],
        limits: Limits,
        piped: frozenset[str] = frozenset(),
    ) -> None:
        self.rates, self.disorder, self.sources = certificate.rates, certificate.disorder, sources
        self.histories: dict[str, list[EventHistory]] = {}
        every = [one for runner in runners for one in _histories(runner, certificate, limits)]
        for history in every:
            [name] = history.atom.types
            self.histories.setdefault(name, []).append(history)
        _check(limits, {(one.runner.rule.name, one.atom.name) for one in every})
        read = piped.union(*(runner.types for runner in runners))
        in_step = [one for one in runners if _holds_more(one, certificate) and not _is_plain(one, read)]
        self.every_type = "" in piped or any(runner.sees_all for runner in in_step)
        self.in_step = _with_origins(piped.union(*(runner.types for runner in in_step)), runners)

    def missing_for(self, event: Event, settled: Settled) -> Diagnostic | None:
        """Return why an event cannot be taken now, None if it can; its own source has come as far as it says."""
        behind = min(self.sources, key=lambda source: settled.sources[source])
        is_ahead = event.end - self.disorder > settled.sources[behind]
        if is_ahead and (self.every_type or event.type in self.in_step):
            return ahead(event, behind, settled.sources[behind])
        lacks = self._ahead(event, settled) if is_ahead else self._in_step(event, settled)
        lack = next(lacks, None)
        return None if lack is None else full(event, lack, behind)

    def _in_step(self, event: Event, settled: Settled) -> Iterator[Lack]:
        for history in self.histories.get(event.type, ()):
            if history.capped:
                waiting = len(history.waiting(settled))
                if waiting >= history.limit and history.takes(event):
                    yield history.lack(waiting, 0)

    def _ahead(self, event: Event, settled: Settled) -> Iterator[Lack]:
        complete = settled.frontier(event.type)
        to_come = self.rates.events((event.type,), event.end - complete)
        for history in self.histories.get(event.type, ()):
            # What ends later than that is among those that may still come.
            waiting = sum(end < complete for end in history.waiting(settled))
            if to_come is not None and waiting + to_come > history.limit and history.takes(event):
                yield history.lack(waiting, to_come)


def _with_origins(types: frozenset[str], runners: Sequence[RuleRunner]) -> frozenset[str]:
    """Return some types, and all that events of these types are made of."""
    more = types.union(*(runner.types for runner in runners if runner.rule.emits in types))
    return types if more == types else _with_origins(more, runners)


def _check(limits: Limits, known: Set[tuple[str, str]]) -> None:
    for rule, part in limits:
        if (rule, part) not in known:
            raise unknown_history(rule, part, [name for its, name in sorted(known) if its == rule])


def _histories(runner: RuleRunner, certificate: Certificate, limits: Limits) -> Iterator[EventHistory]:
    """Yield the histories of events that have a limit."""
    certified = certificate.rule(runner.rule.name)
    for operator in runner.plan.operators:
        if operator.kind is Kind.JOIN:
            promises = certified.operators[operator.number].histories
            yield from _of_join(runner, operator, promises, limits)


def _of_join(
    runner: RuleRunner, operator: Operator, promises: Sequence[HistoryCertificate], limits: Limits
) -> Iterator[EventHistory]:
    atoms = [atom for number in operator.inputs if (atom := _atom(runner, number)) is not None]
    if len(atoms) < len(operator.inputs):
        return
    for side, (atom, promise) in enumerate(zip(atoms, promises, strict=True)):
        promised = promise.entries.number
        limit = limits.get((runner.rule.name, promise.part), promised)
        if limit is not None:
            others = frozenset().union(*(other.types for other in atoms if other is not atom))
            capped = promised is None or limit < promised
            least = limit if promised is None else min(limit, promised)
            yield EventHistory(runner, operator.number, side, atom, others, least, capped)


def _atom(runner: RuleRunner, number: int) -> Atom | None:
    """Return the events that an input of a join is, None where it is something else."""
    pattern = runner.plan.operators[number].pattern
    return pattern if isinstance(pattern, Atom) and len(pattern.types) == 1 else None


def _holds_more(runner: RuleRunner, certificate: Certificate) -> bool:
    """Say whether a number is promised for anything that a rule holds."""
    certified = certificate.rule(runner.rule.name)
    numbers = [certified.buffer.number, *(operator.entries.number for operator in certified.operators)]
    return any(number for number in numbers)


def _is_plain(runner: RuleRunner, read: frozenset[str]) -> bool:
    """Say whether a rule holds only input events, in one join, and nothing waits for what it tells."""
    operators = runner.plan.operators
    joins = [operator for operator in operators if operator.kind is Kind.JOIN]
    kinds = {operator.kind for operator in operators}
    whole = runner.plan.counts_records or runner.rule.per or runner.derived or runner.rule.emits in read
    inputs = [number for join in joins for number in join.inputs]
    return not whole and kinds <= {Kind.SCAN, Kind.JOIN, Kind.FILTER} and all(_atom(runner, one) for one in inputs)
