"""Complete runs of a chain that is a whole rule, as matches."""

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
from cepheid.analysis.plans.plan import RulePlan
from cepheid.engine.direct.alike import Alike, Told
from cepheid.events import Event, EventId, Value, are_times, values

Ids = tuple[EventId, ...]
Bound = tuple[Sequence[Instance], Mapping[str, Value]]
"""The records of a run, and its variables."""


class Alerts:
    """What complete runs tell; it remembers what is alike at the instant of the last one."""

    def __init__(self, plan: RulePlan, chain: Chain, tables: Mapping[str, Table]) -> None:
        self.chain, self.tables = chain, tables
        self.name, self.version = plan.rule.name, plan.version
        self.start, self.end = closure(plan.rule.start), closure(plan.rule.end)
        self.fields = [(name, closure(value)) for name, value in plan.rule.fields.items()]
        names = _variables(plan.rule)
        self.is_plain, self.names = names is not None, names or ()
        """Whether alerts last from the first to the last record and say variables alone, and by which names."""
        self.observed = None if chain.observed is None else sorted(chain.observed)
        self.says_all = self.observed is not None and {own for _, own in self.names}.issuperset(self.observed)
        """Whether runs that can be told apart say different things."""
        self.at: int | None = None
        self.alike = Alike()

    def of(self, complete: Sequence[ChainRun], known: int) -> list[Match]:
        """Return what some runs tell that one record completes; those that nobody can tell apart tell one."""
        runs = complete if len(complete) == 1 else self._merged(complete)
        if self.is_plain:
            end = runs[0].records[-1].end
            return self._plain_matches([(run.records, run.variables) for run in runs], end, end, (), known)
        return [match for run in runs if (match := self._match(run, known)) is not None]

    def _merged(self, complete: Sequence[ChainRun]) -> list[ChainRun]:
        latest: dict[object, ChainRun] = {}
        for run in complete:
            key = self._seen(run.records, run.variables)
            other = latest.get(key)
            latest[key] = run if other is None else self._later(other, run)
        return list(latest.values())

    def are_apart(self, some: Sequence[Bound]) -> bool:
        """Say whether runs that one event completes can all be told apart."""
        return len({self._seen(records, variables) for records, variables in some}) == len(some)

    def _seen(self, records: Sequence[Instance], variables: Mapping[str, Value]) -> object:
        """Return what tells a run apart from others that the same record completes."""
        names = sorted(variables) if self.observed is None else self.observed
        told = tuple(map(values.key_of, map(variables.get, names)))
        if self.chain.reads_support:
            told = (*told, _ids(records))
        return told if self.observed is not None else (*told, tuple(names))

    def _later(self, run: ChainRun, other: ChainRun) -> ChainRun:
        """Return the run that started last; of two that started together, the one that stands last."""
        first, second = (complete_run(self.chain, one) for one in (run, other))
        return run if (first.low, first.rank) >= (second.low, second.rank) else other

    def completed_by(self, last: Event, some: Sequence[Bound], known: int) -> list[Match]:
        """Return what runs tell that an event completes of which nobody has made a record."""
        return self._plain_matches(some, last.start, last.end, (last.id,), known)

    def _plain_matches(self, some: Sequence[Bound], start: int, end: int, last: Ids, known: int) -> list[Match]:
        """Return what runs tell that begin with their first record, or at `start`, and say their variables alone."""
        found: list[Match] = []
        is_new = self.at != end
        if is_new:
            self.at, self.alike = end, Alike()
        for records, variables in some:
            first = records[0].start if records else start
            ids = _ids(records) + last
            fields: dict[str, Value] = {}
            for name, own in self.names:
                fields[name] = variables.get(own)
            ordinal = 0
            if is_new and self.says_all:  # and of these no two say the same
                self.alike.unseen.append((first, end, fields, ids))
            else:
                ordinal = self.alike.ordinal((first, end, fields, ids))
            made = Match.__new__(Match)  # without an id, which is worked out for who asks for it
            made.name, made.start, made.end = self.name, first, end
            made.values, made.evidence, made.known = fields, ids, known
            made.id_of = bound(match_id, self.version, first, end, fields, ids, ordinal)
            found.append(made)
        return found

    def _match(self, run: ChainRun, known: int) -> Match | None:
        scope = self._scope(run)
        span = self._span(scope)
        if span is None:
            return None
        fields, ids = {name: read(scope) for name, read in self.fields}, _ids(run.records)
        told = (*span, fields, ids)
        ordinal = self._ordinal(told, run.records[-1].end)
        return Match(self.name, *told, "", known, bound(match_id, self.version, *told, ordinal))

    def _span(self, scope: Scope) -> tuple[int, int] | None:
        first, last = self.start(scope), self.end(scope)
        if type(first) is not int or type(last) is not int or not are_times(first, last):
            return None
        return first, last

    def _scope(self, run: ChainRun) -> Scope:
        whole = complete_run(self.chain, run)
        return scope_of(whole, self.tables, pattern=whole)

    def _ordinal(self, told: Told, instant: int) -> int:
        """Return how many were told before at an instant that are alike."""
        if self.at != instant:
            self.at, self.alike = instant, Alike()
        return self.alike.ordinal(told)

    def state(self) -> list[tuple[int | None, list[tuple[object, int]]]]:
        """Return what is alike at the last instant, as the interpreter writes it."""
        counts = self.alike.counts()
        return [(self.at, counts)] if counts else []

    def restore(self, state: Sequence[tuple[int, Sequence[tuple[object, int]]]]) -> None:
        """Take up what the interpreter wrote."""
        for instant, counts in state[-1:]:
            self.at, self.alike = instant, Alike.counted(counts)


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
