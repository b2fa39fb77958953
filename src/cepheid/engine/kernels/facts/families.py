"""Families: rules that differ in data alone run in one kernel, with a slot for each key and each of them.

What differs are types, conditions on single events, distances, and the constants of conditions and values. Constants
become columns that are read by the number of the rule.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from cepheid.algebra.expressions import Expr, Field, IsBound, Literal
from cepheid.algebra.relations import Endpoint
from cepheid.algebra.traversal import transform
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.facts.absence_source import key_columns
from cepheid.engine.kernels.facts.shapes import Core, Part, Shape
from cepheid.events import Value

CONSTANTS = "$constants"


@dataclass(frozen=True, slots=True)
class Family:
    """Rules of one shape: what they have in common, and for each constant its value in every rule."""

    shape: Shape
    members: tuple[Shape, ...]
    constants: tuple[tuple[Value, ...], ...] = ()


def families(shapes: Iterable[Shape]) -> list[Family]:
    """Return rules in families, each rule that is unlike all others in one of its own."""
    alike: dict[Hashable, list[tuple[Shape, _Common]]] = {}
    found: list[Family] = []
    for shape in shapes:
        common = _common(shape)
        if common is None:
            found.append(Family(shape, (shape,)))
        else:
            alike.setdefault(common.signature, []).append((shape, common))
    return [*found, *map(_family, alike.values())]


@dataclass(frozen=True, slots=True)
class _Common:
    """A shape without its data, and the constants that were taken out of it."""

    shape: Shape
    signature: Hashable
    constants: tuple[Value, ...]


def _family(group: Sequence[tuple[Shape, _Common]]) -> Family:
    members = tuple(shape for shape, _ in group)
    if len(members) == 1:
        return Family(members[0], members)
    keeps = [member.keep for member in members]
    keep = None if None in keeps else max(one for one in keeps if one is not None)
    constants = tuple(zip(*(common.constants for _, common in group), strict=True))
    return Family(replace(group[0][1].shape, family=True, keep=keep), members, constants)


def _common(shape: Shape) -> _Common | None:
    """Return what a shape has in common with others, None if it cannot be one of a family."""
    if shape.core is not Core.SLOTS or shape.absences or shape.limits or shape.suppressed:
        return None
    if max(key_columns(shape)) > 0:
        return None
    names = {name: f"p{place}" for place, name in enumerate(shape.names)}
    taken: list[Value] = []

    def plain(node: object) -> object:
        match node:
            case Field() | Endpoint() if node.part in names:
                return replace(node, part=names[node.part])
            case IsBound(name):
                return replace(node, name=names.get(name, name))
            case Literal(value):
                taken.append(value)
                return Field(CONSTANTS, str(len(taken) - 1))
            case _:
                return node

    rule = shape.plan.rule
    start, end, filters = transform((rule.start, rule.end, shape.filters), plain)
    fields = {name: transform(value, plain) for name, value in rule.fields.items()}
    parts = tuple(_plain_part(part, names) for part in shape.parts)
    gaps = tuple((gap.high is None, gap.whole is None) for gap in shape.gaps)
    keys = (len(rule.per), tuple(part.keys for part in parts))
    signature = (shape.choice, shape.by_arrival, keys, gaps, start, end, filters, tuple(fields.items()))
    plan = replace(shape.plan, rule=replace(rule, start=start, end=end, fields=fields))
    return _Common(replace(shape, parts=parts, filters=filters, plan=plan), signature, tuple(taken))


def _plain_part(part: Part, names: dict[str, str]) -> Part:
    def plain(node: object) -> object:
        named = isinstance(node, Field | Endpoint) and node.part in names
        return replace(node, part=names[node.part]) if named else node  # type: ignore[type-var, attr-defined]  # such a node

    return Part(names[part.name], frozenset(), None, transform(part.keys, plain))


@dataclass(frozen=True, slots=True)
class Routes:
    """Which rules of a family have an event of which class at which part, and under which condition.

    Classes are types, from 1 on; `first[part, c]` to `first[part, c + 1]` are the routes of class c.
    """

    classes: dict[str, int]
    first: Data
    queries: Data
    condition: Data
    conditions: tuple[tuple[Part, Expr], ...]


def routes_of(family: Family) -> Routes:
    """Return the routes of the events of a family."""
    types = sorted({name for member in family.members for part in member.parts for name in part.types})
    classes = {name: number for number, name in enumerate(types, 1)}
    conditions: list[tuple[Part, Expr]] = []
    queries: list[int] = []
    condition: list[int] = []
    first = np.zeros((len(family.shape.parts), len(types) + 2), np.int32)
    for place in range(len(family.shape.parts)):
        for number, name in enumerate(types, 1):
            first[place, number] = len(queries)
            for query, part in enumerate(member.parts[place] for member in family.members):
                if name in part.types:
                    queries.append(query)
                    condition.append(_number_of(part, conditions))
        first[place, 0], first[place, -1] = first[place, 1], len(queries)
    return Routes(classes, first, np.array(queries, np.int32), np.array(condition, np.int32), tuple(conditions))


def _number_of(part: Part, conditions: list[tuple[Part, Expr]]) -> int:
    if part.where is None:
        return -1
    if (part, part.where) not in conditions:
        conditions.append((part, part.where))
    return conditions.index((part, part.where))
