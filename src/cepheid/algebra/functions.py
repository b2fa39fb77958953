"""The operators and functions of expressions, by name; all of them total.

A user's own pure function joins them with `register`; it is called with plain values, null arguments included, and
whatever it raises is null.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from cepheid.algebra import network_functions, text_functions, time_functions
from cepheid.events import Value, arithmetic, casts, values

Implementation = Callable[..., Value]


class Never(Enum):
    """What a user's function answers that will not be true any more."""

    NEVER = "never"


NEVER: Final = Never.NEVER


@dataclass(frozen=True, slots=True)
class Function:
    """A function of `least` to `most` arguments (None: any number).

    `is_never` says whether it will not be true any more, where it may say so.
    """

    name: str
    least: int
    most: int | None
    apply: Implementation
    is_never: Callable[..., bool] | None = None


def _strict(function: Callable[..., object]) -> Implementation:
    """Return `function` made total: null for a null argument and wherever it fails or leaves the numbers."""

    def apply(*arguments: Value) -> Value:
        if any(argument is None for argument in arguments):
            return None
        try:
            return _admitted(function(*arguments))
        except (TypeError, ValueError, ArithmeticError, AttributeError, LookupError):
            return None

    return apply


def _admitted(result: object) -> Value:
    """Return `result` where it is a value; a list becomes a tuple, Never is false, anything else null."""
    if result is NEVER:
        return False
    if isinstance(result, bool | float | str) or result is None:
        return result
    if isinstance(result, int):
        return values.integer(result)
    if isinstance(result, list | tuple):
        return tuple(_admitted(item) for item in result)
    if isinstance(result, Mapping):
        return {str(name): _admitted(item) for name, item in result.items()}
    return None


def _numeric(function: Callable[..., object]) -> Implementation:
    def checked(*arguments: object) -> object:
        if any(isinstance(argument, bool) or not isinstance(argument, int | float) for argument in arguments):
            raise TypeError
        return function(*arguments)

    return _strict(checked)


def _textual(function: Callable[..., object]) -> Implementation:
    def checked(text: object, *arguments: object) -> object:
        if not isinstance(text, str):
            raise TypeError
        return function(text, *arguments)

    return _strict(checked)


def _not_equal(left: Value, right: Value) -> Value:
    return values.not_(values.equal(left, right))


def _at_most(left: Value, right: Value) -> Value:
    return values.or_(values.less(left, right), values.equal(left, right))


def _choose(condition: Value, yes: Value, no: Value) -> Value:
    return yes if condition is True else no


def _coalesce(*arguments: Value) -> Value:
    return next((argument for argument in arguments if argument is not None), None)


def _least(*arguments: Value) -> Value:
    best = arguments[0]
    for argument in arguments[1:]:
        smaller = values.less(argument, best)
        if smaller is None:
            return None
        best = argument if smaller else best
    return best


def _greatest(*arguments: Value) -> Value:
    best = arguments[0]
    for argument in arguments[1:]:
        greater = values.less(best, argument)
        if greater is None:
            return None
        best = argument if greater else best
    return best


def _average(*arguments: Value) -> Value:
    total: Value = 0
    for argument in arguments:
        total = arithmetic.add(total, argument)
    return arithmetic.divide(total, len(arguments))


def _get(record: Value, key: Value) -> Value:
    if isinstance(record, Mapping):
        return record.get(key) if isinstance(key, str) else None
    if isinstance(record, tuple) and isinstance(key, int) and not isinstance(key, bool):
        return record[key] if 0 <= key < len(record) else None
    return None


def _within(item: Value, collection: Value) -> Value:
    if not isinstance(collection, tuple):
        return None
    answer: bool | None = False
    for other in collection:
        answer = values.or_(answer, values.equal(item, other))
    return answer


def _record(*arguments: Value) -> Value:
    return {str(name): value for name, value in zip(arguments[::2], arguments[1::2], strict=True)}


