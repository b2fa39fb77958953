"""One event at a time, without columns: a row is written into the log, and the kernel looks at it when it must.

It is the same log and the same state as for batches, so that both can be mixed. A kernel is called when an event that
can complete a match is certain to be the next; until then rows wait in the log.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from cepheid.algebra.expressions import Expr
from cepheid.algebra.programs import HULL
from cepheid.algebra.relations import Edge, Endpoint
from cepheid.engine.kernels.columns.column_evaluation import Frame
from cepheid.engine.kernels.columns.columns import Column, Kind, column_of
from cepheid.engine.kernels.columns.exact_numbers import number_of
from cepheid.engine.kernels.columns.single_values import Single, single
from cepheid.engine.kernels.compiling.typed_arrays import Rows
from cepheid.engine.kernels.facts.shapes import Part
from cepheid.engine.kernels.sequences.rule_kernel import RuleKernel
from cepheid.events import EventId, Value, are_times

_MOST_KEYS = 100_000
Fields = Mapping[str, Value]


class SingleMatch(NamedTuple):
    """A match as one push tells it: without an id, which takes longer to make than the match to find."""

    rule: str
    start: int
    end: int
    values: Mapping[str, Value]
    evidence: tuple[EventId, ...]


class SingleKernel:
    """A rule whose log is written row by row; events come in the order of time."""

    def __init__(self, kernel: RuleKernel) -> None:
        self.kernel, self.shape = kernel, kernel.shape
        self.last = 1 << (len(self.shape.parts) - 1)
        log = kernel.log
        self.due: int | None = int(log.time[log.done]) if log.done < log.top else None
        self._members: dict[str, int] = {}
        self._numbers: dict[object, int] = {}
        self._conditions = [
            (~(1 << place), self._of_event(part.where, part))
            for place, part in enumerate(self.shape.scanned)
            if part.where is not None
        ]
        self._keys = [[self._of_event(key, part) for key in part.keys] for part in self.shape.scanned]
        rule = self.shape.plan.rule
        self._start, self._end = self._told(rule.start), self._told(rule.end)
        self._values = {name: self._told(value) for name, value in rule.fields.items()}
        self._filters = [self._told(condition) for condition in self.shape.filters]

    def push(self, name: str, time: int, event_id: int, fields: Fields) -> list[SingleMatch]:
        """Take in an event, and return the matches that are certain now."""
        log, due = self.kernel.log, self.due
        # Rows of earlier instants are complete; those of this one only where nothing else of it matters.
        found = self.complete(log.top) if due is not None and due < time else []
        member = self._members.get(name)
        if member is None:
            member = self._members[name] = self.kernel.membership(name)
        for rest, condition in self._conditions:
            if member & ~rest and condition((fields, time)) is not True:
                member &= rest
        if member and self._write(member, time, event_id, fields, found) and member & self.last:
            self.due = time if self.due is None else self.due
            if self.shape.eager:
                found += self.complete(log.top)
        return found

    def complete(self, last: int) -> list[SingleMatch]:
        """Let the kernel see all rows before `last`, and return what it tells."""
        self.due = None
        return [match for rows in self.kernel.found(last) for match in self._matches(rows)]

    def _write(self, member: int, time: int, event_id: int, fields: Fields, found: list[SingleMatch]) -> bool:
        """Write a row, and say whether there is one: an event without a key is none."""
        kernel, log = self.kernel, self.kernel.log
        if log.top >= log.limit:
            ready = log.ready(time)
            found += self.complete(ready) if ready > log.done else []
            kernel.make_room(64, time)
            self._numbers.clear()
        row = log.top
        log.key[:, row] = 0
        for place, part in enumerate(self.shape.scanned):
            if member >> place & 1 and self._keys[place]:
                number = self._number(place, part, fields, time)
                member = member if number >= 0 else member & ~(1 << place)
                log.key[kernel.key_columns[place], row] = max(number, 0)
        if not member:
            return False
        log.time[row], log.member[row] = time, member
        log.ids.put_one(row, event_id, kernel.words)
        for name, column in log.fields.items():
            column.put_one(row, fields.get(name), kernel.words)
        for number, name in enumerate(log.compared):
            log.numbers[number, row] = number_of(fields.get(name))
        kernel.state.begin(row, row + 1)
        log.top = row + 1
        return True

    def _number(self, place: int, part: Part, fields: Fields, time: int) -> int:
        """Return the number of the key that an event has as a part, -1 if it has none."""
        values = [key((fields, time)) for key in self._keys[place]]
        told: tuple[object, ...] = tuple((type(value), value) for value in values)
        plain = all(type(value) in (int, str) for value in values)
        known = self._numbers.get(told) if plain else None
        return self._new_number(part, fields, time, told if plain else None) if known is None else known

    def _new_number(self, part: Part, fields: Fields, time: int, told: object) -> int:
        kernel = self.kernel
        frame = Frame(
            1,
            kernel.words,
            lambda _, name: column_of([fields.get(name)], kernel.words),
            lambda _: Column(Kind.INT, np.array([time], np.int64)),
        )
        numbers, present = kernel.keys.numbers(part, frame)
        kernel.state.make_room_for_keys(len(kernel.keys))
        number = int(numbers[0]) if present is None or present[0] else -1
        if told is not None and len(self._numbers) < _MOST_KEYS:
            self._numbers[told] = number
        return number

    def _of_event(self, expression: Expr, part: Part) -> Single:
        """Return an expression over an event that comes as its fields and its time."""

        def read(name: str, attribute: str) -> Single:
            return (lambda event: event[0].get(attribute)) if name == part.name else _nothing

        def moment(endpoint: Endpoint) -> Single:
            return (lambda event: event[1]) if endpoint.part == part.name else _nothing

        return single(expression, read, moment, frozenset({part.name}), self.kernel.tables)

    def _told(self, expression: Expr) -> Single:
        names = frozenset(self.shape.names)
        return single(expression, self._of_rows, self._time_of_rows, names, self.kernel.tables)

    def _of_rows(self, part: str, name: str) -> Single:
        if part not in self.shape.names:
            return _nothing
        place, column, words = self.shape.names.index(part), self.kernel.log.fields[name], self.kernel.words
        return lambda rows: column.one(rows[place], words)

    def _time_of_rows(self, endpoint: Endpoint) -> Single:
        log = self.kernel.log
        if endpoint.part == HULL:
            place = 0 if endpoint.edge is Edge.START else -1
        elif endpoint.part in self.shape.names:
            place = self.shape.names.index(endpoint.part)
        else:
            return _nothing
        return lambda rows: int(log.time[rows[place]])

    def _matches(self, found: Rows) -> list[SingleMatch]:
        told, ids, words = [], self.kernel.log.ids, self.kernel.words
        for rows in zip(*found.tolist(), strict=True):
            if all(condition(rows) is True for condition in self._filters):
                start, end = self._start(rows), self._end(rows)
                if type(start) is int and type(end) is int and are_times(start, end):
                    values = {name: value(rows) for name, value in self._values.items()}
                    evidence = tuple(ids.one(row, words) for row in rows)
                    told.append(SingleMatch(self.shape.plan.rule.name, start, end, values, evidence))  # type: ignore[arg-type]  # ids
        return told


def _nothing(_: object) -> None:
    """Read what is not there."""


def can_push_singly(kernel: RuleKernel) -> bool:
    """Say whether a rule can be run row by row: one rule, of single events that need not be put in order."""
    plain = kernel.shape.collect is None and kernel.suppression is None
    return plain and kernel.lanes == 1 and not kernel.shape.limits
