"""Complete runs of a chain that is a whole rule, as matches."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import partial as bound

from cepheid.algebra.chain_semantics import ChainRun, complete_run
from cepheid.algebra.closures import closure
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import Moment, Variable
from cepheid.algebra.instances import Instance, scope_of
from cepheid.algebra.match_ids import event_ids, match_id
from cepheid.algebra.matches import Match
from cepheid.algebra.patterns import Chain
from cepheid.algebra.programs import HULL, Rule, Table
from cepheid.algebra.relations import end, start
from cepheid.analysis.plan import RulePlan
from cepheid.events import EventId, Value, are_times, values

Ids = tuple[EventId, ...]
Told = tuple[int, int, Mapping[str, Value], Ids]
NO_FIELDS = values.key_of({})


class Alerts:
    """What complete runs tell; it remembers what is alike at the instant of the last one."""

    def __init__(self, plan: RulePlan, chain: Chain, tables: Mapping[str, Table]) -> None:
        self.chain, self.tables = chain, tables
        self.name, self.version = plan.rule.name, plan.version
        self.start, self.end = closure(plan.rule.start), closure(plan.rule.end)
        self.fields = [(name, closure(value)) for name, value in plan.rule.fields.items()]
        self.variables = _variables(plan.rule)
        self.observed = None if chain.observed is None else sorted(chain.observed)
        self.at: int | None = None
        self.told: dict[Ids, Told] = {}
        self.again: list[Told] = []
        """What rests on the same events as another one before."""
        self.counted: Counter[object] | None = None
        """How often each of those was told that were told before a state was taken up."""

    def of(self, complete: Sequence[ChainRun], known: int) -> list[Match]:
        """Return what some runs tell that one record completes; those that nobody can tell apart tell one."""
        runs = complete if len(complete) == 1 else self._merged(complete)
        if self.variables is not None:
            return self._plain_matches(runs, self.variables, known)
        return [match for run in runs if (match := self._match(run, known)) is not None]

    def _merged(self, complete: Sequence[ChainRun]) -> list[ChainRun]:
        latest: dict[object, ChainRun] = {}
        for run in complete:
            key = self._seen(run)
            other = latest.get(key)
            latest[key] = run if other is None else self._later(other, run)
        return list(latest.values())

    def _seen(self, run: ChainRun) -> object:
        """Return what tells a run apart from others that the same record completes."""
        variables = run.variables
        names = sorted(variables) if self.observed is None else self.observed
        told = tuple(map(values.key_of, map(variables.get, names)))
        if self.chain.reads_support:
            told = (*told, _ids(run.records))
        return told if self.observed is not None else (*told, tuple(names))

    def _later(self, run: ChainRun, other: ChainRun) -> ChainRun:
        """Return the run that started last; of two that started together, the one that stands last."""
        first, second = (complete_run(self.chain, one) for one in (run, other))
        return run if (first.low, first.rank) >= (second.low, second.rank) else other

    def _plain_matches(self, runs: Sequence[ChainRun], names: Sequence[tuple[str, str]], known: int) -> list[Match]:
        """Return what runs tell that last from their first to their last record, and say their variables alone."""
        found: list[Match] = []
        instant = runs[0].records[-1].end
        self._come_to(instant)
        version, before, counted = self.version, self.told, self.counted
        for run in runs:
            records, variables = run.records, run.variables
            ids, start = _ids(records), records[0].start
            fields = {name: variables.get(own) for name, own in names}
            told = (start, instant, fields, ids)
            ordinal = 0 if before.setdefault(ids, told) is told and counted is None else self._alike(told)
            made = Match.__new__(Match)  # without an id, which is worked out for who asks for it
            made.name, made.start, made.end, made.values, made.evidence = self.name, start, instant, fields, ids
            made.known, made.id_of = known, bound(match_id, version, start, instant, fields, ids, ordinal)
            found.append(made)
        return found

    def _match(self, run: ChainRun, known: int) -> Match | None:
        scope = self._scope(run)
        span = self._span(scope)
        if span is None:
            return None
        fields, ids = {name: read(scope) for name, read in self.fields}, _ids(run.records)
        self._come_to(run.records[-1].end)
        told = (*span, fields, ids)
        first = self.told.setdefault(ids, told) is told and self.counted is None
        name = bound(match_id, self.version, *told, 0 if first else self._alike(told))
        return Match(self.name, *told, "", known, name)

    def _span(self, scope: Scope) -> tuple[int, int] | None:
        first, last = self.start(scope), self.end(scope)
        if type(first) is not int or type(last) is not int or not are_times(first, last):
            return None
        return first, last

    def _scope(self, run: ChainRun) -> Scope:
        whole = complete_run(self.chain, run)
        return scope_of(whole, self.tables, pattern=whole)

    def _come_to(self, instant: int) -> None:
        if self.at != instant:
            self.at, self.told, self.again, self.counted = instant, {}, [], None

    def _alike(self, told: Told) -> int:
        """Return how many were told before at this instant that are alike, where there may be some."""
        key = _key(told)
        alike = sum(_key(one) == key for one in self.again)
        if self.counted is not None:
            alike += self.counted[key]
        same = self.told[told[3]]
        if same is not told:
            alike += _key(same) == key
            self.again.append(told)
        return alike

    def state(self) -> list[tuple[int | None, list[tuple[object, int]]]]:
        """Return what is alike at the last instant, as the interpreter writes it."""
        counted = (self.counted or Counter()) + Counter(_key(one) for one in (*self.told.values(), *self.again))
        return [(self.at, list(counted.items()))] if counted else []

    def restore(self, state: Sequence[tuple[int, Sequence[tuple[object, int]]]]) -> None:
        """Take up what the interpreter wrote."""
        for instant, counts in state[-1:]:
            self.at, self.told, self.again, self.counted = instant, {}, [], Counter(dict(counts))


def _key(told: Told) -> object:
    start, end, fields, ids = told
    return (start, end, values.key_of(fields) if fields else NO_FIELDS, ids)


def _variables(rule: Rule) -> list[tuple[str, str]] | None:
    """Return the variables that a rule tells, each with its name there; None where it tells more than these."""
    if (rule.start, rule.end) != (Moment(start(HULL)), Moment(end(HULL))):
        return None
    told = [(name, value.name) for name, value in rule.fields.items() if isinstance(value, Variable)]
    return told if len(told) == len(rule.fields) else None


def _ids(records: Sequence[Instance]) -> Ids:
    """Return the ids of the events that records are the occurrences of; those that were written down say it at once."""
    try:
        return tuple([record.made_of[0].id for record in records])  # type: ignore[index]  # of an event and its lineage
    except TypeError:
        return event_ids(tuple([record.identity for record in records]))
