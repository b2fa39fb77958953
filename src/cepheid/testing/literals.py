"""Values as text: JSON, where words need no quotes and NaN and the infinities are values.

    null    true    3    0.5    NaN    -Infinity    ann    "with spaces"    [1, 2]    {user: ann, value: 3}

A list in brackets is a tuple.
"""

import json
import re
from collections.abc import Mapping

from cepheid.diagnostics import Source
from cepheid.events import Value, cast_string, integer
from cepheid.testing.cursor import Cursor

WORD = re.compile(r"[^\W\d]\w*")
SPACE = re.compile(r"\s*")
_NUMBER = re.compile(r"-?[0-9]+(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?|-Infinity\b")
_KEYWORDS: dict[str, Value] = {
    "null": None,
    "true": True,
    "false": False,
    "NaN": float("nan"),
    "Infinity": float("inf"),
}


def literal(text: str) -> Value:
    """Return the value that `text` says.

    >>> literal('{user: ann, legs: [1, 2.5]}')
    {'user': 'ann', 'legs': (1, 2.5)}
    """
    cursor = Cursor(Source("<value>", text.strip()))
    value = read_value(cursor)
    if cursor.next:
        raise cursor.refusal("there is more than one value", "the value ends before this", "write `[1, 2]`")
    return value


def show_value(value: Value) -> str:
    """Return the text that `literal` reads as `value`.

    >>> show_value(("ann", "null", "two words", None, 0.5, {"x": True}))
    '[ann, "null", "two words", null, 0.5, {x: true}]'
    """
    if value is None:
        return "null"
    if isinstance(value, str):
        return show_word(value)
    if isinstance(value, tuple):
        return f"[{', '.join(map(show_value, value))}]"
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{show_word(name)}: {show_value(part)}' for name, part in value.items())}}}"
    return cast_string(value) or str(value)


def show_word(text: str) -> str:
    """Return `text` as it stands where it is a word that means nothing else, in quotes elsewhere."""
    return text if WORD.fullmatch(text) and text not in _KEYWORDS else json.dumps(text, ensure_ascii=False)


def read_value(cursor: Cursor) -> Value:
    """Read one value."""
    if cursor.take_text("["):
        return _read_tuple(cursor)
    if cursor.take_text("{"):
        return read_fields(cursor)
    start, number = cursor.at, cursor.take(_NUMBER)
    if number is not None:
        return _number(cursor, number, start)
    quoted, text = cursor.next == '"', read_word(cursor)
    if text is None:
        hint = 'write `null`, `3` or `"text"`'
        raise cursor.refusal("a value is missing", "no value starts like this", hint)
    return _KEYWORDS[text] if text in _KEYWORDS and not quoted else text


def read_word(cursor: Cursor) -> str | None:
    """Read a word or a string in quotes, if there is one."""
    if cursor.next == '"':
        return _read_string(cursor)
    word = cursor.take(WORD)
    return word[0] if word else None


def read_fields(cursor: Cursor) -> dict[str, Value]:
    """Read the fields of a record after its opening brace, and the closing one."""
    fields: dict[str, Value] = {}
    cursor.take(SPACE)
    while not cursor.take_text("}"):
        _read_field(cursor, fields)
        _separator(cursor, "}")
    return fields


def _read_field(cursor: Cursor, fields: dict[str, Value]) -> None:
    start, name = cursor.at, read_word(cursor)
    if name is None:
        raise cursor.refusal("a field has no name", "a name is missing here", "write it like `{user: ann}`")
    span = cursor.since(start)
    cursor.take(SPACE)
    if not cursor.take_text(":"):
        message = f"the field `{name}` has no value"
        raise cursor.refusal(message, "a colon is missing here", f"write `{name}: null`")
    if name in fields:
        message = f"the field `{name}` is there twice"
        raise cursor.refusal(message, "it has a value already", "leave one out", span)
    cursor.take(SPACE)
    fields[name] = read_value(cursor)


def _read_tuple(cursor: Cursor) -> tuple[Value, ...]:
    parts: list[Value] = []
    cursor.take(SPACE)
    while not cursor.take_text("]"):
        parts.append(read_value(cursor))
        _separator(cursor, "]")
    return tuple(parts)


def _separator(cursor: Cursor, closing: str) -> None:
    """Read the comma between two parts; after the last one the closing bracket is next."""
    cursor.take(SPACE)
    if cursor.take_text(","):
        cursor.take(SPACE)
    elif cursor.next != closing:
        hint = f"close it with `{closing}`"
        raise cursor.refusal("a list of values does not end", "a comma is missing here", hint)


def _read_string(cursor: Cursor) -> str:
    start = cursor.at
    try:
        text, cursor.at = json.JSONDecoder().raw_decode(cursor.source.text, start)
    except json.JSONDecodeError as error:
        cursor.at = max(error.pos, start + 1)
        hint = 'close it, and escape as JSON does: `"a \\"quoted\\" word"`'
        label = "not closed, or JSON does not allow what follows"
        raise cursor.refusal("a string is not as in JSON", label, hint, cursor.since(start)) from None
    return str(text)


def _number(cursor: Cursor, number: re.Match[str], start: int) -> Value:
    if number["fraction"] or number["exponent"] or number[0] == "-Infinity":
        return float(number[0])
    value = integer(int(number[0])) if len(number[0]) <= len(str(-(2**63))) else None
    if value is None:
        span, hint = cursor.since(start), f"write `{number[0]}.0`"
        raise cursor.refusal("an integer is too large", "64 bits do not hold it", hint, span)
    return value
