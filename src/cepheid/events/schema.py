"""What the fields of events hold: a kind for each, checked event by event.

    expected `int`, got `str` at `$.amount` (trades.jsonl:7)

A schema speaks of the fields it names; others may come along unchecked. A missing field is null.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import reduce

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events.event import Event
from cepheid.events.values import Value


class Kind(Enum):
    """What a field can hold. A `time` is in ticks; `any` is for several kinds, tuples and records."""

    BOOL = "bool"
    INT = "int"
    FLOAT = "float"
    STRING = "string"
    TIME = "time"
    ANY = "any"

    def holds(self, value: Value) -> bool:
        """Say whether `value`, which is not null, is of this kind; an integer is a float too."""
        if self is Kind.ANY:
            return True
        if isinstance(value, bool):
            return self is Kind.BOOL
        if isinstance(value, int):
            return self in (Kind.INT, Kind.FLOAT, Kind.TIME)
        return self is _SCALAR_KINDS.get(type(value))


_SCALAR_KINDS = {bool: Kind.BOOL, int: Kind.INT, float: Kind.FLOAT, str: Kind.STRING}


@dataclass(frozen=True, slots=True)
class Attribute:
    """The kind of one field, and whether it may be null."""

    kind: Kind
    nullable: bool = False

    def __str__(self) -> str:
        return self.kind.value + "?" * self.nullable


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of the events of one type."""

    attributes: Mapping[str, Attribute]

    def check(self, fields: Mapping[str, Value], place: DataPlace | None = None) -> None:
        """Refuse fields that are not as the schema says; `place` is the input and line they come from."""
        problems = [_mismatch(name, kind, fields.get(name), place) for name, kind in self.attributes.items()]
        found = [problem for problem in problems if problem is not None]
        if found:
            raise CepheidError(*found)

    def __str__(self) -> str:
        return ", ".join(f"{name}: {attribute}" for name, attribute in self.attributes.items())


@dataclass(frozen=True, slots=True)
class StreamSchema:
    """The schemas of a stream's events, by type; a type it does not name goes unchecked."""

    types: Mapping[str, Schema]

    def check(self, event: Event, place: DataPlace | None = None) -> None:
        """Refuse an event whose fields are not as the schema of its type says."""
        schema = self.types.get(event.type)
        if schema is not None:
            schema.check(event.fields, place)


def infer_stream_schema(samples: Iterable[Event]) -> StreamSchema:
    """Return the narrowest schema that all samples satisfy.

    >>> from cepheid.events import point
    >>> found = infer_stream_schema([point("a", 1, 1, {"v": 1}), point("a", 2, 2, {"v": 0.5, "user": "ann"})])
    >>> str(found.types["a"])
    'v: float, user: string?'
    """
    fields_by_type: dict[str, list[Mapping[str, Value]]] = {}
    for event in samples:
        fields_by_type.setdefault(event.type, []).append(event.fields)
    return StreamSchema({name: infer_schema(samples) for name, samples in fields_by_type.items()})


def infer_schema(samples: Iterable[Mapping[str, Value]]) -> Schema:
    """Return the narrowest schema that all samples satisfy; a field that is always null is `any?`."""
    rows = list(samples)
    names = dict.fromkeys(name for row in rows for name in row)
    return Schema({name: _attribute_of([row.get(name) for row in rows]) for name in names})


def _attribute_of(values: list[Value]) -> Attribute:
    kinds = [_SCALAR_KINDS.get(type(value), Kind.ANY) for value in values if value is not None]
    return Attribute(reduce(_common, kinds) if kinds else Kind.ANY, nullable=None in values)


def _common(left: Kind, right: Kind) -> Kind:
    if left is right:
        return left
    return Kind.FLOAT if {left, right} == {Kind.INT, Kind.FLOAT} else Kind.ANY


def _mismatch(name: str, attribute: Attribute, value: Value, place: DataPlace | None) -> Diagnostic | None:
    if attribute.nullable if value is None else attribute.kind.holds(value):
        return None
    start = place or DataPlace()
    where = DataPlace(start.source, start.line, (*(start.path or ()), name))
    message = f"expected `{attribute.kind.value}`, got `{_shown_type(value)}`"
    return Diagnostic("wrong-kind", message, hints=(_way_out(name, attribute, value),), place=where)


def _shown_type(value: Value) -> str:
    if value is None:
        return "null"
    return "record" if isinstance(value, Mapping) else type(value).__name__


def _way_out(name: str, attribute: Attribute, value: Value) -> str:
    if value is None:
        return f"declare that it may be null: `{name}: {attribute.kind.value}?`"
    seen = _SCALAR_KINDS.get(type(value), Kind.ANY)
    return f"mend the data, or declare what it holds: `{name}: {_common(attribute.kind, seen).value}`"
