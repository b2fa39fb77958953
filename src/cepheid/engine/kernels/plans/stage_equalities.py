"""What the parts of a join must have in common, by the part that it is read from."""

from collections.abc import Iterable, Sequence

from cepheid.algebra.expressions import Expr, Variable
from cepheid.algebra.patterns import Equalities
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.retention import parts_read
from cepheid.engine.kernels.columns.column_evaluation import RUN
from cepheid.engine.kernels.facts.declining import Declined, readable

Keys = tuple[tuple[Expr, ...], tuple[Expr, ...]]


def equal_classes(equal: Equalities, names: Sequence[set[str]]) -> list[tuple[tuple[Expr, ...], ...]]:
    """Return what is said to be equal in classes, each with what it reads from every part: one thing, or nothing."""
    classes: list[dict[int, Expr]] = []
    for pair in equal:
        ends: dict[int, Expr] = {}
        for expression in pair:
            readable(expression, hull=False, variables=True)
            read = _read(expression)
            places = [number for number, some in enumerate(names) if read and read <= some]
            if len(places) != 1 or places[0] in ends:
                raise Declined("an equality is not between two of its parts")
            ends[places[0]] = expression
        joined = [one for one in classes if any(one.get(part) == expression for part, expression in ends.items())]
        whole = dict(ends)
        for one in joined:
            if any(whole.get(part, expression) != expression for part, expression in one.items()):
                raise Declined("an equality is not between two of its parts")
            whole |= one
            classes.remove(one)
        classes.append(whole)
    return [tuple((each[part],) if part in each else () for part in range(len(names))) for each in classes]


def equal_sides(equal: Equalities, left: Iterable[str], right: Iterable[str]) -> Keys:
    """Return what is said to be equal, by the side that it is read from."""
    names = (set(left), set(right))
    found: tuple[list[Expr], list[Expr]] = ([], [])
    for pair in equal:
        for expression in pair:
            readable(expression, hull=False, variables=True)
        read = [_read(expression) for expression in pair]
        places = (0, 1) if read[0] <= names[0] and read[1] <= names[1] else (1, 0)
        if not all(read) or not (read[places[0]] <= names[0] and read[places[1]] <= names[1]):
            raise Declined("an equality is not between its two parts")
        found[0].append(pair[places[0]])
        found[1].append(pair[places[1]])
    return tuple(found[0]), tuple(found[1])


def own_sides(per: Iterable[Expr], left: Iterable[str], right: Iterable[str]) -> Keys:
    """Return what a choice is made by, by the side that it is read from."""
    names, found = (set(left), set(right)), (list[Expr](), list[Expr]())
    for expression in per:
        read = _read(expression)
        places = [side for side, some in enumerate(names) if read and read <= some]
        if not places:
            raise Declined("it chooses by a key of both of its parts")
        found[places[0]].append(expression)
    return tuple(found[0]), tuple(found[1])


def _read(expression: Expr) -> set[str]:
    """Return the names that something is read from; variables are those of the run of a chain."""
    has_variables = any(isinstance(node, Variable) for node in walk(expression))
    return {*parts_read((expression,)), *([RUN] if has_variables else [])}
