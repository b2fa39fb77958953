"""The runs of a chain that wait for one step: found by what the record that they wait for must equal."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field

from cepheid.algebra.chain_semantics import ChainRun
from cepheid.algebra.closures import closure
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import TYPE, Call, Expr, Field, IsBound, Moment, Variable, conjuncts
from cepheid.algebra.instances import Instance, of_event
from cepheid.algebra.patterns import Atom
from cepheid.algebra.traversal import walk
from cepheid.engine.direct.record_reading import Tables, Test, reader, reads_fields, test_of
from cepheid.engine.state.deadlines import Deadline
from cepheid.events import Event, Value, values

Some = Mapping["Waiting", None]
Index = dict[Hashable, dict["Waiting", None]]
_NO_RUNS: Some = {}
NOBODY: tuple[Some, Test | None] = (_NO_RUNS, None)
_SHORT = 8


@dataclass(slots=True, eq=False)
class Lease:
    """Runs that end together; those that have ended before may still be among them.

    What lasts longer has `more` deadlines, and ends when all of them have passed.
    """

    runs: "list[Waiting]" = field(default_factory=list)
    more: tuple[Deadline, ...] = ()
    most: int = _SHORT

    def add(self, one: "Waiting") -> None:
        """Let a run end with the others."""
        self.runs.append(one)
        if len(self.runs) > self.most:
            self.runs = self.alive()
            self.most = 2 * len(self.runs) + _SHORT

    def alive(self) -> "list[Waiting]":
        """Return the runs that still wait."""
        return [one for one in self.runs if one.lease is not OVER]


OVER = Lease()
"""The lease of runs that wait no longer, so that none keeps the one that lists it, and both go without a collector."""


@dataclass(slots=True, eq=False)
class Waiting:
    """A run, whose it is, what it waits for and how long; under what it can be found, and what tells it apart."""

    owner: Hashable
    run: ChainRun
    place: "WaitingRuns"
    lease: Lease
    led: Hashable = None
    avoiding: Hashable = None
    seen: Hashable = None


class Ask:
    """What a record must be to satisfy an atom under the variables of a run."""

    def __init__(self, atom: Atom, tables: Tables) -> None:
        self.types = atom.types
        sides = [(one, _sides(one, atom.name)) for one in conjuncts(atom.where)]
        pairs = [pair for _, pair in sides if pair is not None]
        self.of_record = [reader(record, atom.name, tables) for record, _ in pairs]
        self.of_run = [_of_run(run, tables) for _, run in pairs]
        self.field = _field(pairs[0][0]) if len(pairs) == 1 else None
        """What a run must know of a record, where that is one field."""
        self.variable = pairs[0][1].name if len(pairs) == 1 and isinstance(pairs[0][1], Variable) else None
        """What of a run a record must equal, where that is one variable."""
        self.where: Test | None = test_of(conjuncts(atom.where), atom.name, tables)
        self.reads_fields = all(reads_fields(one, atom.name) for one, _ in sides)
        """Whether an event can be asked before anybody makes a record of it."""
        self.rest: Test | None = test_of([one for one, pair in sides if pair is None], atom.name, tables)

    def is_of(self, kind: str) -> bool:
        """Say whether a record of a type may satisfy it."""
        return not self.types or kind in self.types

    def found_by(self, owner: Hashable, event: Event, position: int, index: Index) -> tuple[Some, Test | None]:
        """Return the runs in an index that may wait for an event of such a type, and what it must satisfy besides."""
        if self.field is None:
            return self._found_with_care(owner, event, position, index)
        value = event.fields.get(self.field)
        kind = type(value)
        # Two numbers or two texts of one key are equal; what has parts may have a null among them.
        if kind is int or kind is str:
            return index.get((owner, value), _NO_RUNS), self.rest
        key = values.key_of(value)
        return (_NO_RUNS if key is None else index.get((owner, key), _NO_RUNS)), self.where

    def may_find(self, given: Mapping[str, Value], index: Index) -> bool:
        """Say whether an index of runs without an owner may have one for a record of such fields, and perhaps more."""
        if self.field is None:
            return True
        value = given.get(self.field)
        kind = type(value)
        return ((), value) in index if kind is int or kind is str else True

    def _found_with_care(self, owner: Hashable, event: Event, position: int, index: Index) -> tuple[Some, Test | None]:
        if not self.of_record:
            return index.get((owner,), _NO_RUNS), self.where
        record = of_event(event, position)
        key = (owner, *[values.key_of(read(record, {})) for read in self.of_record])
        return (_NO_RUNS if None in key else index.get(key, _NO_RUNS)), self.where

    def key_of_run(self, owner: Hashable, run: ChainRun) -> Hashable:
        """Return under what a run waits, None where no record satisfies it."""
        if self.variable is not None:
            value = run.variables.get(self.variable)
            kind = type(value)
            if kind is int or kind is str:
                return (owner, value)
        key: list[object] = [owner]
        for read in self.of_run:
            part = values.key_of(read(run.variables))
            if part is None:
                return None
            key.append(part)
        return tuple(key)


@dataclass(slots=True, eq=False)
class WaitingRuns:
    """The runs that wait for a step after another; `avoid` is what ends them.

    `ends`: nothing follows the step. `until`: the lead itself says how long they wait. `merged` has them by what tells
    them apart: by the variables of `names`, where these are always the same, and `only` one where there are no more.
    What takes a run on lets it wait `then` in other places. What no record can take on waits under no key.
    """

    step: str
    after: str
    lead: Ask
    avoid: Ask | None
    ends: bool
    until: bool
    names: tuple[str, ...] | None
    only: str | None
    then: "list[WaitingRuns]" = field(default_factory=list)
    is_told_by_lead: bool = False
    """Whether runs are told apart by what their records must equal, and by nothing more."""
    is_last: bool = False
    """Whether an event completes them of which nobody need make a record."""
    merged: dict[Hashable, Waiting] = field(default_factory=dict)
    led: Index = field(default_factory=dict)
    """All that wait here, by what the record must equal that takes them on."""
    _avoiding: Index = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.is_told_by_lead = self.only is not None and self.only == self.lead.variable
        self.is_last = self.ends and self.lead.reads_fields

    @property
    def runs(self) -> list[Waiting]:
        """All that wait here."""
        return [one for some in self.led.values() for one in some]

    def add(self, one: Waiting) -> None:
        """Let a run wait; it is known under which key."""
        _add(self.led, one.led, one)
        if self.avoid is not None:
            avoiding = one.avoiding = self.avoid.key_of_run(one.owner, one.run)
            if avoiding is not None:
                _add(self._avoiding, avoiding, one)

    def release(self, one: Waiting, *, merges: bool) -> None:
        """Let a run go that will wait in the one place that follows, or nowhere."""
        if merges:
            del self.merged[one.seen]
        found = self.led[one.led]
        if len(found) == 1:
            del self.led[one.led]
        else:
            del found[one]
        if one.avoiding is not None:
            _remove(self._avoiding, one.avoiding, one)
            one.avoiding = None

    def ended(self, owner: Hashable, event: Event, position: int) -> tuple[Some, Test | None]:
        """Return the runs that an event of such a type may end, unless it takes them on, and what it must satisfy."""
        if self.avoid is None or not self._avoiding:
            return NOBODY
        return self.avoid.found_by(owner, event, position, self._avoiding)

    def may_end(self, given: Mapping[str, Value]) -> bool:
        """Say whether a record of such fields may end runs that have no owner."""
        return self.avoid is not None and bool(self._avoiding) and self.avoid.may_find(given, self._avoiding)


def satisfied(some: Some, asked: Test | None, record: Instance) -> list[Waiting]:
    """Return those of some runs that a record satisfies."""
    return list(some) if asked is None else [one for one in some if asked(record, one.run.variables)]


def _add(index: Index, key: Hashable, one: Waiting) -> None:
    found = index.get(key)
    if found is None:
        index[key] = {one: None}
    else:
        found[one] = None


def _remove(index: Index, key: Hashable, one: Waiting) -> None:
    found = index[key]
    if len(found) == 1:
        del index[key]
    else:
        del found[one]


def _sides(condition: Expr, name: str) -> tuple[Expr, Expr] | None:
    """Return what a record and what a run must have in common, where a condition says that."""
    match condition:
        case Call("==", (left, right)):
            for one, other in ((left, right), (right, left)):
                if _reads_record(one, name) and _reads_run(other):
                    return one, other
    return None


def _reads_record(expression: Expr, name: str) -> bool:
    nodes = list(walk(expression))
    fields = [node for node in nodes if isinstance(node, Field)]
    return bool(fields) and all(node.part == name for node in fields) and not _any(nodes, (Variable, IsBound))


def _reads_run(expression: Expr) -> bool:
    return not _any(list(walk(expression)), (Field, Moment, IsBound))


def _any(nodes: Iterable[object], kinds: tuple[type, ...]) -> bool:
    return any(isinstance(node, kinds) for node in nodes)


def _field(expression: Expr) -> str | None:
    """Return the field that an expression reads, where it does no more."""
    return expression.name if isinstance(expression, Field) and expression.name != TYPE else None


def _of_run(expression: Expr, tables: Tables) -> Callable[[Mapping[str, Value]], Value]:
    if isinstance(expression, Variable):
        name = expression.name
        return lambda variables: variables.get(name)
    read = closure(expression)
    return lambda variables: read(Scope({}, variables, tables))
