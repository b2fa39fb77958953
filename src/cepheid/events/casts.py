"""Casts that always have an answer: what cannot be converted becomes null.

    cast_int("12") == 12      cast_int("twelve") is None      cast_int(2.9) == 2

Text is read as Python reads it, but for underscores and digits other than `0` to `9`.
"""

import re

from cepheid.events.values import Value, integer, is_nan, is_number

_INTEGER = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[+-]?[0-9]+)?|[+-]?inf(inity)?|nan", re.IGNORECASE)
_BOOLEANS = {"true": True, "false": False}


def cast_int(value: Value) -> int | None:
    """Return `value` as an integer: a float loses its fraction, a string holds digits and maybe a sign.

    >>> cast_int(-2.9), cast_int(" 12 "), cast_int(True), cast_int(1e300) is None, cast_int("1.5") is None
    (-2, 12, 1, True, True)
    """
    if isinstance(value, str):
        return _read_integer(value.strip())
    if not isinstance(value, int | float):
        return None
    try:
        return integer(int(value))
    except (OverflowError, ValueError):  # an infinity, NaN
        return None


def cast_float(value: Value) -> float | None:
    """Return `value` as a float: numbers, booleans and strings that hold a number, `inf` or `nan`.

    >>> cast_float("1e3"), cast_float(2), cast_float("-Infinity"), cast_float("1_000") is None
    (1000.0, 2.0, -inf, True)
    """
    if isinstance(value, str):
        text = value.strip()
        return float(text) if _FLOAT.fullmatch(text) else None
    if not isinstance(value, int | float):
        return None
    try:
        return float(value)
    except OverflowError:
        return None


def cast_string(value: Value) -> str | None:
    """Return `value` as text that casts back to it; a tuple or a record has none.

    >>> cast_string(True), cast_string(1.0), cast_string(float("nan")), cast_string((1, 2)) is None
    ('true', '1.0', 'NaN', True)
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if is_number(value):
        return "NaN" if is_nan(value) else _digits(value)
    return None


def cast_bool(value: Value) -> bool | None:
    """Return `value` as a boolean: a number is true unless it is zero, a string must say `true` or `false`.

    >>> cast_bool("True"), cast_bool(0), cast_bool("yes") is None, cast_bool(float("nan")) is None
    (True, False, True, True)
    """
    if isinstance(value, str):
        return _BOOLEANS.get(value.strip().lower())
    if not isinstance(value, int | float) or is_nan(value):
        return None
    return value != 0


def _read_integer(text: str) -> int | None:
    if not _INTEGER.fullmatch(text):
        return None
    try:
        return integer(int(text))
    except ValueError:  # more digits than Python reads, so certainly more than 64 bits hold
        return None


def _digits(number: int | float) -> str | None:
    if isinstance(number, int):
        return str(number) if integer(number) is not None else None
    infinities = {float("inf"): "Infinity", float("-inf"): "-Infinity"}
    return infinities.get(number) or repr(float(number))
