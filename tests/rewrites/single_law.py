"""One law at a time, wherever it fits."""

from dataclasses import fields, replace
from typing import TypeVar, cast

from cepheid.algebra.frozen import FrozenMap
from cepheid.algebra.patterns import Pattern, Select
from cepheid.rewrites import LAWS, Context, EventLengths, bounded_memory

T = TypeVar("T")


def applied_everywhere(law: str, pattern: Pattern, lengths: EventLengths) -> Pattern:
    """Return `pattern` with a law applied once to each node, from the leaves up."""
    if law == "bounded_memory":
        return bounded_memory(pattern, lengths).pattern
    return _applied(law, pattern, Context(lengths))


def _applied(law: str, pattern: Pattern, context: Context) -> Pattern:
    below = Context(context.lengths, below_choice=isinstance(pattern, Select))
    changes = {item.name: _in_field(law, getattr(pattern, item.name), below) for item in fields(pattern)}
    return LAWS[law](replace(pattern, **changes), context)


def _in_field(law: str, value: T, context: Context) -> T:
    if isinstance(value, Pattern):
        return cast(T, _applied(law, value, context))
    if isinstance(value, tuple):
        return cast(T, tuple(_in_field(law, item, context) for item in value))
    if isinstance(value, FrozenMap):
        return cast(T, FrozenMap({name: _in_field(law, item, context) for name, item in value.items()}))
    return value
