"""Which parts a condition reads."""

from cepheid.algebra.expressions import Aggregate, Expr, Field, IsBound, Variable
from cepheid.algebra.relations import Endpoint
from cepheid.algebra.traversal import walk


def parts_read(expression: Expr) -> frozenset[str]:
    """Return the names of the parts that an expression reads."""
    read = set()
    for node in walk(expression):
        match node:
            case Field(part=name) | Endpoint(part=name) | IsBound(name=name):
                read.add(name)
    return frozenset(read)


def reads_hull(expression: Expr) -> bool:
    """Say whether an expression speaks of the hull of a part or a match, such as `$0`."""
    return any(name.startswith("$") for name in parts_read(expression))


def reads_only(expression: Expr, part: str) -> bool:
    """Say whether an expression can be asked of one part alone."""
    has_more = any(isinstance(node, Variable | Aggregate) for node in walk(expression))
    return parts_read(expression) == {part} and not has_more
