"""Values as JSON that keeps all of them apart, in every JSON library.

    1            1             1.5          1.5
    1.0          {"float": "1.0"}           nan      {"float": "nan"}
    (1, "a")     [1, "a"]                   {"a": 1} {"record": {"a": 1}}

Many libraries read `1.0` as an integer and lose digits beyond 2**53, so such numbers are written as tagged text.
"""

import math
from collections.abc import Mapping

from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic
from cepheid.events import Value

Path = tuple[str | int, ...]

_SAFE_INTEGER = 2**53


def value_to_json(value: Value) -> object:
    """Return `value` as JSON.

    >>> value_to_json((1, 1.0, True, None, {"x": 0.5}))
    [1, {'float': '1.0'}, True, None, {'record': {'x': 0.5}}]
    """
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return value if abs(value) <= _SAFE_INTEGER else {"int": str(value)}
    if isinstance(value, float):
        return value if math.isfinite(value) and not value.is_integer() else {"float": repr(value)}
    if isinstance(value, tuple):
        return [value_to_json(item) for item in value]
    return {"record": {name: value_to_json(value[name]) for name in sorted(value)}}


def value_from_json(data: object, path: Path) -> Value:
    """Return the value that `data`, which stands at `path`, says."""
    if data is None or isinstance(data, bool | int | float | str):
        return data
    if isinstance(data, list):
        return tuple(value_from_json(item, (*path, index)) for index, item in enumerate(data))
    if isinstance(data, Mapping) and len(data) == 1:
        [(tag, content)] = data.items()
        return _tagged(tag, content, path)
    raise refusal(f"expected a value, got {described(data)}", path)


def _tagged(tag: object, content: object, path: Path) -> Value:
    match tag:
        case "int" | "float" if isinstance(content, str):
            return _number(tag, content, (*path, tag))
        case "record" if isinstance(content, Mapping):
            return {name: value_from_json(item, (*path, "record", name)) for name, item in content.items()}
        case "int" | "float" | "record":
            wanted = "an object" if tag == "record" else "a string"
            raise refusal(f"expected {wanted}, got {described(content)}", (*path, tag))
        case _:
            raise refusal(f"expected `int`, `float` or `record`, got `{tag}`", path)


def _number(kind: str, text: str, path: Path) -> Value:
    try:
        return int(text) if kind == "int" else float(text)
    except ValueError:
        raise refusal(f"`{text}` is not a number", path) from None


def described(data: object) -> str:
    """Return what kind of JSON `data` is, in the words of a sentence."""
    match data:
        case None:
            return "null"
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a string"
        case list():
            return "a list"
        case Mapping():
            return "an object"
        case _:
            return f"`{type(data).__name__}`"


def refusal(message: str, path: Path, *hints: str) -> CepheidError:
    return CepheidError(Diagnostic("bad-json-form", message, hints=hints, place=DataPlace(path=path)))