_BUILT_IN: tuple[tuple[str, int, int | None, Implementation], ...] = (
    ("+", 2, 2, arithmetic.add),
    ("-", 2, 2, arithmetic.subtract),
    ("*", 2, 2, arithmetic.multiply),
    ("/", 2, 2, arithmetic.divide),
    ("//", 2, 2, arithmetic.floor_divide),
    ("%", 2, 2, arithmetic.modulo),
    ("neg", 1, 1, arithmetic.negate),
    ("==", 2, 2, values.equal),
    ("!=", 2, 2, _not_equal),
    ("<", 2, 2, values.less),
    ("<=", 2, 2, _at_most),
    (">", 2, 2, lambda left, right: values.less(right, left)),
    (">=", 2, 2, lambda left, right: _at_most(right, left)),
    ("and", 2, 2, values.and_),
    ("or", 2, 2, values.or_),
    ("not", 1, 1, values.not_),
    ("in", 2, 2, _within),
    ("if", 3, 3, _choose),
    ("coalesce", 1, None, _coalesce),
    ("is_null", 1, 1, lambda argument: argument is None),
    ("abs", 1, 1, arithmetic.absolute),
    ("pow", 2, 2, arithmetic.power),
    ("min", 1, None, _least),
    ("max", 1, None, _greatest),
    ("avg", 1, None, _average),
    ("sqrt", 1, 1, _numeric(math.sqrt)),
    ("exp", 1, 1, _numeric(math.exp)),
    ("log", 1, 1, _numeric(math.log)),
    ("floor", 1, 1, _numeric(math.floor)),
    ("ceil", 1, 1, _numeric(math.ceil)),
    ("round", 1, 2, _numeric(round)),
    ("lower", 1, 1, _textual(str.lower)),
    ("upper", 1, 1, _textual(str.upper)),
    ("length", 1, 1, _strict(len)),
    ("contains", 2, 2, _textual(str.__contains__)),
    ("starts_with", 2, 2, _textual(str.startswith)),
    ("ends_with", 2, 2, _textual(str.endswith)),
    ("substring", 3, 3, _textual(lambda text, first, count: text[first : first + count])),
    ("trim", 1, 1, _textual(text_functions.trim)),
    ("replace", 3, 3, _textual(text_functions.replace)),
    ("split_part", 3, 3, _textual(text_functions.split_part)),
    ("matches", 2, 2, _textual(text_functions.matches)),
    ("extract", 2, 3, _textual(text_functions.extract)),
    ("cidr_contains", 2, 2, _textual(network_functions.cidr_contains)),
    ("is_ip", 1, 1, _textual(network_functions.is_ip)),
    ("is_private", 1, 1, _textual(network_functions.is_private)),
    ("timestamp", 1, 1, _strict(time_functions.timestamp)),
    *((name, 1, 2, _strict(time_functions.part_of_time(part))) for name, part in time_functions.PARTS.items()),
    ("int", 1, 1, casts.cast_int),
    ("float", 1, 1, casts.cast_float),
    ("string", 1, 1, casts.cast_string),
    ("bool", 1, 1, casts.cast_bool),
    ("list", 0, None, lambda *arguments: arguments),
    ("record", 0, None, _record),
    ("get", 2, 2, _get),
)

_OWN_NAMES = frozenset(name for name, *_ in _BUILT_IN)
_functions = {name: Function(name, least, most, apply) for name, least, most, apply in _BUILT_IN}


def function_named(name: str) -> Function | None:
    """Return the function called `name`, built in or registered."""
    return _functions.get(name)


def is_built_in(name: str) -> bool:
    """Say whether a function is built in, and so remains what it is."""
    return name in _OWN_NAMES


def function_names() -> tuple[str, ...]:
    return tuple(_functions)


def register(name: str, function: Callable[..., object], arity: int, *, may_answer_never: bool = False) -> Function:
    """Add a user's pure function; the same name again replaces it, a built-in one is refused.

    With `may_answer_never` it may return `NEVER`: false, and no later record can make it true. A chain that waits for
    such a record gives up.
    """
    if is_built_in(name):
        raise ValueError(f"`{name}` is built in and cannot be replaced")
    ends = _ending(function) if may_answer_never else None
    _functions[name] = Function(name, arity, arity, _guarded(function), ends)
    return _functions[name]


def _ending(function: Callable[..., object]) -> Callable[..., bool]:
    def is_never(*arguments: Value) -> bool:
        try:
            return function(*arguments) is NEVER
        except Exception:  # noqa: BLE001  # as above
            return False

    return is_never


def _guarded(function: Callable[..., object]) -> Implementation:
    def apply(*arguments: Value) -> Value:
        try:
            return _admitted(function(*arguments))
        except Exception:  # noqa: BLE001  # whatever a user's function raises is null, as said at the top
            return None

    return apply
