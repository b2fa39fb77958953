r"""Lines of JSON become records, many at a time.

A block of lines is read as one JSON array, which is three times as fast as line by line. That says the same exactly
when every line is one object, and it is known to be one when the array has as many objects as there are lines and no
line holds the end of an object, a comma and the start of another. Otherwise each line is read by itself.
"""

import json
import re
from collections.abc import Sequence
from json import JSONDecodeError
from typing import Any

from cepheid.connectors.records import Record, kind_of
from cepheid.connectors.rejects import Refused, refused
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import Value, plain_value

_NEIGHBOURS = re.compile(r"\}[ \t\r]*,[ \t\r]*\{")
_ALL_DIGITS_ALIKE = bytes(ord("0") if chr(code).isdecimal() and code < 128 else 32 for code in range(256))
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LONG_NUMBER = b"0" * 19  # fewer digits always fit into 64 bits
_EXAMPLE = '{"type": "A", "time": 12}'
_REASONS = {
    "Expecting ',' delimiter": "a `,` or a closing bracket is missing",
    "Expecting ':' delimiter": "a `:` is missing",
    "Expecting property name enclosed in double quotes": "a name in double quotes is missing",
    "Illegal trailing comma before end of object": "a `,` stands before the end of the object",
    "Illegal trailing comma before end of array": "a `,` stands before the end of the array",
    "Expecting value": "a value is missing",
    "Extra data": "something follows the object",
    "Unterminated string starting at": "a string has no end",
    "Invalid control character at": "a control character stands in a string",
    "Invalid \\escape": "there is no such escape",
    "Invalid \\uXXXX escape": "there is no such escape",
}


def read_lines(lines: Sequence[str]) -> list[Record | Refused]:
    r"""Return what each line says: a record, or the reason why it is none.

    >>> read_lines(['{"time": 1}', '{"time": [2, 3]}'])
    [{'time': 1}, {'time': (2, 3)}]
    """
    text = ",\n".join(lines)
    records = _read_together(text, len(lines))
    if records is None:
        return [_read_alone(line) for line in lines]
    return [_plain(record) for record in records] if _may_be_odd(text, len(lines)) else records


def _may_be_odd(text: str, count: int) -> bool:
    """Say whether something may be nested, half of a character, or larger than 64 bits hold."""
    if "[" in text or text.count("{") != count or _SURROGATE.search(text):
        return True
    return _LONG_NUMBER in text.encode().translate(_ALL_DIGITS_ALIKE)


def _read_together(text: str, count: int) -> list[Any] | None:  # whatever JSON says; all are objects when it returns
    if _NEIGHBOURS.search(text):
        return None
    try:
        records = json.loads(f"[{text}]")
    except (ValueError, RecursionError):
        return None
    return records if len(records) == count and all(type(record) is dict for record in records) else None


def _read_alone(line: str) -> Record | Refused:
    try:
        record = json.loads(line)
    except JSONDecodeError as error:
        return _not_json(error, line)
    except ValueError:
        return _refusal("this is not JSON: a number has too many digits", "write it as a string")
    except RecursionError:
        return _refusal("this is not JSON: too many brackets are open", f"write `{_EXAMPLE}`")
    return record_of(record)


def record_of(read: object) -> Record | Refused:
    """Return the record that JSON says, or the reason why it says none."""
    return _plain(read) if isinstance(read, dict) else _no_object(read)


def reason_of(error: ValueError | RecursionError) -> str:
    """Return what is wrong with a text that is not JSON."""
    if isinstance(error, JSONDecodeError):
        return _REASONS.get(error.msg, error.msg.lower())
    return "too many brackets are open" if isinstance(error, RecursionError) else "a number has too many digits"


def _plain(record: dict[str, object]) -> Record | Refused:
    try:
        return _checked(plain_value(record))
    except CepheidError as error:
        return refused(error)


def _checked(record: Value) -> Record:
    assert isinstance(record, dict)  # as it was before
    return record


def _not_json(error: JSONDecodeError, line: str) -> Refused:
    if line.lstrip().startswith("["):
        return _no_object([])
    reason = reason_of(error)
    hint = f"write one object per line, for example `{_EXAMPLE}`"
    return _refusal(f"this is not JSON: {reason} at column {error.colno}", hint)


def _no_object(value: object) -> Refused:
    hint = "make lines of an array: `jq -c '.[]' FILE`" if isinstance(value, list) else f"write `{_EXAMPLE}`"
    return _refusal(f"expected an object, got `{kind_of(value)}`", hint)


def _refusal(message: str, hint: str) -> Refused:
    return Refused(Diagnostic("bad-json", message, hints=(hint,)))
