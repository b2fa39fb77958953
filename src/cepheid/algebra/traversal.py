"""Walk over the nodes of a query, and make a new query out of an old one, whatever the nodes are."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from cepheid.algebra.expressions import Field, IsBound
from cepheid.algebra.frozen import FrozenMap
from cepheid.algebra.patterns import Atom, Chain, Collect, Instant, Repeat
from cepheid.algebra.relations import Endpoint
from cepheid.algebra.remembering import ByIdentity
from cepheid.diagnostics import Span

T = TypeVar("T")
Change = Callable[[object], object]


class _Fields(dict[type, tuple[str, ...] | None]):
    """The names of the fields of every kind of node that was met, None for what is no node."""

    def __missing__(self, kind: type) -> tuple[str, ...] | None:
        is_node = is_dataclass(kind) and not issubclass(kind, Span)
        self[kind] = tuple(item.name for item in fields(kind)) if is_node else None
        return self[kind]


_FIELDS = _Fields()


def walk(node: object) -> Iterator[object]:
    """Yield every node in and below `node`, parents first, in the order of their fields."""
    ahead = [node]
    while ahead:
        value = ahead.pop()
        names = _FIELDS[type(value)]
        if names is not None:
            yield value
            ahead += [getattr(value, name) for name in reversed(names)]
        elif isinstance(value, tuple):
            ahead += reversed(value)
        elif isinstance(value, Mapping):
            ahead += reversed(list(value.values()))


def children(value: object) -> Sequence[object]:
    """Return what stands right below a node, a tuple or a mapping: nodes, and whatever else their fields hold."""
    names = _FIELDS[type(value)]
    if names is not None:
        return [getattr(value, name) for name in names]
    if isinstance(value, tuple):
        return value
    return list(value.values()) if isinstance(value, Mapping) else ()


def transform(node: T, change: Change) -> T:
    """Return `node` with `change` applied to every node in it, children first."""
    return cast(T, _transform(node, change))


def transform_shared(node: T, change: Change) -> T:
    """Return `node` transformed, where a node that stands in several places is one node in all of them again."""
    return cast(T, _transform(node, change, {}))


@ByIdentity
def named_parts(node: object) -> tuple[str, ...]:
    """Return the name of every atom, instant, repetition and collection below `node`, repeated names repeatedly."""
    return tuple(part.name for part in walk(node) if isinstance(part, Atom | Instant | Repeat | Collect))


@ByIdentity
def event_types(node: object) -> frozenset[str]:
    """Return the event types that atoms below `node` name."""
    return frozenset(name for atom in walk(node) if isinstance(atom, Atom) for name in atom.types)


@ByIdentity
def reads_any_type(node: object) -> bool:
    """Say whether something below `node` looks at events of every type: an atom that names none, or a chain."""
    return any(isinstance(part, Chain) or (isinstance(part, Atom) and not part.types) for part in walk(node))


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


def _transform(value: object, change: Change, known: dict[int, object] | None = None) -> object:
    """Return a value transformed; `known` has nodes that were transformed already, by their identity."""
    if _FIELDS[type(value)] is not None:
        if known is None:
            return change(_rebuilt(value, change, None))
        if id(value) not in known:
            known[id(value)] = change(_rebuilt(value, change, known))
        return known[id(value)]
    if isinstance(value, Mapping):
        return FrozenMap({name: _transform(entry, change, known) for name, entry in value.items()})
    if isinstance(value, tuple):
        return tuple(_transform(entry, change, known) for entry in value)
    return value


def _rebuilt(node: object, change: Change, known: dict[int, object] | None) -> object:
    changes = {}
    for name in _FIELDS[type(node)] or ():
        old = getattr(node, name)
        new = _transform(old, change, known)
        if new is not old:
            changes[name] = new
    return replace(node, **changes) if changes else node  # type: ignore[type-var]  # a node
