"""Recognise collections: an anchor with folds over single events of its key, in a window around it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import ge, gt, le, lt

from cepheid.algebra.expressions import Aggregate, Call, Expr, Field, Literal
from cepheid.algebra.patterns import Collect
from cepheid.algebra.relations import Edge
from cepheid.algebra.traversal import rename, walk
from cepheid.engine.kernels.columns.exact_numbers import number_of
from cepheid.engine.kernels.facts.declining import Declined, readable
from cepheid.engine.kernels.facts.time_bounds import TimeBounds
from cepheid.engine.kernels.facts.wrappers import named_points, place_of, plain_atom

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
    """What is told of an anchor: folds over the items from `low` to `high` after it.

    Several collections may take the same items; `folds` are named by these and by themselves. `where` is a condition on
    an item beside its anchor. A kernel looks at `tests` of folds of the field `summed`, before the folds themselves are
    computed.
    """

    names: tuple[str, ...]
    low: int
    high: int
    where: Expr | None
    folds: tuple[tuple[str, str, Expr], ...]
    summed: str | None
    tests: tuple[Test, ...]

    @property
    def reads(self) -> tuple[Expr, ...]:
        """All that is read of items and anchors."""
        return (*(fold for _, _, fold in self.folds), *(() if self.where is None else (self.where,)))


def alike(collects: Sequence[Collect], item: str) -> list[Collect]:
    """Return collections over the same items, whose items have one name; decline others."""
    first, *others = [rename(one, {plain_atom(one.item).name: item}) for one in collects]
    for one in others:
        if replace(one, name=first.name, anchor=first.anchor, folds=first.folds) != first:
            raise Declined("several collections take different items")
    names = {one.name for one in collects}
    if any(isinstance(node, Field) and node.part in names for one in collects for node in walk((one.where, one.folds))):
        raise Declined("a collection reads what another tells")
    return [first, *others]


def collect_shape(collects: Sequence[Collect], names: tuple[str, str], filters: tuple[Expr, ...]) -> CollectShape:
    """Return the shape of collections of the same single events."""
    collect = collects[0]
    if collect.where is not None:
        readable(collect.where, hull=False)
    folds = [(one.name, name, fold) for one in collects for name, fold in one.folds.items()]
    for _, _, fold in folds:
        readable_fold(fold)
    places = named_points(names)
    places |= {(f"${name}", edge): number for number, name in enumerate(("anchor", "item")) for edge in Edge}
    bounds = TimeBounds(2)
    for one in collect.relation:
        bounds.limit(*place_of(one, places), one.low, one.high)
    high, back = bounds.most[0][1], bounds.most[1][0]
    if high is None or back is None or not bounds.possible or -back > high:
        raise Declined("the window of a collection has no end")
    summed, tests = _tests(folds, names[1], filters, chosen=collect.where is not None)
    if collect.equal and not any(test.refuses_nothing for test in tests):
        raise Declined("an event whose key is null has a collection of nothing, which may be told")
    told = tuple(one.name for one in collects)
    return CollectShape(told, -back, high, collect.where, tuple(folds), summed, tests)


def readable_fold(fold: Expr) -> None:
    """Decline a fold that is more than an aggregate of what single events say."""
    if not isinstance(fold, Aggregate) or any(isinstance(node, Aggregate) for node in walk(fold.argument)):
        raise Declined("a fold is more than one aggregate")
    readable(fold.argument, hull=False)


def _tests(
    folds: Sequence[tuple[str, str, Expr]], item: str, filters: tuple[Expr, ...], *, chosen: bool
) -> tuple[str | None, tuple[Test, ...]]:
    """Return what a kernel can test; where items are `chosen` by a condition, it only knows that they are no more."""
    told = {(collection, name): fold for collection, name, fold in folds}
    summed: str | None = None
    tests = []
    for condition in filters:
        match condition:
            case Call(operator, (Field(part, name), Literal(value))):
                pass
            case Call(turned, (Literal(value), Field(part, name))) if turned in _TURNED:
                operator = _TURNED[turned]
            case _:
                continue
        fold, limit = told.get((part, name)), number_of(value)
        if operator not in _TURNED or limit != limit or abs(limit) == float("inf"):
            continue
        match fold:
            case Aggregate("count", None) if not chosen or operator in (">", ">="):
                tests.append(Test("count", operator, limit))
            case Aggregate(function, Field(part, field)) if function in _FOLDS and part == item and not chosen:
                if summed in (None, field):
                    summed = field
                    tests.append(Test(function, operator, limit))
    return summed, tuple(tests)
