"""Read the JSON form: the hint of each field says what may stand there, and the path says where it does not."""

from collections.abc import Mapping
from dataclasses import MISSING
from enum import Enum
from types import NoneType, UnionType
from typing import TypeAlias, TypeVar, get_args, get_origin

from cepheid.algebra.frozen import FrozenMap
from cepheid.algebra.json_values import Path, described, refusal, value_from_json
from cepheid.algebra.node_fields import CLASSES, COMMON, default_of, meaning
from cepheid.diagnostics import CepheidError, close_match
from cepheid.events import Value

T = TypeVar("T")
Hint: TypeAlias = object  # the annotation of a field: what `get_origin` and `get_args` take apart


def read_node(wanted: type[T], data: object, path: Path) -> T:
    """Return the node that `data`, which stands at `path`, says; it must be a `wanted`."""
    node_class = _class_of(wanted, data, path)
    assert isinstance(data, Mapping)
    known = {item.name: item for item in meaning(node_class)}
    for name in data:
        if name not in known and name != "node":
            raise _no_field(str(name), node_class, known, path)
    missing = [item.name for item in known.values() if default_of(item) is MISSING and item.name not in data]
    if missing:
        raise refusal(f"`{node_class.__name__}` needs `{missing[0]}`", path)
    return node_class(**{name: _read(known[name].type, data[name], (*path, name)) for name in known if name in data})


def _class_of(wanted: type[T], data: object, path: Path) -> type[T]:
    if not isinstance(data, Mapping):
        raise refusal(f"expected {_article(wanted)}, got {described(data)}", path)
    name = data.get("node")
    found = CLASSES.get(name) if isinstance(name, str) else None
    if found is None or found in COMMON:
        own_names = [known for known, node_class in CLASSES.items() if node_class not in COMMON]
        closest = close_match(name, own_names) if isinstance(name, str) else None
        hints = (f'write `"node": "{closest}"`',) if closest else ()
        given = f"`{name}`" if isinstance(name, str) else described(name)
        raise refusal(f"expected the name of {_article(wanted)}, got {given}", (*path, "node"), *hints)
    if not issubclass(found, wanted):
        raise refusal(f"expected {_article(wanted)}, got `{name}`", path)
    return found


def _no_field(name: str, node_class: type, known: Mapping[str, object], path: Path) -> CepheidError:
    closest = close_match(name, known)
    hints = (f"did you mean `{closest}`?",) if closest else ()
    return refusal(f"`{node_class.__name__}` has no `{name}`", (*path, name), *hints)


def _article(wanted: type) -> str:
    words = {"Expr": "an expression", "Pattern": "a pattern", "Pipe": "a pipe", "Formula": "a formula"}
    return words.get(wanted.__name__, "a node" if wanted is object else f"`{wanted.__name__}`")


def _read(hint: Hint, data: object, path: Path) -> object:
    """Return what a field with this hint holds."""
    if hint is Value:
        return value_from_json(data, path)
    origin, inner = get_origin(hint), get_args(hint)
    if origin is UnionType:
        [wanted] = [choice for choice in inner if choice is not NoneType]
        return None if data is None else _read(wanted, data, path)
    if origin is tuple:
        return _tuple(inner, _list(data, path), path)
    if origin is frozenset:
        return frozenset(_tuple((*inner, ...), _list(data, path), path))
    if origin is not None:
        return FrozenMap(_entries(inner[1], _list(data, path), path))
    return _single(hint, data, path)


def _single(hint: Hint, data: object, path: Path) -> object:
    if isinstance(hint, str):
        return read_node(CLASSES[hint], data, path)
    assert isinstance(hint, type)
    if issubclass(hint, Enum):
        return _member(hint, data, path)
    if hint in (str, int, bool):
        return _plain(hint, data, path)
    return read_node(hint, data, path)


def _tuple(inner: tuple[Hint, ...], data: list[object], path: Path) -> tuple[object, ...]:
    hints = [inner[0]] * len(data) if inner[-1] is ... else list(inner)
    if len(hints) != len(data):
        raise refusal(f"expected {len(hints)} entries, got {len(data)}", path)
    return tuple(
        _read(hint, entry, (*path, index)) for index, (hint, entry) in enumerate(zip(hints, data, strict=True))
    )


def _entries(hint: Hint, data: list[object], path: Path) -> dict[str, object]:
    entries: dict[str, object] = {}
    for index, pair in enumerate(data):
        match pair:
            case [str() as name, content] if name not in entries:
                entries[name] = _read(hint, content, (*path, index, 1))
            case [str() as name, _]:
                raise refusal(f"`{name}` stands here twice", (*path, index, 0))
            case _:
                raise refusal(f"expected a name and what it stands for, got {described(pair)}", (*path, index))
    return entries


def _member(choices: type[Enum], data: object, path: Path) -> Enum:
    values = [member.value for member in choices]
    if data not in values:
        given = f"`{data}`" if isinstance(data, str) else described(data)
        raise refusal(f"expected one of {', '.join(f'`{value}`' for value in values)}, got {given}", path)
    return choices(data)


def _plain(kind: type, data: object, path: Path) -> object:
    if type(data) is not kind:
        wanted = {str: "a string", int: "an integer", bool: "a boolean"}[kind]
        raise refusal(f"expected {wanted}, got {described(data)}", path)
    return data


def _list(data: object, path: Path) -> list[object]:
    if not isinstance(data, list):
        raise refusal(f"expected a list, got {described(data)}", path)
    return data
