"""Values, and comparisons that always have an answer: true, false or null.

    equal(1, 1.0) is True      equal(1, "1") is None      less(None, 1) is None

A comparison never raises. It is null when an operand is null or when the operands are of different kinds (a
string and a number, say, or a boolean and a number: `True` is not `1`). NaN equals NaN and is greater than
every other number. An integer is compared with a float by its exact value. An object that is no `Value`
counts as null.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TypeAlias, TypeGuard

Value: TypeAlias = bool | int | float | str | tuple["Value", ...] | Mapping[str, "Value"] | None

LEAST_INTEGER = -(2**63)
GREATEST_INTEGER = 2**63 - 1


class Mark(Enum):
    """What `key_of` puts in place of values that Python takes for others, or for not themselves."""

    FALSE = "false"
    TRUE = "true"
    NAN = "nan"


def integer(number: int) -> int | None:
    """Return `number` where 64 bits hold it, null where they do not.

    >>> integer(2**63 - 1), integer(2**63)
    (9223372036854775807, None)
    """
    return number if LEAST_INTEGER <= number <= GREATEST_INTEGER else None


def is_number(value: object) -> TypeGuard[int | float]:
    """Say whether `value` is an integer or a float; a boolean is neither."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_nan(value: object) -> bool:
    """Say whether `value` is the float that is not a number."""
    return isinstance(value, float) and value != value


def equal(left: Value, right: Value) -> bool | None:
    """Say whether two values are the same; tuples and records are when all their parts are.

    >>> equal(float("nan"), float("nan")), equal(0.0, -0.0), equal(2**53 + 1, float(2**53))
    (True, True, False)
    >>> equal((1, None), (1, 2)) is None, equal((1, None), (3, 2))
    (True, False)
    """
    kind = type(left)
    if kind is type(right):  # most values, and little more to ask about them
        if kind is int or kind is str:
            return left == right
        if kind is float:
            return left == right or (left != left and right != right)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return _equal_tuples(left, right)
    if isinstance(left, Mapping) and isinstance(right, Mapping):
        return _equal_records(left, right)
    if not _same_kind(left, right):
        return None
    return bool(left == right) or (is_nan(left) and is_nan(right))


def less(left: Value, right: Value) -> bool | None:
    """Say whether `left` comes before `right`: false before true, NaN last, tuples by their first difference.

    Records have no order, so two of them compare as null.

    >>> less(float("inf"), float("nan")), less("a", "b"), less((1, 2), (1, 2, 0))
    (True, True, True)
    >>> less(True, 2) is None, less((1, None), (2, None))
    (True, True)
    """
    kind = type(left)
    if kind is type(right):
        if kind is int or kind is str:
            return left < right  # type: ignore[operator]  # two of one kind
        if kind is float:
            return left < right or (right != right and left == left)  # type: ignore[operator]  # two of one kind
    if is_number(left) and is_number(right):
        return bool(left < right) or (is_nan(right) and not is_nan(left))
    if isinstance(left, str) and isinstance(right, str):
        return left < right
    if isinstance(left, bool) and isinstance(right, bool):
        return left < right
    if isinstance(left, tuple) and isinstance(right, tuple):
        return _less_tuples(left, right)
    return None


def and_(left: Value, right: Value) -> bool | None:
    """Kleene's conjunction: false decides alone, and what is not a boolean is unknown.

    >>> and_(None, False), and_(None, True) is None, and_(3, True) is None
    (False, True, True)
    """
    if left is False or right is False:
        return False
    return True if left is True and right is True else None


def or_(left: Value, right: Value) -> bool | None:
    """Kleene's disjunction: true decides alone, and what is not a boolean is unknown.

    >>> or_(None, True), or_(None, False) is None
    (True, True)
    """
    if left is True or right is True:
        return True
    return False if left is False and right is False else None


def not_(operand: Value) -> bool | None:
    """Negation; unknown for what is not a boolean."""
    return not operand if isinstance(operand, bool) else None


def key_of(value: Value) -> object:
    """Return a hashable stand-in that is the same for two values exactly when they belong in one group.

    Equal values have one key, whatever their Python type: `1` and `1.0`, `0.0` and `-0.0`, NaN and NaN;
    `True` and `1` have two. Null stays null, and it is for the caller to know that null joins nothing. A
    missing field is null, so a record's null fields leave no trace.

    >>> key_of(1.0) == key_of(1), key_of(True) == key_of(1), key_of(None) is None
    (True, False, True)
    >>> key_of({"user": "ann", "note": None}) == key_of({"user": "ann"})
    True
    """
    kind = type(value)
    if kind is int or kind is str:
        return value
    if isinstance(value, bool):
        return Mark.TRUE if value else Mark.FALSE
    if isinstance(value, float):
        return _key_of_float(value)
    if isinstance(value, int | str):
        return value
    if isinstance(value, tuple):
        return tuple(key_of(part) for part in value)
    if isinstance(value, Mapping):
        return frozenset((name, key_of(part)) for name, part in value.items() if part is not None)
    return None


def sort_key(value: Value) -> tuple[object, ...]:
    """Return a key that puts all values in one total order, the one of `less` wherever that has an answer.

    Null comes first, then booleans, numbers (NaN last), strings, tuples and records.

    >>> sorted(["b", 2, None, float("nan"), True, 1.5], key=sort_key)
    [None, True, 1.5, 2, nan, 'b']
    """
    if isinstance(value, bool):
        return (1, value)
    if is_number(value):
        return (2, 1, 0) if is_nan(value) else (2, 0, value)
    if isinstance(value, str):
        return (3, value)
    if isinstance(value, tuple):
        return (4, tuple(sort_key(part) for part in value))
    if isinstance(value, Mapping):
        return (5, tuple(sorted((name, sort_key(part)) for name, part in value.items() if part is not None)))
    return (0,)


def _key_of_float(value: float) -> object:
    if value != value:
        return Mark.NAN
    return int(value) if value.is_integer() else value


def _same_kind(left: object, right: object) -> bool:
    if isinstance(left, bool) or isinstance(right, bool):
        return isinstance(left, bool) and isinstance(right, bool)
    if isinstance(left, str):
        return isinstance(right, str)
    return is_number(left) and is_number(right)


def _equal_tuples(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool | None:
    if len(left) != len(right):
        return False
    return _all(equal(mine, yours) for mine, yours in zip(left, right, strict=True))


def _equal_records(left: Mapping[str, Value], right: Mapping[str, Value]) -> bool | None:
    return _all(equal(left.get(name), right.get(name)) for name in left.keys() | right.keys())


def _all(answers: Iterable[bool | None]) -> bool | None:
    result: bool | None = True
    for answer in answers:
        result = and_(result, answer)
    return result


def _less_tuples(left: tuple[Value, ...], right: tuple[Value, ...]) -> bool | None:
    for mine, yours in zip(left, right, strict=False):
        if equal(mine, yours) is not True:
            return less(mine, yours)
    return len(left) < len(right)
