"""Events that share a time where a rule wants one of them after the other: then none follows, and nothing is found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from cepheid.algebra.expressions import Call, Field, conjuncts
from cepheid.algebra.patterns import Atom, Join, Repeat
from cepheid.algebra.programs import EVENT, Program, Rule, Ties
from cepheid.algebra.relations import Axis, Difference, Edge
from cepheid.algebra.traversal import walk
from cepheid.connectors import EventColumns, Form, show_time
from cepheid.diagnostics import Diagnostic, Severity
from cepheid.events import Event, Value, values

_MOST = 2000  # so many pairs of one portion are looked at


@dataclass(frozen=True, slots=True)
class Ordered:
    """Two sets of types, of which a rule wants the second after the first, with the fields that must be equal."""

    first: frozenset[str]
    then: frozenset[str]
    equal: tuple[tuple[str, str], ...]

    def fits(self, first: tuple[str, Mapping[str, Value]], then: tuple[str, Mapping[str, Value]]) -> bool:
        """Say whether two events of one time would be such a pair, if one came after the other."""
        if first[0] not in self.first or then[0] not in self.then:
            return False
        return all(values.equal(first[1].get(one), then[1].get(other)) is True for one, other in self.equal)


@dataclass(slots=True)
class SharedTimes:
    """Whether two events share a time that a rule wants one after the other; the first pair is enough."""

    orders: tuple[Ordered, ...]
    found: tuple[str, str, int] | None = None
    _before: list[Event] = field(default_factory=list)

    def take_rows(self, events: Sequence[Event]) -> None:
        """Look at events in the order in which they come."""
        if self.found is not None or not self.orders:
            return
        group = self._before
        for event in events:
            if group and group[-1].end != event.end:
                group = []
            for other in group[-8:]:
                self._compare((other.type, other.fields), (event.type, event.fields), event.end)
            group.append(event)
        self._before = group[-8:]

    def take_columns(self, events: EventColumns) -> None:
        """Look at neighbours of one time."""
        if self.found is not None or not self.orders or len(events) < 2:
            return
        rows = np.flatnonzero(events.ends[1:] == events.ends[:-1])
        if len(rows):
            self._compare_rows(events, rows)

    def _compare_rows(self, events: EventColumns, rows: Any) -> None:
        types = events.types if pa.types.is_dictionary(events.types.type) else events.types.dictionary_encode()
        codes, names = np.asarray(types.indices), types.dictionary.to_pylist()
        related = [order.first | order.then for order in self.orders]
        good = np.array([any(name in some for some in related) for name in names], np.bool_)
        for row in rows[good[codes[rows]] & good[codes[rows + 1]]][:_MOST].tolist():
            one, other = ((names[codes[at]], _Row(events, at)) for at in (row, row + 1))
            self._compare(one, other, int(events.ends[row]))
            if self.found is not None:
                return

    def _compare(self, one: tuple[str, Mapping[str, Value]], other: tuple[str, Mapping[str, Value]], time: int) -> None:
        for order in self.orders:
            if self.found is None and (order.fits(one, other) or order.fits(other, one)):
                self.found = (one[0], other[0], time)

    def warnings(self, form: Form) -> Iterator[Diagnostic]:
        """Yield the warning, if there is a pair."""
        if self.found is None:
            return
        one, other, time = self.found
        events = f"two events `{one}`" if one == other else f"`{one}` and `{other}`"
        message = f"{events} share the time {show_time(time, form)}, so that neither follows the other"
        note = "a rule wants one of them after the other, and other events may share a time as well"
        hint = 'let events of one time follow each other as they come: `--ties arrival`, or in Python `ties="arrival"`'
        yield Diagnostic("shared-times", message, notes=(note,), hints=(hint,), severity=Severity.WARNING)


class _Row(dict[str, Value]):
    """The fields of one row of columns, each read when it is asked for."""

    def __init__(self, events: EventColumns, row: int) -> None:
        super().__init__()
        self._events, self._row = events, row

    def get(self, key: str, default: Any = None) -> Any:
        column = self._events.fields.get(key)
        if column is None:
            return default
        value = column[self._row]
        return value.as_py() if hasattr(value, "as_py") else value


def orders_of(program: Program) -> tuple[Ordered, ...]:
    """Return what a program wants in order; nothing where events of one time follow each other anyway."""
    if program.ties is Ties.ARRIVAL:
        return ()
    return tuple(dict.fromkeys(one for rule in program.rules for one in _orders(rule)))


def _orders(rule: Rule) -> Iterator[Ordered]:
    keys = tuple((key.name, key.name) for key in rule.per if isinstance(key, Field) and key.part == EVENT)
    for node in walk(rule.pattern):
        if isinstance(node, Repeat) and isinstance(node.item, Atom) and any(map(_is_after, node.gap)):
            per = tuple((key.name, key.name) for key in node.per if isinstance(key, Field))
            yield Ordered(node.item.types, node.item.types, (*keys, *per))
        if isinstance(node, Join):
            yield from _of_join(node, keys)


def _of_join(join: Join, keys: tuple[tuple[str, str], ...]) -> Iterator[Ordered]:
    parts = {f"${number}": _atoms(part) for number, part in enumerate(join.parts)}
    for difference in filter(_is_after, join.relation):
        first, then = parts.get(difference.earlier.part, {}), parts.get(difference.later.part, {})
        if first and then:
            equal = tuple(_equal(join, first, then))
            yield Ordered(_types(first), _types(then), (*keys, *equal))


def _equal(join: Join, first: Mapping[str, Atom], then: Mapping[str, Atom]) -> Iterator[tuple[str, str]]:
    conditions = (*conjuncts(join.candidate), *conjuncts(join.where))
    same = [one.arguments for one in conditions if isinstance(one, Call) and one.function == "=="]
    for one, other in (*join.equal, *same):
        if isinstance(one, Field) and isinstance(other, Field):
            if one.part in first and other.part in then:
                yield one.name, other.name
            elif other.part in first and one.part in then:
                yield other.name, one.name


def _is_after(difference: Difference) -> bool:
    """Say whether something must start strictly after something else has ended, in time."""
    later, earlier = difference.later, difference.earlier
    is_order = later.edge is Edge.START and earlier.edge is Edge.END and later.axis is Axis.TIME
    return is_order and difference.low == 1


def _atoms(part: object) -> dict[str, Atom]:
    return {node.name: node for node in walk(part) if isinstance(node, Atom)}


def _types(atoms: Mapping[str, Atom]) -> frozenset[str]:
    return frozenset(type_ for atom in atoms.values() for type_ in atom.types)
