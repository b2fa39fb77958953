"""Processors and functions over tuples that eSQL needs beside the built-in ones."""

from collections.abc import Mapping
from typing import Any

from cepheid.algebra.graphs.refusals import refusal
from cepheid.algebra.graphs.user_processors import processor
from cepheid.events.casts import cast_float, cast_int

__all__ = ["distinct", "key_of", "merged", "side_by_side", "tuples_of_lines", "union"]

State = tuple[str, ...] | None


def union(before: Any, value: Any) -> frozenset[Any]:  # elements are of any kind
    """Return a set with the elements of another one, or with one more element.

    >>> sorted(union(union(frozenset(), 3), {1, 2}))
    [1, 2, 3]
    """
    try:
        return frozenset(before) | (frozenset(value) if isinstance(value, set | frozenset) else {value})
    except TypeError:
        message = f"a `{type(value).__name__}` cannot be an element of a set"
        raise refusal(
            message, "take the union of numbers or texts: `COMBINE (SELECT a + 0 FROM @trades) WITH UNION`"
        ) from None


def merged(*records: object) -> dict[str, object]:
    """Return the attributes of several tuples in one; of two with one name the first stays."""
    found: dict[str, object] = {}
    for record in records:
        for name, value in record.items() if isinstance(record, Mapping) else ():
            found.setdefault(name, value)
    return found


def side_by_side(*records: object) -> dict[str, object]:
    """Return the attributes of several tuples in one; the second `a` is `a_2`.

    >>> side_by_side({"a": 1}, {"a": 2, "b": 3})
    {'a': 1, 'a_2': 2, 'b': 3}
    """
    found: dict[str, object] = {}
    for record in records:
        for name, value in record.items() if isinstance(record, Mapping) else ():
            times, told = 1, name
            while told in found:
                times += 1
                told = f"{name}_{times}"
            found[told] = value
    return found


@processor(initial=set(), keeps=None)
def distinct(seen: set[Any], value: Any) -> tuple[set[Any], list[Any]]:
    """Give each value once; each copy has a set of its own, which grows in place."""
    before = len(seen)
    seen.add(key_of(value))
    return seen, [value] if len(seen) > before else []


def key_of(value: Any) -> Any:
    """Return something that can be in a set, equal for values that SQL takes for the same."""
    if isinstance(value, Mapping):
        return tuple((name, key_of(one)) for name, one in value.items())
    if isinstance(value, list | tuple):
        return tuple(map(key_of, value))
    if isinstance(value, float) and value != value:
        return "not a number", None
    return (type(value) is bool, value) if isinstance(value, bool | int | float) else value


@processor(initial=None)
def tuples_of_lines(columns: State, value: Any) -> tuple[State, list[Any]]:
    """Give a tuple for each line of comma-separated values, of which the first has the names; tuples as they are."""
    if not isinstance(value, str):
        return columns, [value]
    line = value.strip()
    if not line or line.startswith("#"):
        return columns, []
    cells = tuple(cell.strip() for cell in line.split(","))
    if columns is None:
        return cells, []
    return columns, [dict(zip(columns, map(_cell, cells), strict=False))]


def _cell(text: str) -> str | int | float | None:
    if text == "":
        return None
    whole = cast_int(text)
    number = cast_float(text) if whole is None else whole
    return text if number is None else number
