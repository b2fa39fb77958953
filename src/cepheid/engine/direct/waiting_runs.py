"""The runs of a chain that wait for one step: found by what the record that they wait for must equal."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass

from cepheid.algebra.chain_semantics import ChainRun
from cepheid.algebra.closures import closure
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.expressions import TYPE, Call, Expr, Field, IsBound, Moment, Variable, conjunction, conjuncts
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom
from cepheid.algebra.programs import Table
from cepheid.algebra.traversal import walk
from cepheid.events import Value, values

Tables = Mapping[str, Table]
Index = Mapping[Hashable, Mapping[int, "Waiting"]]


@dataclass(slots=True, eq=False)
class Waiting:
    """A run, whose it is, under what it can be found, and what tells it apart from others where these are merged."""

    owner: Hashable
    run: ChainRun
    keys: tuple[Hashable, Hashable] = ((), ())
    seen: Hashable = None


class Ask:
    """What a record must be to satisfy an atom under the variables of a run."""

    def __init__(self, atom: Atom, tables: Tables) -> None:
        self.name, self.types, self.tables = atom.name, atom.types, tables
        self.where = None if atom.where is None else closure(atom.where)
        sides = [(one, _sides(one, atom.name)) for one in conjuncts(atom.where)]
        pairs = [pair for _, pair in sides if pair is not None]
        self.of_record = [_of_record(record, atom.name, tables) for record, _ in pairs]
        self.of_run = [_of_run(run, tables) for _, run in pairs]
        rest = conjunction(tuple(one for one, pair in sides if pair is None))
        self.rest = None if rest is None else closure(rest)

    def is_of(self, kind: str) -> bool:
        """Say whether a record of a type may satisfy it."""
        return not self.types or kind in self.types

    def holds(self, record: Instance, run: ChainRun) -> bool:
        """Say whether a record of such a type does."""
        return self.where is None or self.where(Scope({self.name: record}, run.variables, self.tables)) is True

    def satisfied(self, owner: Hashable, record: Instance, index: "Index") -> list[Waiting]:
        """Return which of the runs in an index a record of such a type satisfies."""
        key_of, plain = values.key_of, True
        key: list[object] = [owner]
        for read in self.of_record:
            part = key_of(read(record))
            if part is None:
                return []
            kind = type(part)
            plain = plain and (kind is int or kind is str)
            key.append(part)
        waiting = index.get(tuple(key))
        if waiting is None:
            return []
        # Two numbers or two texts of one key are equal; what has parts may have a null among them.
        where = self.rest if plain else self.where
        if where is None:
            return list(waiting.values())
        parts = {self.name: record}
        return [one for one in waiting.values() if where(Scope(parts, one.run.variables, self.tables)) is True]

    def key_of_run(self, owner: Hashable, run: ChainRun) -> Hashable:
        """Return under what a run waits, None where no record satisfies it."""
        key: list[object] = [owner]
        for read in self.of_run:
            part = values.key_of(read(run.variables))
            if part is None:
                return None
            key.append(part)
        return tuple(key)


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
        return self.lead.satisfied(owner, record, self._led) if self._led and self.lead.is_of(kind) else []

    def ended(self, owner: Hashable, kind: str, record: Instance) -> list[Waiting]:
        """Return the runs that a record would end, if it does not take them on."""
        if self.avoid is None or not self._avoiding or not self.avoid.is_of(kind):
            return []
        return self.avoid.satisfied(owner, record, self._avoiding)


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


def _of_record(expression: Expr, name: str, tables: Tables) -> Callable[[Instance], Value]:
    if isinstance(expression, Field) and expression.name != TYPE:
        attribute = expression.name
        return lambda record: record.fields.get(attribute)
    read = closure(expression)
    return lambda record: read(Scope({name: record}, {}, tables))


def _of_run(expression: Expr, tables: Tables) -> Callable[[Mapping[str, Value]], Value]:
    if isinstance(expression, Variable):
        name = expression.name
        return lambda variables: variables.get(name)
    read = closure(expression)
    return lambda variables: read(Scope({}, variables, tables))
