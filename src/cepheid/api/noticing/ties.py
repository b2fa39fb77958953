"""Events that share a time where a rule wants one of them after the other: then none follows, and nothing is found."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.algebra.expressions import Call, Field, conjuncts
from cepheid.algebra.patterns import Atom, Join, Repeat
from cepheid.algebra.programs import EVENT, Program, Rule, Ties
from cepheid.algebra.relations import Axis, Difference, Edge
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import walk
from cepheid.connectors import EventColumns, Form, show_time
from cepheid.diagnostics import Diagnostic, Severity
from cepheid.events import Event, Value, values


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

    def take_columns(self, events: EventColumns, shared: Any = None) -> None:  # rows, as `shared` returns them
        """Look at neighbours of one time."""
        rows = self.shared(events) if shared is None else shared
        if self.found is None and len(rows):
            self._compare_rows(events, rows)

    def shared(self, events: EventColumns) -> Any:  # an array of NumPy
        """Return the rows whose time is that of the next, if somebody wants to know; any thread may ask."""
        if self.found is not None or not self.orders or len(events) < 2:
            return np.empty(0, np.int64)
        shared = events.ends[1:] == events.ends[:-1]
        if not isinstance(events.numbers, int):  # others stood between some of them, which may not be there
            shared &= np.diff(events.numbers) == 1
        return np.flatnonzero(shared) if shared.any() else np.empty(0, np.int64)

    def _compare_rows(self, events: EventColumns, rows: Any) -> None:
        types = events.types if pa.types.is_dictionary(events.types.type) else events.types.dictionary_encode()
        codes, names = np.asarray(types.indices), types.dictionary.to_pylist()
        for order in self.orders:
            first, then = (np.array([name in some for name in names]) for some in (order.first, order.then))
            for one, other in ((rows, rows + 1), (rows + 1, rows)):
                fits = first[codes[one]] & then[codes[other]]
                found = _agreeing(events, order.equal, one[fits], other[fits])
                if len(found) and self.found is None:
                    row = int(found[0])
                    near = row + 1 if row in rows else row - 1
                    self.found = (names[codes[row]], names[codes[near]], int(events.ends[row]))

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


def _agreeing(events: EventColumns, equal: Sequence[tuple[str, str]], one: Any, other: Any) -> Any:
    """Return those of the rows `one` whose fields equal those of the rows `other` beside them."""
    for left, right in equal:
        if not len(one):
            break
        same = _same(events.fields.get(left), one, events.fields.get(right), other)
        one, other = one[same], other[same]
    return one


def _same(left: Any, one: Any, right: Any, other: Any) -> Any:
    """Return where two columns are equal, row by row; null equals nothing, and what cannot be compared is not equal."""
    none = np.zeros(len(one), np.bool_)
    if left is None or right is None or isinstance(left, np.ndarray) or isinstance(right, np.ndarray):
        return none
    columns = [column.take(pa.array(rows)) for column, rows in ((left, one), (right, other))]
    plain = [column.dictionary_decode() if pa.types.is_dictionary(column.type) else column for column in columns]
    try:
        return np.asarray(pc.equal(*plain).fill_null(False))
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowTypeError):
        return none


@ByIdentity
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
