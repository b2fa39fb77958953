"""What a chain means: greedy runs over the records, in the order of their positions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cepheid.algebra.choices import groups
from cepheid.algebra.evaluation import Scope, evaluate, holds, stands
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance, hull
from cepheid.algebra.never import is_never, leads_that_may_end
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.algebra.programs import Table
from cepheid.events import Event, Value, values


def is_of(atom: Atom, event: Event) -> bool:
    """Say whether the event has a type that the atom asks for."""
    return not atom.types or event.type in atom.types


@dataclass(slots=True)  # one is made for every record that is taken
class ChainRun:
    """A chain under way: the records taken so far, by whose leads, and the variables. Nobody changes it."""

    records: tuple[Instance, ...]
    leads: tuple[str, ...]
    variables: Mapping[str, Value]


def chained(chain: Chain, history: History) -> list[Instance]:
    """Return every instance of a chain."""
    records = list(history.records())
    complete = [
        complete_run(chain, run)
        for position in range(len(records))
        for run in _runs(chain, chain.first, begin(chain, history.tables), records, position, history, only=True)
        if fits(chain, run)
    ]
    return merged_runs(chain, complete)


def begin(chain: Chain, tables: Mapping[str, Table]) -> ChainRun:
    """Return the run that has taken nothing yet."""
    empty = Scope(tables=tables)
    return ChainRun((), (), {name: evaluate(value, empty) for name, value in chain.initially.items()})


def fits(chain: Chain, run: ChainRun) -> bool:
    """Say whether the first and the last record of a run stand in the window of the chain."""
    return stands(chain.window, Scope({"$first": run.records[0], "$last": run.records[-1]}))


def _runs(
    chain: Chain,
    name: str,
    run: ChainRun,
    records: list[Instance],
    position: int,
    history: History,
    only: bool = False,
    avoid: Atom | None = None,
) -> Iterator[ChainRun]:
    """Yield the complete runs whose step `name` takes the first record from `position` on that satisfies its lead.

    `only`: it must be the record at `position` itself. `avoid`: no record before the one taken may satisfy it.
    """
    step, ending = chain.steps[name], leads_that_may_end(chain)
    for here in range(position, position + 1 if only else len(records)):
        event, record = history.events[here], records[here]
        if satisfies(step.lead, event, record, run, history.tables):
            taken = take(step, run, record, history.tables)
            if not step.follow:
                yield taken
            for follow in step.follow:
                yield from _runs(chain, follow, taken, records, here + 1, history, avoid=step.avoid)
            if not step.every:
                return
        if name in ending and is_never(step.lead, record, run.variables, history.tables):
            return
        if avoid is not None and satisfies(avoid, event, record, run, history.tables):
            return


def satisfies(atom: Atom, event: Event, record: Instance, run: ChainRun, tables: Mapping[str, Table]) -> bool:
    """Say whether a record satisfies an atom under the variables of a run."""
    return is_of(atom, event) and holds(atom.where, Scope({atom.name: record}, run.variables, tables))


def take(step: Step, run: ChainRun, record: Instance, tables: Mapping[str, Table]) -> ChainRun:
    """Return a run with one more record, and the variables that its step binds, one after the other."""
    variables = dict(run.variables)
    for name, value in step.lets.items():
        variables[name] = evaluate(value, Scope({step.lead.name: record}, variables, tables))
    return ChainRun((*run.records, record), (*run.leads, step.lead.name), variables)


def complete_run(chain: Chain, run: ChainRun) -> Instance:
    """Return a complete run as an instance: each lead's name stands for the last record it took."""
    parts = dict(zip(run.leads, run.records, strict=True))
    numbers = {step.lead.name: number for number, step in enumerate(chain.steps.values())}
    taken = tuple(numbers[lead] for lead in run.leads)
    return hull(run.records, parts, run.variables, taken)


def merged_runs(chain: Chain, complete: list[Instance]) -> list[Instance]:
    """Merge what nobody can tell apart into the run that started last."""

    def seen(found: Instance) -> object:
        names = found.variables if chain.observed is None else chain.observed
        records = found.identity if chain.reads_support else found.high
        return (records, tuple((name, values.key_of(found.variables.get(name))) for name in sorted(names)))

    return [max(group, key=lambda found: (found.low, found.rank)) for group in groups(complete, seen)]
