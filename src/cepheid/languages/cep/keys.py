"""Keys after `on`: an equality of two expressions, or a field that all parts have in common.

a then b on a.user == b.user        a then b then c on user
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import TypeAlias

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Equalities,
    Join,
    Pattern,
    Repeat,
    Sieve,
    Unless,
)
from cepheid.algebra.text.words import shown_name
from cepheid.algebra.traversal import walk
from cepheid.diagnostics import CepheidError
from cepheid.languages.cep.lone_names import LoneName
from cepheid.languages.cep.mistakes import mistake

Key: TypeAlias = tuple[Expr, Expr] | LoneName


def equalities(keys: Sequence[Key], parts: Sequence[Pattern]) -> Equalities:
    """Return the equalities that keys say about these parts: a lone name is a field that each has like the next."""
    return tuple(pair for key in keys for pair in (_shared(key, parts) if isinstance(key, LoneName) else (key,)))


def _shared(key: LoneName, parts: Sequence[Pattern]) -> Equalities:
    fields = [Field(_event_of(part, key), key.name) for part in parts]
    return tuple(pairwise(fields))


def _event_of(part: Pattern, key: LoneName) -> str:
    """Return the name of an event that every match of a part has."""
    match part:
        case Atom(name):
            return name
        case Join(parts) if parts:
            return _event_of(parts[0], key)
        case Sieve(inner) | Unless(inner):
            return _event_of(inner, key)
        case Chain(steps, first) if first in steps:
            return steps[first].lead.name
        case Repeat(name, item) | Collect(name, item=item):
            raise _no_single_event(
                key, name, f"compute it in the group, `with {key.name} = last of {_some(item, key.name)}`, and "
            )
        case _:
            raise _no_single_event(key, "a")


def _some(item: Pattern, name: str) -> str:
    atoms = (node.name for node in walk(item) if isinstance(node, Atom))
    return f"{shown_name(next(atoms, 'a'))}.{name}"


def _no_single_event(key: LoneName, part: str, before: str = "") -> CepheidError:
    hint = f"{before}say whose it is: `on {part}.{key.name} == b.{key.name}`"
    return mistake(f"`{key.name}` is not a field of every part", key.span, "one part is no single event", hint)
