"""Which attributes the events of a run have, and of what kinds: looked at only as long as something is missing."""

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from cepheid.algebra.patterns import Atom
from cepheid.algebra.text.words import shown_name
from cepheid.api.noticing.wanted import Attribute, Comparison, Side, Wanted, kind_of
from cepheid.api.places import label_at
from cepheid.connectors import EventColumns
from cepheid.diagnostics import Diagnostic, Label, Severity, close_match
from cepheid.events import Event

_NAMES = 100  # so many events of each portion are asked for the names of their fields


@dataclass(slots=True)
class Attributes:
    """The kinds that wanted attributes were seen with, and the names of all fields that were seen."""

    wanted: Wanted
    kinds: dict[Attribute, set[str]] = field(init=False)
    names: dict[str, dict[str, None]] = field(default_factory=dict)
    _open: dict[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        self.kinds = {one: set() for one in self.wanted.attributes}
        self._open = {}
        self._look_again()

    def take_rows(self, events: Sequence[Event]) -> None:
        """Look at events."""
        if not self._open:
            return
        for event in events[:_NAMES]:
            self.names.setdefault(event.type, {}).update(dict.fromkeys(event.fields))
        still, kinds, before = self._open, self.kinds, self._seen
        for event in events:
            for name in still.get(event.type, ()):
                value = event.fields.get(name)
                if value is not None:
                    kinds[event.type, name].add(kind_of(value))
        self._look_again(before)

    def take_columns(self, events: EventColumns) -> None:
        """Look at columns of events."""
        if not self._open or not len(events):
            return
        types, before = events.types, self._seen
        if not pa.types.is_dictionary(types.type):
            types = types.dictionary_encode()
        codes, known = np.asarray(types.indices), types.dictionary.to_pylist()
        for code, type_ in enumerate(known):
            for name in self._open.get(type_, ()):
                column = events.fields.get(name)
                found = set() if column is None else _kinds(column, codes == code, self.kinds[type_, name])
                self.kinds[type_, name] |= found
        self._look_again(before)

    @property
    def is_looking(self) -> bool:
        return bool(self._open)

    @property
    def _seen(self) -> int:
        return sum(map(len, self.kinds.values()))

    def _look_again(self, before: int | None = None) -> None:
        """Find out what is still missing, if something was found."""
        if before is not None and before == self._seen:
            return
        doubtful = {one for each in self.wanted.comparisons if not self.may_hold(each) for one in _attributes(each)}
        self._open = {}
        for (type_, name), kinds in self.kinds.items():
            if not kinds or (type_, name) in doubtful:
                self._open.setdefault(type_, []).append(name)

    def may_hold(self, comparison: Comparison) -> bool:
        """Say whether values of one kind were seen on both sides."""
        return bool(self._kinds_of(comparison.left) & self._kinds_of(comparison.right))

    def _kinds_of(self, side: Side) -> set[str]:
        if side.constant is not None:
            return {side.constant}
        return {kind for one in side.attributes for kind in self.kinds.get(one, ())}

    def warnings(
        self, seen: dict[str, int], columns: Sequence[str], of_first: Set[str] = frozenset()
    ) -> Iterator[Diagnostic]:
        """Yield what looks like a mistake, where there were events of these types; `columns` are names of the input.

        Of the types `of_first`, more events may have come than those that were seen.
        """
        for (type_, name), kinds in self.kinds.items():
            if not kinds and seen.get(type_):
                yield self._lacking(type_, name, _which(seen[type_], only_first=type_ in of_first), columns)
        for comparison in dict.fromkeys(self.wanted.comparisons):
            left, right = self._kinds_of(comparison.left), self._kinds_of(comparison.right)
            if left and right and not left & right:
                yield _never(comparison, left, right)

    def _lacking(self, type_: str, name: str, events: str, columns: Sequence[str]) -> Diagnostic:
        reading = self.wanted.attributes[type_, name]
        atom, spans = reading.atom, (reading.atom.span, *reading.spans)
        labels = label_at(spans, f"{reading.part}.{name}", name, otherwise=atom.span)
        names = [*self.names.get(type_, ()), *columns]
        if name in names or ((type_, name) in self.wanted.keys and close_match(name, names) is None):
            code = "null-key" if (type_, name) in self.wanted.keys else "unknown-attribute"
            message = f"`{name}` is null in {events} of the type `{type_}`"
            never = (
                "a key that is null equals nothing"
                if code == "null-key"
                else "what is compared with null does not hold"
            )
            others = [one for one in names if one != name]
            return Diagnostic(code, message, labels, notes=(never,), hints=_there(others), severity=Severity.WARNING)
        closest = close_match(name, names)
        hints = (f"did you mean `{closest}`?",) if closest else (*_time_of(atom, name), *_there(names))
        none = f"none of {events}" if events.startswith("the first") else "no event"
        message = f"{none} of the type `{type_}` has `{name}`"
        return Diagnostic("unknown-attribute", message, labels, hints=hints, severity=Severity.WARNING)


def _which(count: int, *, only_first: bool) -> str:
    if only_first:
        return f"the first {count:,} events"
    return "the one event" if count == 1 else f"all {count} events"


def _time_of(atom: Atom, name: str) -> tuple[str, ...]:
    """Return how the time of an event is read, where somebody takes it for an attribute."""
    if name not in ("time", "timestamp", "start", "end"):
        return ()
    edge = "end" if name == "end" else "start"
    return (f"its time is `{edge}({shown_name(atom.name)})` in `cep`, and `{atom.name}.{edge}` in Python",)


def _there(names: Sequence[str]) -> tuple[str, ...]:
    shown = list(dict.fromkeys(names))
    listed = ", ".join(f"`{one}`" for one in shown[:8]) + (" and more" if len(shown) > 8 else "")
    return (f"there is {listed}",) if shown else ()


def _attributes(comparison: Comparison) -> Iterator[Attribute]:
    yield from comparison.left.attributes
    yield from comparison.right.attributes


def _kinds(column: Any, rows: Any, known: set[str]) -> set[str]:
    """Return the kind of a column, unless it is known already or no such row has a value."""
    if isinstance(column, np.ndarray):  # of Python's values
        return {kind_of(value) for value in column[rows] if value is not None}
    plain = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    kind = _kind_of_column(plain)
    if kind is None or kind in known:
        return set()
    there = rows if not column.null_count else rows & np.asarray(pc.is_valid(column))
    return {kind} if there.any() else set()


def _kind_of_column(kind: Any) -> str | None:  # pyarrow's DataType
    types = pa.types
    if types.is_boolean(kind):
        return "true or false"
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        return "a number"
    if types.is_string(kind) or types.is_large_string(kind):
        return "text"
    if types.is_null(kind):
        return None
    return "a record" if types.is_struct(kind) else "a list" if types.is_list(kind) else f"{kind}"


def _never(comparison: Comparison, left: set[str], right: set[str]) -> Diagnostic:
    """Return the warning that a comparison can never hold, with the function that makes one side like the other."""
    one, other = comparison.left, comparison.right
    message = f"`{one.text} {comparison.sign} {other.text}` never holds: {_said(one, left)}, and {_said(other, right)}"
    labels = () if comparison.place is None else (Label(comparison.place),)
    hints = _made_alike(comparison, left, right) if comparison.is_written else ()
    return Diagnostic("type-mismatch", message, labels, hints=hints, severity=Severity.WARNING)


def _said(side: Side, kinds: set[str]) -> str:
    return f"`{side.text}` is {' or '.join(sorted(kinds))}"


def _made_alike(comparison: Comparison, left: set[str], right: set[str]) -> tuple[str, ...]:
    if {*left, *right} != {"text", "a number"}:
        return ()
    sides = (comparison.left, comparison.right)
    shown = [
        f"float({side.text})" if kinds == {"text"} and side.name else side.text
        for side, kinds in zip(sides, (left, right), strict=True)
    ]
    if shown == [side.text for side in sides]:  # the text is a constant
        shown = [
            f"string({side.text})" if kinds == {"a number"} else side.text
            for side, kinds in zip(sides, (left, right), strict=True)
        ]
    return (f"write `{shown[0]} {comparison.sign} {shown[1]}`",)
