"""Events from one array of JSON, `[{"type": "login", "time": 12}, ...]`, over as many lines as it likes.

All of it is read before its first event. A row is called by the line on which its object begins.
"""

import json
import re
from collections.abc import Iterator
from json import JSONDecodeError

from cepheid.connectors.json_parsing import reason_of, record_of
from cepheid.connectors.records import Record
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import CepheidError, DataPlace, Diagnostic

_BEGIN = re.compile(rb"(?:\xef\xbb\xbf)?\s*\[\s*(?:[{\]]|$)")
_SPACE = re.compile(r"[ \t\r\n]*")


def begins_array(block: bytes) -> bool:
    """Say whether an input begins like an array of objects, and not like a line with an array on it."""
    return _BEGIN.match(block) is not None


def read_array(text: str, name: str) -> Iterator[tuple[int, str, Record | Refused]]:
    """Yield the line and the text of every item, and the record that it says.

    >>> [record for *_, record in read_array('[{"time": 1}, {"time": 2}]', "x")]
    [{'time': 1}, {'time': 2}]
    """
    decode = json.JSONDecoder().raw_decode
    place = _after_space(text, text.index("[") + 1)
    line, counted = 1, 0
    while text[place : place + 1] != "]":
        try:
            item, end = decode(text, place)
        except (JSONDecodeError, RecursionError, ValueError) as error:
            raise _broken(error, text, place, name) from None
        line += text.count("\n", counted, place)
        counted = place
        yield line, text[place:end], record_of(item)
        place = _after_space(text, end)
        if text[place : place + 1] == ",":
            place = _after_space(text, place + 1)
        elif text[place : place + 1] != "]":
            raise _broken(JSONDecodeError("Expecting ',' delimiter", text, place), text, place, name)
    if _after_space(text, place + 1) != len(text):
        raise _broken(JSONDecodeError("Extra data", text, place + 1), text, place + 1, name)


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return place if found is None else found.end()


def _broken(error: ValueError | RecursionError, text: str, place: int, name: str) -> CepheidError:
    at = error.pos if isinstance(error, JSONDecodeError) else place
    line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
    message = f"the array is broken: {reason_of(error)} at column {column}"
    hint = 'write it like `[{"type": "A", "time": 12}, {"type": "B", "time": 13}]`'
    return CepheidError(Diagnostic("bad-json", message, hints=(hint,), place=DataPlace(name, line)))
