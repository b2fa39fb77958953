"""The runs of a chain that wait for one step: found by what the record that they wait for must equal."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from cepheid.algebra.chain_semantics import ChainRun
from cepheid.algebra.closures import Closure, closure
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Moment, Variable, conjuncts
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom
from cepheid.algebra.programs import Table
from cepheid.algebra.traversal import walk
from cepheid.events import values

Tables = Mapping[str, Table]
Key = tuple[object, ...]


@dataclass(slots=True, eq=False)
class Waiting:
    """A run, whose it is, and until when a record can take it on: in time, and in records."""

    owner: Hashable
    run: ChainRun
    time: int
    place: int
    keys: tuple[Hashable, Hashable] = ((), ())


class Ask:
    """What a record must be to satisfy an atom under the variables of a run."""

    def __init__(self, atom: Atom, tables: Tables) -> None:
        self.name, self.types, self.tables = atom.name, atom.types, tables
        self.where = None if atom.where is None else closure(atom.where)
        pairs = [pair for one in conjuncts(atom.where) if (pair := _sides(one, atom.name)) is not None]
        self.of_record = _key([record for record, _ in pairs])
        self.of_run = _key([run for _, run in pairs])

    def is_of(self, kind: str) -> bool:
        """Say whether a record of a type may satisfy it."""
        return not self.types or kind in self.types

    def holds(self, record: Instance, run: ChainRun) -> bool:
        """Say whether a record of such a type does."""
        return self.where is None or self.where(Scope({self.name: record}, run.variables, self.tables)) is True

    def key_of_record(self, owner: Hashable, record: Instance) -> Hashable:
        """Return under what runs wait that a record may satisfy, None where it satisfies none."""
        key = self.of_record(Scope({self.name: record}, {}, self.tables))
        return None if key is None else (owner, key)

    def key_of_run(self, owner: Hashable, run: ChainRun) -> Hashable:
        """Return under what a run waits, None where no record satisfies it."""
        key = self.of_run(Scope({}, run.variables, self.tables))
        return None if key is None else (owner, key)


class WaitingRuns:
    """The runs that wait for a step after another; `avoid` is what ends them."""

    def __init__(self, step: str, after: str, lead: Ask, avoid: Ask | None) -> None:
        self.step, self.after, self.lead, self.avoid = step, after, lead, avoid
        self.runs: dict[int, Waiting] = {}
        self._led: dict[Hashable, dict[int, Waiting]] = {}
        self._avoiding: dict[Hashable, dict[int, Waiting]] = {}

    def add(self, one: Waiting) -> None:
        """Let a run wait."""
        led = self.lead.key_of_run(one.owner, one.run)
        avoiding = None if self.avoid is None else self.avoid.key_of_run(one.owner, one.run)
        one.keys = (led, avoiding)
        self.runs[id(one)] = one
        for index, key in ((self._led, led), (self._avoiding, avoiding)):
            if key is not None:
                index.setdefault(key, {})[id(one)] = one

    def remove(self, one: Waiting) -> None:
        """Let a run wait no longer."""
        if self.runs.pop(id(one), None) is None:
            return
        for index, key in zip((self._led, self._avoiding), one.keys, strict=True):
            if key is not None:
                found = index[key]
                del found[id(one)]
                if not found:
                    del index[key]

    def taken_on(self, owner: Hashable, kind: str, record: Instance) -> list[Waiting]:
        """Return the runs that a record takes on."""
        return _found(self._led, self.lead, owner, kind, record)

    def ended(self, owner: Hashable, kind: str, record: Instance) -> list[Waiting]:
        """Return the runs that a record would end, if it does not take them on."""
        return [] if self.avoid is None else _found(self._avoiding, self.avoid, owner, kind, record)


def _found(
    index: Mapping[Hashable, Mapping[int, Waiting]], ask: Ask, owner: Hashable, kind: str, record: Instance
) -> list[Waiting]:
    if not index or not ask.is_of(kind):
        return []
    waiting = index.get(ask.key_of_record(owner, record))
    if waiting is None:
        return []
    return [one for one in waiting.values() if ask.holds(record, one.run)]


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


def _key(expressions: Sequence[Expr]) -> Callable[[Scope], Key | None]:
    parts: list[Closure] = [closure(one) for one in expressions]
    if not parts:
        return lambda _: ()

    def key(scope: Scope) -> Key | None:
        found = tuple([values.key_of(part(scope)) for part in parts])
        return None if None in found else found

    return key
