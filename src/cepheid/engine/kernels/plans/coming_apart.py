"""Whether matches of one rule that are alike in everything may become certain at different times."""

from itertools import combinations, product

from cepheid.algebra.policies import Choice
from cepheid.engine.kernels.plans.pattern_stages import (
    AbsenceStageShape,
    AutomatonShape,
    CollectStageShape,
    CombinationShape,
    FilterShape,
    NeverShape,
    PairShape,
    PointShape,
    RepeatShape,
    ScanShape,
    SieveShape,
    StageShape,
    UnionShape,
    every,
    scans_of,
)

_ANY = -1


def comes_apart(shape: StageShape) -> bool:
    """Say whether the same events can be told twice, once as they come and once when something else is certain."""
    unions = [one for one in every(shape) if isinstance(one, UnionShape)]
    return any(_are_alike(one, other) for union in unions for one, other in combinations(union.branches, 2))


def _are_alike(one: StageShape, other: StageShape) -> bool:
    scans = [scans_of(branch) for branch in (one, other)]
    types = [frozenset[str]().union(*(scan.types for scan in some)) for some in scans]
    share = types[0] & types[1] or any(not scan.types for some in scans for scan in some)
    counts = (_counts(one), _counts(other))
    level = bool(counts[0] & counts[1]) or any(_ANY in some for some in counts)
    return bool(share) and level and _waits(one) != _waits(other)


def _waits(shape: StageShape) -> set[object]:
    """Return what an occurrence waits in, and for what; it waits as long as another for which this is the same."""
    return {
        (type(one), _until(one))
        for one in every(shape)
        if (isinstance(one, SieveShape | RepeatShape | CollectStageShape) and not isinstance(one, FilterShape))
        or (isinstance(one, PairShape) and one.choice is not Choice.ALL)
    }


def _until(shape: StageShape) -> object:
    """Return what says how long an occurrence waits in a stage."""
    match shape:
        case AbsenceStageShape() | CollectStageShape():
            return shape.certain
        case RepeatShape():
            return shape.name
        case _:
            return None


def _counts(shape: StageShape) -> frozenset[int]:
    """Return how many events an occurrence can have."""
    match shape:
        case ScanShape() | PointShape():
            return frozenset({1})
        case NeverShape():
            return frozenset()
        case RepeatShape() | CollectStageShape() | AutomatonShape():
            return frozenset({_ANY})
        case PairShape(left, right):
            sums = {one + other for one in _counts(left) for other in _counts(right)}
            return frozenset({_ANY}) if _ANY in _counts(left) | _counts(right) else frozenset(sums)
        case UnionShape(branches):
            return frozenset[int]().union(*map(_counts, branches))
        case CombinationShape(parts):
            counts = [_counts(part) for part in parts]
            is_any = any(_ANY in some for some in counts)
            return frozenset({_ANY}) if is_any else frozenset(map(sum, product(*counts)))
        case SieveShape(inner):
            return _counts(inner)
