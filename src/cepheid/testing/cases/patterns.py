"""Random patterns: well formed, small, and mostly with matches."""

from cepheid.algebra.patterns import Pattern
from cepheid.algebra.policies import Choice
from cepheid.algebra.validation import visible
from cepheid.testing.cases.absences import unless
from cepheid.testing.cases.chains import chain
from cepheid.testing.cases.detection_algebra import lowered, random_expression
from cepheid.testing.cases.draw import Draw
from cepheid.testing.cases.groups import collect, repeat
from cepheid.testing.cases.joins import join
from cepheid.testing.cases.leaves import atom, instant
from cepheid.testing.cases.sketches import Kind, Maker, Part, Shape, Sketch, Workshop
from cepheid.testing.cases.wrappers import distinct, either, restrict, select, skip, suppress

MAKERS: dict[Kind, Maker] = {
    Kind.ATOM: atom,
    Kind.INSTANT: instant,
    Kind.JOIN: join,
    Kind.SELECT: select,
    Kind.COLLECT: collect,
    Kind.EITHER: either,
    Kind.RESTRICT: restrict,
    Kind.UNLESS: unless,
    Kind.REPEAT: repeat,
    Kind.CHAIN: chain,
    Kind.DISTINCT: distinct,
    Kind.SKIP: skip,
    Kind.SUPPRESS: suppress,
}
_TOP = {
    Kind.ATOM: 2,
    Kind.JOIN: 34,
    Kind.INSTANT: 1,
    Kind.SELECT: 7,
    Kind.COLLECT: 9,
    Kind.EITHER: 6,
    Kind.RESTRICT: 8,
    Kind.UNLESS: 12,
    Kind.REPEAT: 9,
    Kind.CHAIN: 11,
    Kind.DISTINCT: 8,
    Kind.SKIP: 8,
    Kind.SUPPRESS: 9,
}


_DETECTION = frozenset({Kind.JOIN, Kind.SELECT, Kind.EITHER, Kind.UNLESS, Kind.RESTRICT, Kind.DISTINCT})


def sketch_pattern(draw: Draw, shape: Shape) -> Sketch:
    """Return a pattern with what it binds, now and then one that is an expression of the detection algebra."""
    choices = [choice for choice in (Choice.LATEST_START, Choice.ALL) if choice in shape.choices]
    if shape.kinds >= _DETECTION and choices and draw.chance(6):
        return _detection(draw, shape, draw.pick(choices))
    workshop = Workshop(draw, shape, MAKERS)
    return workshop.any_of(_TOP, shape.depth)


def _detection(draw: Draw, shape: Shape, choice: Choice) -> Sketch:
    pattern = lowered(random_expression(draw, shape.types, 2), choice)
    return Sketch(pattern, tuple(Part(name, certain=False) for name in sorted(visible(pattern))), 4)


def random_pattern(draw: Draw, shape: Shape | None = None) -> Pattern:
    """Return a pattern."""
    return sketch_pattern(draw, shape or Shape()).pattern
