"""HBL's execution over the steps of any chain: a set of active partial matches, each stepped once for every record.

What `partial_matches` does for watchpoints of a small form of their own, this does for whatever a text is lowered to:
conditions and lettings are the algebra's, and how partial matches move, end and merge is the paper's.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.chain_semantics import ChainRun, complete_run
from cepheid.algebra.evaluation import Scope, evaluate, holds
from cepheid.algebra.instances import Instance, of_event, scope_of
from cepheid.algebra.patterns import Atom, Chain
from cepheid.algebra.programs import EVENT, Rule
from cepheid.algebra.relations import Axis
from cepheid.events import Event, Value, values

Told = tuple[object, ...]
Environment = tuple[tuple[str, Hashable], ...]


@dataclass(frozen=True, slots=True)
class Active:
    """A partial match: the step it waits for, the record that would end it, its variables, and what it has taken."""

    step: str
    avoid: Atom | None
    environment: Mapping[str, Value]
    taken: tuple[tuple[str, Instance], ...]

    def told_apart_by(self) -> tuple[object, ...]:
        return (self.step, self.avoid, _known(self.environment))


def alerts(rule: Rule, events: Sequence[Event]) -> Iterator[Told]:
    """Yield what a watchpoint reports of records in their order: values, of which records, and since when."""
    assert isinstance(rule.pattern, Chain)
    for own in _by_key(rule, events):
        yield from _told(rule, rule.pattern, [one for part in _completed(rule.pattern, own) for one in part])


def _by_key(rule: Rule, events: Sequence[Event]) -> list[list[Event]]:
    if not rule.per:
        return [list(events)]
    found: dict[Hashable, list[Event]] = {}
    for event in events:
        scope = Scope({EVENT: of_event(event, None)})
        key = tuple(values.key_of(evaluate(one, scope)) for one in rule.per)
        if None not in key:
            found.setdefault(key, []).append(event)
    return list(found.values())


def _completed(chain: Chain, events: Sequence[Event]) -> Iterator[list[Active]]:
    active: list[Active] = []
    initially = {name: evaluate(value, Scope()) for name, value in chain.initially.items()}
    for position, event in enumerate(events):
        record = of_event(event, position)
        following, complete = list[Active](), list[Active]()
        for one in [*active, Active(chain.first, None, initially, ())]:
            _step(chain, one, record, following, complete)
        active = following if chain.reads_support else _merged(following)
        yield complete


def _step(chain: Chain, one: Active, record: Instance, following: list[Active], complete: list[Active]) -> None:
    if one.taken and _has_passed(chain, one.taken[0][1], record):
        return
    step = chain.steps[one.step]
    if _satisfies(step.lead, record, one.environment):
        environment = dict(one.environment)
        for name, value in step.lets.items():
            environment[name] = evaluate(value, Scope({step.lead.name: record}, environment))
        taken = (*one.taken, (step.lead.name, record))
        following += [Active(name, step.avoid, environment, taken) for name in dict.fromkeys(step.follow)]
        if not step.follow:
            complete.append(replace(one, environment=environment, taken=taken))
    elif one.taken and not (one.avoid is not None and _satisfies(one.avoid, record, one.environment)):
        following.append(one)


def _satisfies(atom: Atom, record: Instance, environment: Mapping[str, Value]) -> bool:
    if atom.types and record.type not in atom.types:
        return False
    return holds(atom.where, Scope({atom.name: record}, environment))


def _has_passed(chain: Chain, first: Instance, record: Instance) -> bool:
    """Say whether a window, of time or of records, is over that began with a record."""
    assert first.low is not None
    assert record.low is not None
    far = {Axis.TIME: record.end - first.start, Axis.POSITION: record.low - first.low}
    return any(one.high is not None and far[one.later.axis] > one.high for one in chain.window)


def _merged(active: Sequence[Active]) -> list[Active]:
    latest: dict[tuple[object, ...], Active] = {}
    for one in active:
        key = one.told_apart_by()
        if key not in latest or _age(latest[key]) < _age(one):
            latest[key] = one
    return list(latest.values())


def _age(one: Active) -> tuple[int, ...]:
    return tuple(record.low for _, record in one.taken if record.low is not None)


def _known(environment: Mapping[str, Value]) -> Environment:
    return tuple(sorted((name, values.key_of(value)) for name, value in environment.items()))


def _told(rule: Rule, chain: Chain, complete: Sequence[Active]) -> Iterator[Told]:
    """Yield an alert for all that say the same of the same records, or without evidence of the same last one."""
    found: dict[tuple[object, ...], Active] = {}
    for one in complete:
        ids = tuple(record.identity for _, record in one.taken)
        names = sorted(one.environment if chain.observed is None else chain.observed)
        said = tuple((name, values.key_of(one.environment.get(name))) for name in names)
        shown = (said, ids if chain.reads_support else ids[-1:])
        if shown not in found or _age(found[shown]) < _age(one):
            found[shown] = one
    for (_, identities), one in found.items():
        yield (rule.name, _fields(rule, chain, one), identities, one.taken[0][1].start)


def _fields(rule: Rule, chain: Chain, one: Active) -> object:
    leads, records = tuple(name for name, _ in one.taken), tuple(record for _, record in one.taken)
    whole = complete_run(chain, ChainRun(records, leads, one.environment))
    scope = scope_of(whole, {}, pattern=whole)
    return values.key_of({name: evaluate(value, scope) for name, value in rule.fields.items()})
