"""Recognise collections: an anchor with folds over single events of its key, in a window that ends with it."""

from dataclasses import dataclass
from operator import ge, gt, le, lt

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, Literal
from cepheid.algebra.patterns import Collect
from cepheid.algebra.relations import Edge
from cepheid.algebra.traversal import walk
from cepheid.engine.kernels.declining import Declined, readable
from cepheid.engine.kernels.exact_numbers import number_of
from cepheid.engine.kernels.time_bounds import TimeBounds
from cepheid.engine.kernels.wrappers import named_points, place_of

_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_COMPARED = {"<": lt, "<=": le, ">": gt, ">=": ge}
_FOLDS = ("sum", "avg")


@dataclass(frozen=True, slots=True)
class Test:
    """A fold compared with a number: `count`, or the `sum` or `avg` of a field of the items."""

    fold: str
    operator: str
    limit: float

    @property
    def refuses_nothing(self) -> bool:
        """Is a collection of nothing never told? Its count is 0, and its other folds are null."""
        return self.fold != "count" or not _COMPARED[self.operator](0, self.limit)


@dataclass(frozen=True, slots=True)
class CollectShape:
    """What is told of an anchor: folds over the items from `low` to `high` after it, neither above zero.

    A kernel looks at `tests` of folds of the field `summed`, before the folds themselves are computed.
    """

    name: str
    low: int
    high: int
    folds: tuple[tuple[str, Expr], ...]
    summed: str | None
    tests: tuple[Test, ...]


def collect_shape(collect: Collect, names: tuple[str, str], filters: tuple[Expr, ...]) -> CollectShape:
    """Return the shape of a collection of single events."""
    if collect.where is not None:
        raise Declined("the items of a collection have a condition of their own")
    for fold in collect.folds.values():
        readable_fold(fold)
    places = named_points(names)
    places |= {(f"${name}", edge): number for number, name in enumerate(("anchor", "item")) for edge in Edge}
    bounds = TimeBounds(2)
    for one in collect.relation:
        bounds.limit(*place_of(one, places), one.low, one.high)
    high, back = bounds.most[0][1], bounds.most[1][0]
    if high is None or back is None or high > 0 or not bounds.possible or -back > high:
        raise Declined("the window of a collection does not end with its anchor")
    summed, tests = _tests(collect, names[1], filters)
    if collect.equal and not any(test.refuses_nothing for test in tests):
        raise Declined("an event whose key is null has a collection of nothing, which may be told")
    return CollectShape(collect.name, -back, high, tuple(collect.folds.items()), summed, tests)


def readable_fold(fold: Expr) -> None:
    """Decline a fold that is more than an aggregate of what single events say."""
    if not isinstance(fold, Aggregate) or any(isinstance(node, Aggregate) for node in walk(fold.argument)):
        raise Declined("a fold is more than one aggregate")
    readable(fold.argument, hull=False)


def _tests(collect: Collect, item: str, filters: tuple[Expr, ...]) -> tuple[str | None, tuple[Test, ...]]:
    summed: str | None = None
    tests = []
    for condition in filters:
        match condition:
            case Call(operator, (Field(part, name), Literal(value))) if part == collect.name:
                pass
            case Call(turned, (Literal(value), Field(part, name))) if part == collect.name and turned in _TURNED:
                operator = _TURNED[turned]
            case _:
                continue
        fold, limit = collect.folds.get(name), number_of(value)
        if operator not in _TURNED or limit != limit or abs(limit) == float("inf"):
            continue
        match fold:
            case Aggregate("count", None):
                tests.append(Test("count", operator, limit))
            case Aggregate(function, Field(part, field)) if function in _FOLDS and part == item:
                if summed in (None, field):
                    summed = field
                    tests.append(Test(function, operator, limit))
    return summed, tuple(tests)
