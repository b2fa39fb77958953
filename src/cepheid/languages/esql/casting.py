"""What CAST makes of a value: the types of SQL by their many names, and null where a value is none of them."""

import math
from typing import Final

from cepheid.diagnostics import close_match
from cepheid.events import Value
from cepheid.events.casts import cast_bool, cast_float, cast_int, cast_string
from cepheid.languages.esql.grammars.syntax import Part
from cepheid.languages.esql.places import refused

__all__ = ["cast", "kind_named"]

_KINDS: Final = {
    "bigint": "integer",
    "int": "integer",
    "integer": "integer",
    "long": "integer",
    "smallint": "integer",
    "decimal": "number",
    "double": "number",
    "float": "number",
    "numeric": "number",
    "real": "number",
    "char": "text",
    "string": "text",
    "text": "text",
    "varchar": "text",
    "bool": "truth",
    "boolean": "truth",
}
_TRUTHS: Final = {
    **dict.fromkeys(("true", "t", "yes", "y", "1"), True),
    **dict.fromkeys(("false", "f", "no", "n", "0"), False),
}


def kind_named(part: Part, name: str) -> str:
    """Return which of the kinds of values a type of SQL is, or refuse it."""
    found = _KINDS.get(name.lower())
    if found is None:
        closest = close_match(name.lower(), _KINDS) or "double"
        message, hint = f"there is no type `{name}`", f"did you mean `{closest.upper()}`?"
        raise refused(part, "unknown-cast", message, "not a type that values can be cast to", hint)
    return found


def cast(kind: str, value: object) -> object:
    """Return a value as one of a kind; a number is rounded to a whole one, as SQL does.

    >>> cast("integer", 1.5), cast("integer", "7"), cast("number", "0.5"), cast("text", 2), cast("truth", "x") is None
    (2, 7, 0.5, '2', True)
    """
    if kind == "integer":
        return _whole(value)
    casts = {"number": cast_float, "text": cast_string, "truth": _truth}
    return casts[kind](value)  # type: ignore[arg-type]  # whatever it is, there is an answer


def _truth(value: Value) -> bool | None:
    return _TRUTHS.get(value.lower()) if isinstance(value, str) else cast_bool(value)


def _whole(value: object) -> int | None:
    if isinstance(value, str):
        number = cast_float(value)
        if number is None or not math.isfinite(number):
            return None
        exact = cast_int(value)
        # Text is rounded away from zero, a number to the even one.
        return exact if exact is not None else cast_int(math.copysign(math.floor(abs(number) + 0.5), number))
    if isinstance(value, float):
        return cast_int(round(value)) if math.isfinite(value) else None
    return cast_int(value) if isinstance(value, int) else None
