"""Random joins: of two to four parts under ALL, of two under every other choice."""

from itertools import pairwise
from math import prod

from cepheid.algebra.expressions import Call, Expr, Field, Moment
from cepheid.algebra.patterns import Equalities, Join
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import Relation, end, start
from cepheid.testing.cases.conditions import condition
from cepheid.testing.cases.keys import equal_keys, key_of_some
from cepheid.testing.cases.leaves import plain_atom
from cepheid.testing.cases.relations import join_relation, named_relation
from cepheid.testing.cases.sketches import Kind, Sketch, Workshop

BELOW = {
    Kind.ATOM: 60,
    Kind.JOIN: 14,
    Kind.INSTANT: 5,
    Kind.EITHER: 5,
    Kind.UNLESS: 4,
    Kind.REPEAT: 4,
    Kind.SELECT: 4,
    Kind.RESTRICT: 4,
    Kind.CHAIN: 3,
    Kind.COLLECT: 3,
    Kind.DISTINCT: 3,
    Kind.SUPPRESS: 3,
}
MOST_CANDIDATES = 90
_ORDERED = {Choice.NEXT: 150, Choice.STRICT: 40}


def join(workshop: Workshop, depth: int) -> Sketch:
    """Return a join under one of the choices that are allowed."""
    draw = workshop.draw
    weights = {Choice.ALL: 40} | {choice: 12 for choice in Choice if choice is not Choice.ALL}
    choice = draw.weighted({choice: weight for choice, weight in weights.items() if choice in workshop.shape.choices})
    count = draw.weighted({2: 60, 3: 35, 4: 5}) if choice is Choice.ALL else 2
    parts = _parts(workshop, depth - 1, count)
    node = Join(
        tuple(part.pattern for part in parts),
        _relation(workshop, parts, choice),
        _equal(workshop, parts),
        _maybe(workshop, parts),
        _policy(workshop, parts, choice),
        _maybe(workshop, parts),
    )
    return _joined(node, parts, choice)


def _parts(workshop: Workshop, depth: int, count: int) -> list[Sketch]:
    """Return what is joined; where the product would be large, the largest parts become plain atoms."""
    parts = [workshop.any_of(BELOW, depth) for _ in range(count)]
    by_size = sorted(range(count), key=lambda index: parts[index].size)
    while by_size and prod(part.size for part in parts) > MOST_CANDIDATES:
        parts[by_size.pop()] = plain_atom(workshop)
    return parts


def _relation(workshop: Workshop, parts: list[Sketch], choice: Choice) -> Relation:
    if choice is Choice.STRICT and workshop.draw.chance(60):
        return ()
    relation = join_relation(workshop, parts, _ORDERED.get(choice, 60))
    if choice is Choice.ALL and workshop.draw.chance(15):
        relation += named_relation(workshop.draw, parts)
    return relation


def _equal(workshop: Workshop, parts: list[Sketch]) -> Equalities:
    if not workshop.draw.chance(workshop.shape.keyed):
        return ()
    return tuple(pair for one, other in pairwise(parts) for pair in equal_keys(workshop.draw, one, other, 95))


def _maybe(workshop: Workshop, parts: list[Sketch]) -> Expr | None:
    return condition(workshop.draw, parts) if workshop.draw.chance(workshop.shape.filters // 2) else None


def _policy(workshop: Workshop, parts: list[Sketch], choice: Choice) -> Policy:
    draw = workshop.draw
    if choice is Choice.ALL:
        return Policy(choice)
    key = key_of_some(draw, draw.pick(parts)) if draw.chance(15) else None
    ranked = choice in (Choice.RECENT, Choice.CHRONOLOGICAL) and draw.chance(40)
    return Policy(choice, (key,) if key else (), (_tie(workshop, parts),) if ranked else ())


def _tie(workshop: Workshop, parts: list[Sketch]) -> Expr:
    """Return what the candidate, whichever part it is, is preferred for: its length or a value."""
    draw = workshop.draw
    first = Moment(start("$candidate"))
    values = tuple(Field(part.readable[0].name, part.readable[0].fields[-1]) for part in parts if part.readable)
    if values and draw.chance(75):
        return Call("coalesce", values)
    return draw.pick((first, Call("-", (Moment(end("$candidate")), first))))


def _joined(node: Join, parts: list[Sketch], choice: Choice) -> Sketch:
    bound = tuple(part for sketch in parts for part in sketch.parts)
    variables = tuple(name for sketch in parts for name in sketch.variables)
    size = prod(part.size for part in parts)
    narrowed = size // 3 if choice is Choice.ALL else max(part.size for part in parts)
    return Sketch(node, bound, max(narrowed, 2), variables)
