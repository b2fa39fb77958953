"""Random repetitions and collections, with folds over their items."""

from collections.abc import Mapping

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, Literal
from cepheid.algebra.intervals import inside
from cepheid.algebra.patterns import Collect, Repeat
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Difference, Relation, end, start
from cepheid.testing.cases.conditions import COMPARISONS, condition
from cepheid.testing.cases.keys import equal_keys, key_of_some
from cepheid.testing.cases.leaves import plain_atom
from cepheid.testing.cases.relations import window
from cepheid.testing.cases.sketches import Kind, Part, Sketch, Workshop

_REPEATED = {Kind.ATOM: 80, Kind.JOIN: 12, Kind.EITHER: 8}
_ANCHOR = {Kind.ATOM: 60, Kind.JOIN: 25, Kind.INSTANT: 10, Kind.UNLESS: 5}
_COLLECTED = {Kind.ATOM: 85, Kind.JOIN: 8, Kind.EITHER: 7}
_AGGREGATES = ("sum", "avg", "min", "max", "first", "last", "list", "count")
_MOST_SUBSEQUENCES = 3
_MOST_ITEMS = 8


def repeat(workshop: Workshop, depth: int) -> Sketch:
    """Return a repetition: greedy runs, or every subsequence."""
    draw, choice = workshop.draw, _repeat_choice(workshop)
    item = workshop.any_of(_REPEATED, depth - 1)
    if item.size > _MOST_ITEMS:
        item = plain_atom(workshop)
    least = draw.weighted({1: 40, 2: 45, 3: 15})
    key = key_of_some(draw, item) if draw.chance(25) else None
    folds = _folds(workshop, item)
    name = workshop.fresh("g")
    node = Repeat(
        name,
        item.pattern,
        least,
        _most(workshop, least, choice),
        _gap(workshop),
        _link(workshop, item),
        (window(workshop, "$first", "$last"),) if draw.chance(35) else (),
        choice,
        (key,) if key else (),
        folds,
    )
    size = item.size * 4 if choice is Choice.ALL else item.size
    return Sketch(node, (Part(name, tuple(folds), is_event=False),), size)


def collect(workshop: Workshop, depth: int) -> Sketch:
    """Return an anchor with all that stands in relation to it."""
    draw, anchor = workshop.draw, workshop.any_of(_ANCHOR, depth - 1)
    item = workshop.any_of(_COLLECTED, depth - 1)
    folds = _folds(workshop, item)
    name = workshop.fresh("g")
    node = Collect(
        name,
        anchor.pattern,
        item.pattern,
        _around(workshop),
        equal_keys(draw, anchor, item, workshop.shape.keyed),
        condition(draw, [anchor, item]) if draw.chance(20) else None,
        folds,
    )
    group = Part(name, tuple(folds), is_event=False)
    return Sketch(node, (*anchor.parts, group), anchor.size, anchor.variables)


def _repeat_choice(workshop: Workshop) -> Choice:
    allowed = [choice for choice in (Choice.NEXT, Choice.ALL) if choice in workshop.shape.choices]
    return workshop.draw.pick(allowed or [Choice.ALL])


def _most(workshop: Workshop, least: int, choice: Choice) -> int | None:
    if choice is Choice.ALL:
        return max(least, _MOST_SUBSEQUENCES)
    return least + workshop.draw.integer(0, 2) if workshop.draw.chance(40) else None


def _gap(workshop: Workshop) -> Relation:
    draw = workshop.draw
    kinds = {"after": 45, "close": 35, "any": 10, "adjacent": 10 if workshop.shape.positions else 0}
    match draw.weighted(kinds):
        case "after":
            return (Difference(start("$next"), end("$previous"), low=1),)
        case "close":
            return (Difference(start("$next"), end("$previous"), draw.integer(0, 1), draw.integer(2, 6)),)
        case "adjacent":
            earlier, later = end("$previous", Axis.POSITION), start("$next", Axis.POSITION)
            return (Difference(later, earlier, 1, draw.integer(1, 3)),)
        case _:
            return ()


def _link(workshop: Workshop, item: Sketch) -> Expr | None:
    """Return a condition on neighbours; only a single event can be read under a special name."""
    draw = workshop.draw
    if len(item.parts) != 1 or not item.readable or not draw.chance(35):
        return None
    field = draw.pick(item.readable[0].fields)
    return Call(draw.pick(COMPARISONS), (Field("$next", field), Field("$previous", field)))


def _folds(workshop: Workshop, item: Sketch) -> Mapping[str, Expr]:
    folds: dict[str, Expr] = {"count": Aggregate("count")}
    draw = workshop.draw
    for name in draw.some(("value", "key", "other"), 0, 2):
        if item.readable:
            part = draw.pick(item.readable)
            folds[name] = _fold(workshop, Field(part.name, draw.pick(part.fields)))
    return folds


def _fold(workshop: Workshop, argument: Expr) -> Expr:
    draw = workshop.draw
    fold = Aggregate(draw.pick(_AGGREGATES), argument)
    return Call("+", (fold, Literal(1))) if draw.chance(15) else fold


def _around(workshop: Workshop) -> Relation:
    draw = workshop.draw
    match draw.weighted({"before": 40, "inside": 15, "around": 30, "after": 15}):
        case "before":
            return (Difference(end("$anchor"), start("$item"), draw.integer(0, 1), draw.integer(3, 9)),)
        case "inside":
            return inside("$item", "$anchor")
        case "after":
            return (Difference(start("$item"), end("$anchor"), draw.integer(0, 1), draw.integer(2, 6)),)
        case _:
            return (Difference(start("$item"), start("$anchor"), draw.integer(-6, 0), draw.integer(0, 6)),)
