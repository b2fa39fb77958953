"""Random chains: in a line, with alternatives, with recursion; with variables, avoidance and windows."""

from collections.abc import Mapping
from dataclasses import replace

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable
from cepheid.algebra.patterns import Atom, Chain, Step
from cepheid.testing.cases.conditions import filter_of
from cepheid.testing.cases.relations import window
from cepheid.testing.cases.sketches import Kind, Part, Sketch, Workshop

COUNTER, KEY, VALUE = "n", "k", "v"

# Which states there are and which follow which: the first one begins, those that nothing follows report.
_FORMS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "line of two": {"one": ("two",), "two": ()},
    "line of three": {"one": ("two",), "two": ("three",), "three": ()},
    "alternatives": {"one": ("two", "three"), "two": (), "three": ()},
    "detour": {"one": ("two", "three"), "two": ("three",), "three": ()},
    "loop": {"one": ("two", "three"), "two": ("two", "three"), "three": ()},
    "late loop": {"one": ("two",), "two": ("one", "three"), "three": ()},
}
_OFTEN = {
    "line of two": 28,
    "line of three": 14,
    "alternatives": 18,
    "detour": 8,
    "loop": 22,
    "late loop": 10,
}


def chain(workshop: Workshop, _depth: int = 0) -> Sketch:
    """Return a chain of one of the forms; where positions are not allowed to count it still follows their order."""
    draw = workshop.draw
    form = _FORMS[draw.weighted(_OFTEN)]
    known = tuple(draw.some((KEY, COUNTER, VALUE), 0, 3))
    steps = {name: _step(workshop, follow, known, is_first=name == "one") for name, follow in form.items()}
    reads_support = draw.chance(55)
    node = Chain(
        steps,
        "one",
        {COUNTER: Literal(0)} if COUNTER in known and draw.chance(70) else {},
        (window(workshop, "$first", "$last"),) if draw.chance(50) else (),
        reads_support,
        None if reads_support or draw.chance(50) else tuple(draw.some(known, 0, 2)),
    )
    parts = tuple(Part(step.lead.name, certain=name == "one") for name, step in steps.items())
    return Sketch(node, parts, 4 if len(form) == 2 else 6, known)


def _step(workshop: Workshop, follow: tuple[str, ...], known: tuple[str, ...], is_first: bool) -> Step:
    draw, name = workshop.draw, workshop.fresh("e")
    where = None if is_first and draw.chance(80) else _lead_condition(workshop, name, known)
    lead = Atom(name, _types(workshop), where)
    avoid = _avoid(workshop, known) if follow and draw.chance(35) else None
    return Step(
        lead,
        _lets(workshop, name, known, is_first),
        avoid,
        follow,
        every=workshop.allows(Kind.SKIP) and draw.chance(12),
    )


def _types(workshop: Workshop) -> frozenset[str]:
    draw, types = workshop.draw, workshop.shape.types
    count = min(draw.weighted({1: 75, 2: 15, 0: 10}), len(types))
    return frozenset(draw.some(types, count, count))


def _lead_condition(workshop: Workshop, name: str, known: tuple[str, ...]) -> Expr | None:
    draw = workshop.draw
    conditions: dict[str, Expr] = {
        KEY: _same_key_or_none(name),
        VALUE: Call(draw.pick(("!=", ">=", "<=")), (Field(name, "value"), Variable(VALUE))),
        COUNTER: Call("<", (Variable(COUNTER), Literal(draw.integer(2, 3)))),
    }
    if known and draw.chance(50):
        return conditions[draw.pick(known)]
    return filter_of(draw, name) if draw.chance(20) else None


def _same_key_or_none(name: str) -> Expr:
    return Call("or", (Call("is_null", (Variable(KEY),)), Call("==", (Field(name, "key"), Variable(KEY)))))


def _lets(workshop: Workshop, name: str, known: tuple[str, ...], is_first: bool) -> Mapping[str, Expr]:
    """Return what a step binds, one after the other: a later one reads an earlier one."""
    draw = workshop.draw
    lets: dict[str, Expr] = {}
    if KEY in known and (is_first or draw.chance(20)):
        lets[KEY] = Field(name, "key")
    if COUNTER in known and (is_first or draw.chance(60)):
        lets[COUNTER] = Call("+", (Variable(COUNTER), Literal(1)))
    if VALUE in known and (is_first or draw.chance(60)):
        more = Call("+", (Variable(COUNTER if COUNTER in known else VALUE), Field(name, "value")))
        lets[VALUE] = more if draw.chance(30) else Field(name, "value")
    return lets


def _avoid(workshop: Workshop, known: tuple[str, ...]) -> Atom:
    draw, name = workshop.draw, workshop.fresh("x")
    avoided = Atom(name, frozenset((draw.pick(workshop.shape.types),)))
    match draw.weighted({"plain": 60, "filter": 20, "key": 20 if KEY in known else 0}):
        case "filter":
            return replace(avoided, where=filter_of(draw, name))
        case "key":
            return replace(avoided, where=Call("==", (Field(name, "key"), Variable(KEY))))
        case _:
            return avoided
