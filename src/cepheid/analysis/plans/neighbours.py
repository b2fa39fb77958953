"""How near to an event a point of time must lie to matter: where nothing is near, nobody waits for it.

    (a: A and instant t: every(1 s, 0)) within 30 s      only the points within 30 s of an `A`

A point that is a part of a join, of what is absent or of what is collected matters only together with what stands
beside it. A point that is a match by itself always matters.
"""

from collections.abc import Iterator

from cepheid.algebra.patterns import Collect, Instant, Join, Pattern, Unless
from cepheid.algebra.traversal import walk
from cepheid.analysis.closures.tree import Path, at, below
from cepheid.analysis.plans.plan import Near
from cepheid.analysis.plans.reaches import Reaches, is_open


def near(reaches: Reaches, path: Path) -> Near | None:
    """Return how near to a record the points at `path` matter; None where all may.

    Of several neighbours that a point must have, the one that leaves the least to look at is taken.
    """
    found = [
        bounds for node, other in _neighbours(reaches.root, path) if (bounds := _bounds(reaches, path, node, other))
    ]
    return min(found, key=lambda one: one.before + one.after, default=None)


def _bounds(reaches: Reaches, path: Path, node: Path, other: Path) -> Near | None:
    before, after = reaches.apart(node, other, path), reaches.apart(node, path, other)
    return None if before is None or after is None else Near(before, after)


def _neighbours(root: Pattern, path: Path) -> Iterator[tuple[Path, Path]]:
    """Yield what must stand beside what is at `path` for it to matter, each after the node that joins the two."""
    for depth in reversed(range(len(path))):
        place, number = path[:depth], path[depth]
        node = at(root, place)
        if isinstance(node, Join) or (isinstance(node, Unless | Collect) and number == 1):
            others = enumerate(below(node))
            yield from ((place, (*place, one)) for one, other in others if one != number and _is_of_records(other))
        if not is_open(node, number):
            return


def _is_of_records(pattern: Pattern) -> bool:
    return not any(isinstance(node, Instant) for node in walk(pattern))
