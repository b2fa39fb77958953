"""Random keys: the `key` of a part, and equalities between the keys of two patterns."""

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.patterns import Equalities
from cepheid.testing.cases.draw import Draw
from cepheid.testing.cases.sketches import Sketch


def key_of_some(draw: Draw, sketch: Sketch) -> Expr | None:
    """Return the key of one of the parts, one that is always bound if there is one."""
    certain = [part for part in sketch.keyed if part.certain]
    parts = certain or list(sketch.keyed)
    return Field(draw.pick(parts).name, "key") if parts else None


def equal_keys(draw: Draw, one: Sketch, other: Sketch, percent: int) -> Equalities:
    """Return in so many cases of a hundred an equality of two keys, written in either direction."""
    left, right = key_of_some(draw, one), key_of_some(draw, other)
    if left is None or right is None or not draw.chance(percent):
        return ()
    return ((right, left),) if draw.chance(30) else ((left, right),)
