"""The nodes of the algebra by name, and the fields that say what each one means."""

from dataclasses import MISSING, Field, fields, is_dataclass
from types import ModuleType

from cepheid.algebra import expressions, formulas, patterns, pipes, policies, programs, relations

COMMON: tuple[type, ...] = (expressions.Expr, patterns.Pattern, patterns.Sieve, pipes.Pipe, formulas.Formula)
"""Only the common names of other nodes."""

_MODULES: tuple[ModuleType, ...] = (expressions, relations, policies, patterns, programs, pipes, formulas)
CLASSES: dict[str, type] = {
    name: found
    for module in _MODULES
    for name, found in vars(module).items()
    if isinstance(found, type) and is_dataclass(found) and found.__module__ == module.__name__
}
_MEANING: dict[type, tuple[Field[object], ...]] = {
    node_class: tuple(item for item in fields(node_class) if item.name != "span") for node_class in CLASSES.values()
}


def meaning(node_class: type) -> tuple[Field[object], ...]:
    """Return the fields of a node that are part of its meaning: all but its place in the source text."""
    if node_class not in _MEANING:
        raise TypeError(f"`{node_class.__name__}` is no node of the algebra")
    return _MEANING[node_class]


def default_of(item: Field[object]) -> object:
    """Return what a field holds when nothing is said, or MISSING."""
    return item.default if item.default_factory is MISSING else item.default_factory()
