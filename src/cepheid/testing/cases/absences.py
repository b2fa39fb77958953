"""Random absences: inside, between, before, after or anywhere."""

from cepheid.algebra.intervals import between, inside
from cepheid.algebra.patterns import Unless
from cepheid.algebra.relations import Axis, Difference, Relation, end, start
from cepheid.testing.cases.conditions import condition
from cepheid.testing.cases.keys import equal_keys
from cepheid.testing.cases.leaves import rare_atom
from cepheid.testing.cases.sketches import Kind, Sketch, Workshop

_PRESENT = {
    Kind.ATOM: 25,
    Kind.JOIN: 55,
    Kind.EITHER: 7,
    Kind.REPEAT: 5,
    Kind.UNLESS: 4,
    Kind.CHAIN: 4,
    Kind.INSTANT: 4,
}
_ABSENT = {
    Kind.ATOM: 75,
    Kind.JOIN: 12,
    Kind.EITHER: 5,
    Kind.SELECT: 4,
    Kind.UNLESS: 4,
    Kind.INSTANT: 3,
    Kind.CHAIN: 2,
    Kind.SUPPRESS: 3,
}
WHOLE, ABSENT = "$pattern", "$absent"


def unless(workshop: Workshop, depth: int) -> Sketch:
    """Return a pattern that something must not accompany."""
    present = workshop.any_of(_PRESENT, depth - 1)
    absent = rare_atom(workshop) if workshop.draw.chance(25) else workshop.any_of(_ABSENT, depth - 1)
    node = Unless(
        present.pattern,
        absent.pattern,
        _relation(workshop, present),
        equal_keys(workshop.draw, present, absent, workshop.shape.keyed + 10),
        condition(workshop.draw, [present, absent]) if workshop.draw.chance(25) else None,
    )
    return Sketch(node, present.parts, max(present.size * 2 // 3, 1), present.variables)


def _relation(workshop: Workshop, present: Sketch) -> Relation:
    draw = workshop.draw
    named = [part.name for part in present.parts if part.certain]
    weights = {"inside": 35, "between": 30 if len(named) > 1 else 0, "after": 20, "before": 15, "anywhere": 3}
    match draw.weighted(weights):
        case "inside":
            return inside(ABSENT, WHOLE)
        case "between":
            first, last = draw.some(named, 2, 2)
            by_position = workshop.shape.positions and draw.chance(15)
            return _between_records(first, last) if by_position else between(ABSENT, first, last)
        case "after":
            return (Difference(start(ABSENT), end(WHOLE), draw.integer(0, 1), _wait(workshop)),)
        case "before":
            return (Difference(start(WHOLE), end(ABSENT), draw.integer(0, 1), _wait(workshop)),)
        case _:
            return ()


def _between_records(first: str, last: str) -> Relation:
    return (
        Difference(start(ABSENT, Axis.POSITION), end(first, Axis.POSITION), low=1),
        Difference(start(last, Axis.POSITION), end(ABSENT, Axis.POSITION), low=1),
    )


def _wait(workshop: Workshop) -> int | None:
    return workshop.draw.integer(1, 4) if workshop.draw.chance(85) else None
