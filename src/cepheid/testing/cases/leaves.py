"""Random atoms and instants."""

from cepheid.algebra.expressions import Call, Expr, Field, Literal
from cepheid.algebra.patterns import Atom, Instant
from cepheid.testing.cases.conditions import filter_of
from cepheid.testing.cases.sketches import Part, Sketch, Workshop


def atom(workshop: Workshop, _depth: int = 0) -> Sketch:
    """Return one event of one type, sometimes of two or of any, sometimes filtered."""
    draw, types = workshop.draw, workshop.shape.types
    count = min(draw.weighted({1: 86, 2: 10, 0: 4}), len(types))
    chosen = frozenset(draw.some(types, count, count))
    part = Part(workshop.fresh("e"))
    where = filter_of(draw, part.name) if draw.chance(workshop.shape.filters) else None
    return Sketch(Atom(part.name, chosen, where), (part,), workshop.shape.crowd(chosen))


def plain_atom(workshop: Workshop) -> Sketch:
    """Return an atom of a type that has no crowd."""
    part, shape = Part(workshop.fresh("e")), workshop.shape
    plain = [name for name in shape.types if name not in shape.crowds]
    chosen = frozenset((workshop.draw.pick(plain or shape.types),))
    return Sketch(Atom(part.name, chosen), (part,), shape.crowd(chosen))


def rare_atom(workshop: Workshop) -> Sketch:
    """Return an atom that few events satisfy: its absence is found as well."""
    part = Part(workshop.fresh("e"))
    where = Call(">=", (Field(part.name, "value"), Literal(workshop.draw.integer(3, 4))))
    chosen = frozenset((workshop.draw.pick(workshop.shape.types),))
    return Sketch(Atom(part.name, chosen, where), (part,), workshop.shape.crowd(chosen))


def instant(workshop: Workshop, _depth: int = 0) -> Sketch:
    """Return points of time; they bind a name without fields and are no records."""
    part = Part(workshop.fresh("t"), fields=(), is_event=False)
    return Sketch(Instant(part.name, _schedule(workshop)), (part,), 4)


def _schedule(workshop: Workshop) -> Expr:
    draw = workshop.draw
    match draw.weighted({"every": 60, "at": 30, "daily": 5, "weekly": 5}):
        case "every":
            return Call("every", (Literal(draw.integer(2, 6)), Literal(draw.integer(-1, 3))))
        case "at":
            return Call("at", (Literal(draw.integer(0, 10)),))
        case "daily":
            return Call("daily", (Literal("00:00"), Literal("UTC")))
        case _:
            return Call("weekly", (Literal("thu"), Literal("00:00"), Literal("UTC")))
