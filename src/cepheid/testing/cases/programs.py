"""Random programs: rules that may feed each other, with keys, and with events dated before or after their hull."""

from dataclasses import replace

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Moment, Variable
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import EVENT, HULL, Program, Rule, Table
from cepheid.algebra.relations import end, start
from cepheid.algebra.traversal import event_types
from cepheid.testing.cases.conditions import TABLE, number
from cepheid.testing.cases.draw import Draw
from cepheid.testing.cases.keys import key_of_some
from cepheid.testing.cases.patterns import sketch_pattern
from cepheid.testing.cases.recursion import recursive_rules
from cepheid.testing.cases.sketches import Kind, Shape, Sketch

WEIGHTS = Table(("key", "weight"), ((1, 10), (2, 20.5), ("x", None), (1, 99)), 1)


def random_program(draw: Draw, shape: Shape | None = None, most_rules: int = 3) -> Program:
    """Return one to three rules; a later one often reads what an earlier one emits."""
    shape = shape or Shape()
    if _allows_recursion(shape) and most_rules > 1 and draw.chance(6):
        return Program(recursive_rules(draw, shape.types))
    count = draw.weighted({1: 60, 2: 28, 3: 12})
    rules: list[Rule] = []
    crowds: dict[str, int] = {}
    for index in range(min(count, most_rules)):
        types = tuple(dict.fromkeys((*shape.types[:2], *crowds))) if crowds and draw.chance(75) else shape.types
        sketch = sketch_pattern(draw, replace(shape, types=types, crowds=crowds))
        emits = _emitted(draw, shape, sketch) if index == 0 else f"R{index}"
        rules.append(_rule(draw, sketch, f"r{index}", emits))
        crowds[emits] = 2 * sketch.size
    return Program(tuple(draw.shuffled(rules)), tables={TABLE: WEIGHTS})


def _allows_recursion(shape: Shape) -> bool:
    return {Kind.JOIN, Kind.EITHER} <= shape.kinds and Choice.ALL in shape.choices and len(shape.types) > 1


def _emitted(draw: Draw, shape: Shape, sketch: Sketch) -> str:
    """Return a type of its own, now and then one that the input has too and that the rule itself does not read."""
    unread = [name for name in shape.types if name not in event_types(sketch.pattern)]
    return draw.pick(unread) if unread and draw.chance(15) else "R0"


def _rule(draw: Draw, sketch: Sketch, name: str, emits: str) -> Rule:
    first, last = _dates(draw, sketch)
    per = (Field(EVENT, "key"),) if draw.chance(15) else ()
    return Rule(name, sketch.pattern, emits, first, last, _fields(draw, sketch), per)


def _dates(draw: Draw, sketch: Sketch) -> tuple[Expr, Expr]:
    """Return the start and the end of what is emitted: the hull, or something else."""
    first, last = Moment(start(HULL)), Moment(end(HULL))
    early = Moment(end(draw.pick(sketch.parts).name))
    match draw.weighted({"hull": 58, "past": 22, "point": 10, "future": 6, "field": 4}):
        case "past":
            return early, early
        case "point":
            return last, last
        case "future":
            return first, Call("+", (last, Literal(draw.integer(1, 3))))
        case "field":
            return first, Call("+", (last, number(draw, sketch)))
        case _:
            return first, last


def _fields(draw: Draw, sketch: Sketch) -> dict[str, Expr]:
    fields: dict[str, Expr] = {}
    key = key_of_some(draw, sketch)
    if key is not None:
        fields["key"] = key
    if draw.chance(60):
        fields["value"] = number(draw, sketch)
    if sketch.variables and draw.chance(60):
        fields["variable"] = Variable(draw.pick(sketch.variables))
    groups = [part for part in sketch.parts if "count" in part.fields]
    if groups and draw.chance(80):
        fields["group"] = Field(groups[0].name, draw.pick(groups[0].fields))
    return fields
