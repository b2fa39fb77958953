"""The names of the parts of an occurrence: which of them may be missing, and whether two parts have one."""

from cepheid.engine.kernels.facts.declining import Declined
from cepheid.engine.kernels.plans.pattern_stages import (
    AbsenceStageShape,
    AutomatonShape,
    CollectStageShape,
    CombinationShape,
    NeverShape,
    PairShape,
    PointShape,
    RepeatShape,
    ScanShape,
    SieveShape,
    StageShape,
    UnionShape,
    names_of,
)


def check_names(shape: StageShape) -> None:
    """Decline parts of one occurrence that have one name; alternatives may, of which there is one at a time."""
    match shape:
        case ScanShape() | PointShape() | NeverShape() | AutomatonShape():
            pass
        case PairShape(one, other) | AbsenceStageShape(one, other) | CollectStageShape(_, one, other):
            if set(names_of(one)) & set(names_of(other)):
                raise Declined("two of its parts have one name")
            check_names(one)
            check_names(other)
        case UnionShape(branches):
            for branch in branches:
                check_names(branch)
        case CombinationShape(parts):
            if len(set(names_of(shape))) < sum(len(set(names_of(part))) for part in parts):
                raise Declined("two of its parts have one name")
            for part in parts:
                check_names(part)
        case SieveShape(inner) | RepeatShape(_, inner):
            check_names(inner)


def optional_names(shape: StageShape) -> set[str]:
    """Return the names that an occurrence may lack, because it is of another branch."""
    match shape:
        case UnionShape(branches) if len(branches) > 1:
            return set(names_of(shape))
        case UnionShape((inner,)) | SieveShape(inner) | CollectStageShape(_, inner):
            return optional_names(inner)
        case AutomatonShape(_, names):
            return set(names[1:])
        case PairShape(left, right):
            return optional_names(left) | optional_names(right)
        case CombinationShape(parts):
            return set[str]().union(*map(optional_names, parts))
        case _:
            return set()
