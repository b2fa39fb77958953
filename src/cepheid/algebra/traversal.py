"""Walk over the nodes of a query, and make a new query out of an old one, whatever the nodes are."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, replace
from typing import TypeVar, cast

from cepheid.algebra.expressions import Field, IsBound
from cepheid.algebra.frozen import FrozenMap
from cepheid.algebra.patterns import Atom, Collect, Instant, Repeat
from cepheid.algebra.relations import Endpoint
from cepheid.diagnostics import Span

T = TypeVar("T")
Change = Callable[[object], object]


def walk(node: object) -> Iterator[object]:
    """Yield every node in and below `node`, parents first, in the order of their fields."""
    if _is_node(node):
        yield node
    for child in _children(node):
        yield from walk(child)


def transform(node: T, change: Change) -> T:
    """Return `node` with `change` applied to every node in it, children first."""
    return cast(T, _transform(node, change))


def named_parts(node: object) -> Iterator[str]:
    """Yield the name of every atom, instant, repetition and collection below `node`, repeated names repeatedly."""
    for part in walk(node):
        if isinstance(part, Atom | Instant | Repeat | Collect):
            yield part.name


def event_types(node: object) -> frozenset[str]:
    """Return the event types that atoms below `node` name."""
    return frozenset(name for atom in walk(node) if isinstance(atom, Atom) for name in atom.types)


def rename(node: T, names: Mapping[str, str]) -> T:
    """Return `node` with its parts, and all that refers to them, called by their new names."""

    def renamed(item: object) -> object:
        match item:
            case Atom() | Instant() | Repeat() | Collect():
                return replace(item, name=names.get(item.name, item.name))
            case Field() | Endpoint():
                return replace(item, part=names.get(item.part, item.part))
            case IsBound():
                return replace(item, name=names.get(item.name, item.name))
            case _:
                return item

    return transform(node, renamed)


def _is_node(value: object) -> bool:
    return hasattr(type(value), "__dataclass_fields__") and not isinstance(value, Span)


def _children(value: object) -> Iterator[object]:
    if _is_node(value):
        yield from (getattr(value, item.name) for item in fields(value))  # type: ignore[arg-type]  # a node, see above
    elif isinstance(value, Mapping):
        yield from value.values()
    elif isinstance(value, tuple):
        yield from value


def _transform(value: object, change: Change) -> object:
    if _is_node(value):
        return change(_rebuilt(value, change))
    if isinstance(value, Mapping):
        return FrozenMap({name: _transform(entry, change) for name, entry in value.items()})
    if isinstance(value, tuple):
        return tuple(_transform(entry, change) for entry in value)
    return value


def _rebuilt(node: object, change: Change) -> object:
    changes = {}
    for item in fields(node):  # type: ignore[arg-type]  # a node
        old = getattr(node, item.name)
        new = _transform(old, change)
        if new is not old:
            changes[item.name] = new
    return replace(node, **changes) if changes else node  # type: ignore[type-var]  # a node
