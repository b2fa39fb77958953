"""Operators over whole columns, where arrays can give the very answers that single values have.

Each returns None where they cannot: then the operator is applied value by value.
"""

from collections.abc import Callable, Mapping

import numpy as np

from cepheid.engine.kernels.columns.columns import Column, Kind, nulls
from cepheid.engine.kernels.compiling.typed_arrays import Data, Mask

Operation = Callable[..., Column | None]
NUMBERS = (Kind.INT, Kind.FLOAT)
EXACT = 2**53
_LEAST, _SAFE_PRODUCT = -(2**63), 2.0**62


def _both(left: Column, right: Column) -> Mask | None:
    """Return where both have a value."""
    if left.valid is None or right.valid is None:
        return left.valid if right.valid is None else right.valid
    return left.valid & right.valid


def _comparable(left: Column, right: Column) -> tuple[Data, Data] | None:
    """Return two arrays whose comparison is exact: a whole number is compared with a float by its exact value."""
    if left.kind is right.kind:
        return left.data, right.data
    whole = left if left.kind is Kind.INT else right
    if len(whole) and max(abs(int(whole.data.max())), abs(int(whole.data.min()))) > EXACT:
        return None
    return left.data.astype(np.float64, copy=False), right.data.astype(np.float64, copy=False)


def _compared(left: Column, right: Column, compare: Callable[[Data, Data, bool], Mask]) -> Column | None:
    if Kind.NULL in (left.kind, right.kind):
        return nulls(len(left))
    if left.kind in NUMBERS and right.kind in NUMBERS:
        pair = _comparable(left, right)
        if pair is None:
            return None
        floats = Kind.FLOAT in (left.kind, right.kind)
        return Column(Kind.BOOL, compare(*pair, floats), _both(left, right))
    if left.kind is right.kind is Kind.BOOL:
        return Column(Kind.BOOL, compare(left.data, right.data, False), _both(left, right))
    return None


def _equal_arrays(left: Data, right: Data, floats: bool) -> Mask:
    same: Mask = left == right
    return same | (np.isnan(left) & np.isnan(right)) if floats else same


def _less_arrays(left: Data, right: Data, floats: bool) -> Mask:
    less: Mask = left < right
    # The least is NaN where anything is.
    if not floats or not len(right) or not np.isnan(right.min()):
        return less
    return less | (np.isnan(right) & ~np.isnan(left))


def equal(left: Column, right: Column) -> Column | None:
    if left.kind is right.kind is Kind.TEXT:
        return Column(Kind.BOOL, left.data == right.data, _both(left, right))
    return _compared(left, right, _equal_arrays)


def less(left: Column, right: Column) -> Column | None:
    return _compared(left, right, _less_arrays)


def negated(operand: Column | None) -> Column | None:
    """Kleene's negation, for what is a boolean or null."""
    if operand is None or operand.kind not in (Kind.BOOL, Kind.NULL):
        return None
    return operand if operand.kind is Kind.NULL else Column(Kind.BOOL, ~operand.data, operand.valid)


def conjunction(left: Column, right: Column) -> Column | None:
    """Kleene's conjunction: false decides alone."""
    if left.kind is not Kind.BOOL or right.kind is not Kind.BOOL:
        return None
    data = left.data & right.data
    if left.valid is None and right.valid is None:
        return Column(Kind.BOOL, data)
    false = (left.present & ~left.data) | (right.present & ~right.data)
    return Column(Kind.BOOL, data & ~false, false | (left.present & right.present))


def disjunction(left: Column, right: Column) -> Column | None:
    one, other = negated(left), negated(right)
    return None if one is None or other is None else negated(conjunction(one, other))


def _sum(left: Data, right: Data) -> tuple[Data, Mask]:
    total = left + right
    return total, ((left ^ total) & (right ^ total)) >= 0


def _difference(left: Data, right: Data) -> tuple[Data, Mask]:
    rest = left - right
    return rest, ((left ^ right) & (left ^ rest)) >= 0


def _calculated(
    left: Column, right: Column, whole: Callable[..., object], floats: Callable[..., Data]
) -> Column | None:
    if Kind.NULL in (left.kind, right.kind):
        return nulls(len(left))
    if left.kind not in NUMBERS or right.kind not in NUMBERS:
        return None
    with np.errstate(all="ignore"):
        if left.kind is right.kind is Kind.INT:
            found = whole(left.data, right.data)
            return None if found is None else _checked(found, _both(left, right))
        data = floats(left.data.astype(np.float64, copy=False), right.data.astype(np.float64, copy=False))
    return Column(Kind.FLOAT, data, _both(left, right))


def _checked(found: object, valid: Mask | None) -> Column:
    """Return whole numbers, null where 64 bits do not hold them."""
    assert isinstance(found, tuple)
    data, fits = found
    if fits.all():
        return Column(Kind.INT, data, valid)
    return Column(Kind.INT, data, fits if valid is None else fits & valid)


def add(left: Column, right: Column) -> Column | None:
    return _calculated(left, right, _sum, np.add)


def subtract(left: Column, right: Column) -> Column | None:
    return _calculated(left, right, _difference, np.subtract)


def _product(left: Data, right: Data) -> tuple[Data, Mask] | None:
    near = np.abs(left.astype(np.float64, copy=False) * right.astype(np.float64, copy=False))
    return None if (near > _SAFE_PRODUCT).any() else (left * right, np.ones(len(left), np.bool_))


def multiply(left: Column, right: Column) -> Column | None:
    return _calculated(left, right, _product, np.multiply)


def divide(left: Column, right: Column) -> Column | None:
    if Kind.NULL in (left.kind, right.kind):
        return nulls(len(left))
    if left.kind not in NUMBERS or right.kind not in NUMBERS:
        return None
    above, below = left.data.astype(np.float64, copy=False), right.data.astype(np.float64, copy=False)
    with np.errstate(all="ignore"):
        quotient = above / below
    valid, possible = _both(left, right), below != 0
    return Column(Kind.FLOAT, quotient, possible if valid is None else possible & valid)


def negate(operand: Column) -> Column | None:
    if operand.kind is Kind.FLOAT:
        return Column(Kind.FLOAT, -operand.data, operand.valid)
    if operand.kind is not Kind.INT or (operand.data == _LEAST).any():
        return None
    return Column(Kind.INT, -operand.data, operand.valid)


def is_null(operand: Column) -> Column:
    return Column(Kind.BOOL, ~operand.present)


OPERATIONS: Mapping[str, Operation] = {
    "==": equal,
    "!=": lambda left, right: negated(equal(left, right)),
    "<": less,
    ">": lambda left, right: less(right, left),
    "<=": lambda left, right: negated(less(right, left)),
    ">=": lambda left, right: negated(less(left, right)),
    "and": conjunction,
    "or": disjunction,
    "not": negated,
    "+": add,
    "-": subtract,
    "*": multiply,
    "/": divide,
    "neg": negate,
    "is_null": is_null,
}
