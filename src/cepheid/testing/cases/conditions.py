"""Random expressions and conditions over what is bound, true more often than not."""

from collections.abc import Sequence

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Lookup, Moment, Variable
from cepheid.algebra.relations import end, start
from cepheid.events import Value
from cepheid.testing.cases.draw import Draw
from cepheid.testing.cases.sketches import Part, Sketch

COMPARISONS = ("<=", ">=", "!=", "<", ">", "==")
_OFTEN = {"<=": 26, ">=": 26, "!=": 22, "<": 9, ">": 9, "==": 8}
TABLE = "weights"


def filter_of(draw: Draw, name: str) -> Expr:
    """Return a condition on one event."""
    value, key = Field(name, "value"), Field(name, "key")
    match draw.weighted({"value": 45, "key": 25, "null": 10, "either": 10, "time": 5, "in": 5}):
        case "value":
            return _with_literal(draw, value)
        case "key":
            return Call(draw.pick(("<=", "!=", "==")), (key, Literal(draw.integer(1, 2))))
        case "null":
            return Call("not", (Call("is_null", (draw.pick((value, key)),)),))
        case "either":
            return Call("or", (_with_literal(draw, value), Call("==", (key, Literal(draw.integer(1, 2))))))
        case "time":
            return Call(draw.pick(("<=", ">=")), (Moment(end(name)), Literal(draw.integer(2, 6))))
        case _:
            return Call("in", (key, Literal((1, draw.integer(2, 3)))))


def condition(draw: Draw, sketches: Sequence[Sketch]) -> Expr | None:
    """Return a condition over what the sketches bind, None where that has no fields."""
    parts = [part for sketch in sketches for part in sketch.readable]
    if not parts:
        return None
    match draw.weighted({"compare": 60, "combined": 15, "literal": 15, "bound": 5, "time": 5}):
        case "combined":
            join = draw.pick(("or", "and"))
            return Call(join, (_comparison(draw, parts), _comparison(draw, parts)))
        case "literal":
            return _with_literal(draw, _field(draw, draw.pick(parts)))
        case "bound":
            return _guarded(draw, parts)
        case "time":
            return _timely(draw, parts)
        case _:
            return _comparison(draw, parts)


def number(draw: Draw, sketch: Sketch) -> Expr:
    """Return an expression over what a sketch binds; a constant where that is nothing."""
    if sketch.variables and draw.chance(40):
        return Variable(draw.pick(sketch.variables))
    if not sketch.readable:
        return Literal(draw.integer(0, 3))
    one, other = (_field(draw, draw.pick(sketch.readable)) for _ in range(2))
    options: tuple[Expr, ...] = (
        one,
        Call(draw.pick(("+", "-", "*", "/", "//", "%")), (one, other)),
        Call(draw.pick(("min", "max", "coalesce")), (one, other)),
        Call("if", (_with_literal(draw, one), one, other)),
        Lookup(TABLE, (one,), "weight"),
    )
    return options[draw.weighted({0: 50, 1: 20, 2: 15, 3: 10, 4: 5})]


def _field(draw: Draw, part: Part) -> Expr:
    preferred = [name for name in part.fields if name != "key"]
    return Field(part.name, draw.pick(preferred or part.fields))


def _comparison(draw: Draw, parts: Sequence[Part]) -> Expr:
    """Return a comparison of two parts, of one part with a constant where there is only one."""
    one = draw.pick(parts)
    others = [part for part in parts if part is not one]
    if not others:
        return _with_literal(draw, _field(draw, one))
    return Call(draw.weighted(_OFTEN), (_field(draw, one), _field(draw, draw.pick(others))))


def _guarded(draw: Draw, parts: Sequence[Part]) -> Expr:
    part = draw.pick(parts)
    return Call("or", (Call("not", (IsBound(part.name),)), _with_literal(draw, _field(draw, part))))


def _timely(draw: Draw, parts: Sequence[Part]) -> Expr:
    one, other = Moment(start(draw.pick(parts).name)), Moment(end(draw.pick(parts).name))
    return Call("<=", (Call("abs", (Call("-", (one, other)),)), Literal(draw.integer(2, 8))))


def _with_literal(draw: Draw, operand: Expr) -> Expr:
    constants: tuple[Value, ...] = (draw.integer(0, 3), 1.5, float("nan"), "x", None)
    literal = Literal(constants[draw.weighted({0: 86, 1: 8, 2: 4, 3: 1, 4: 1})])
    return Call(draw.weighted(_OFTEN), (operand, literal))
