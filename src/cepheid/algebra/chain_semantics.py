"""What a chain means: greedy runs over the records, in the order of their positions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from cepheid.algebra.choices import groups
from cepheid.algebra.evaluation import Scope, evaluate, holds, stands
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance, combined
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.events import Event, Value, values


def is_of(atom: Atom, event: Event) -> bool:
    """Say whether the event has a type that the atom asks for."""
    return not atom.types or event.type in atom.types


@dataclass(frozen=True, slots=True)
class _Run:
    """A chain under way: the records taken so far, by whose leads, and the variables."""

    records: tuple[Instance, ...]
    leads: tuple[str, ...]
    variables: Mapping[str, Value]


def chained(chain: Chain, history: History) -> list[Instance]:
    """Return every instance of a chain."""
    records = list(history.records())
    empty = Scope(tables=history.tables)
    begin = {name: evaluate(value, empty) for name, value in chain.initially.items()}
    complete = [
        _chained(run)
        for position in range(len(records))
        for run in _runs(chain, chain.first, _Run((), (), begin), records, position, history, only=True)
        if stands(chain.window, Scope({"$first": run.records[0], "$last": run.records[-1]}))
    ]
    return complete if chain.reads_support else _observed(chain, complete)


def _runs(
    chain: Chain,
    name: str,
    run: _Run,
    records: list[Instance],
    position: int,
    history: History,
    only: bool = False,
    avoid: Atom | None = None,
) -> Iterator[_Run]:
    """Yield the complete runs whose step `name` takes the first record from `position` on that satisfies its lead.

    `only`: it must be the record at `position` itself. `avoid`: no record before the one taken may satisfy it.
    """
    step = chain.steps[name]
    for here in range(position, position + 1 if only else len(records)):
        if _satisfies(step.lead, here, run, records, history):
            taken = _take(step, run, records[here], history)
            if not step.follow:
                yield taken
            for follow in step.follow:
                yield from _runs(chain, follow, taken, records, here + 1, history, avoid=step.avoid)
            return
        if avoid is not None and _satisfies(avoid, here, run, records, history):
            return


def _satisfies(atom: Atom, here: int, run: _Run, records: list[Instance], history: History) -> bool:
    scope = Scope({atom.name: records[here]}, run.variables, history.tables)
    return is_of(atom, history.events[here]) and holds(atom.where, scope)


def _take(step: Step, run: _Run, record: Instance, history: History) -> _Run:
    variables = dict(run.variables)
    for name, value in step.lets.items():
        variables[name] = evaluate(value, Scope({step.lead.name: record}, variables, history.tables))
    return _Run((*run.records, record), (*run.leads, step.lead.name), variables)


def _chained(run: _Run) -> Instance:
    parts = dict(zip(run.leads, run.records, strict=True))
    return replace(combined(run.records), parts=parts, variables=run.variables)


def _observed(chain: Chain, complete: list[Instance]) -> list[Instance]:
    """Merge what nobody can tell apart into the run that started last."""

    def seen(found: Instance) -> object:
        names = found.variables if chain.observed is None else chain.observed
        return (found.high, tuple((name, values.key_of(found.variables.get(name))) for name in sorted(names)))

    return [max(group, key=lambda found: (found.low, found.rank)) for group in groups(complete, seen)]
