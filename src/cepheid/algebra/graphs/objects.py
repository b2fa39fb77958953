"""The functions of the algebra over any object: on values they are the algebra's own, elsewhere what Python has.

    add(1, 2) == 3      add({1}, {2}) is None      equal({1}, {1}) is True      get([5, 7], 1) == 7

A function gives None where it has no answer, and never raises.
"""

import operator
from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from cepheid.algebra.functions import function_named
from cepheid.events import Event, values

Thing: TypeAlias = Any
"""An event of a pipe, which is any object of Python; so nothing can be said about its type."""

Operation: TypeAlias = Callable[..., Thing]

_SCALARS: Final = (bool, int, float, str)

_PYTHON: Final[Mapping[str, Operation]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "pow": operator.pow,
    "neg": operator.neg,
    "abs": abs,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "min": min,
    "max": max,
    "in": lambda item, collection: item in collection,
}


def operation_named(name: str) -> Operation:
    """Return the function of the algebra with this name, made to work on any object."""
    if name in _OWN:
        return _OWN[name]
    known = function_named(name)
    if known is None:
        raise LookupError(f"there is no function `{name}`")
    return _widened(known.apply, _PYTHON[name]) if name in _PYTHON else known.apply


def get(record: Thing, key: Thing) -> Thing:
    """Return the field of a record, the item of a sequence, or the attribute of an object; None where it has none.

    >>> get({"a": 1}, "a"), get([5, 7], 1), get(3 + 4j, "imag"), get([5], 3) is None
    (1, 7, 4.0, True)
    """
    if isinstance(record, Mapping):
        return _item(record, key)
    if isinstance(record, Event):
        return record.fields.get(key) if isinstance(key, str) else None
    if isinstance(record, list | tuple):
        is_place = isinstance(key, int) and not isinstance(key, bool) and 0 <= key < len(record)
        return record[key] if is_place else _attribute(record, key)
    found = _item(record, key) if hasattr(type(record), "__getitem__") else None
    return _attribute(record, key) if found is None else found


def length(collection: Thing) -> int | None:
    """Return how many items there are; None for what has none."""
    try:
        return len(collection)
    except TypeError:
        return None


def _item(record: Thing, key: Thing) -> Thing:
    try:
        return record[key]
    except (LookupError, TypeError, ValueError):
        return None


def _attribute(thing: Thing, key: Thing) -> Thing:
    return getattr(thing, key, None) if isinstance(key, str) and not key.startswith("_") else None


def _widened(own: Operation, other: Operation) -> Operation:
    """Return a function that asks the algebra about values, and Python about all other objects."""

    def applied(*arguments: Thing) -> Thing:
        found = own(*arguments)
        if found is not None or all(map(_is_plain, arguments)):
            return found
        try:
            return other(*arguments)
        except Exception:  # noqa: BLE001  # an object may raise whatever it likes, and has no answer then
            return None

    return applied


def _is_plain(value: Thing) -> bool:
    """Say whether the algebra has the last word about a value."""
    if value is None or isinstance(value, _SCALARS):
        return True
    if type(value) is tuple:
        return all(map(_is_plain, value))
    return type(value) is dict and all(map(_is_plain, value.values()))


def _coalesce(*arguments: Thing) -> Thing:
    return next((argument for argument in arguments if argument is not None), None)


_OWN: Final[Mapping[str, Operation]] = {
    "and": values.and_,
    "or": values.or_,
    "not": values.not_,
    "if": lambda condition, yes, no: yes if condition is True else no,
    "coalesce": _coalesce,
    "is_null": lambda argument: argument is None,
    "length": length,
    "get": get,
    "list": lambda *arguments: arguments,
    "record": lambda *arguments: dict(zip(arguments[::2], arguments[1::2], strict=True)),
}
