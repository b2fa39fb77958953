"""Lines of logfmt: `time=2024-05-17T08:30:00Z level=info msg="request done" status=200 cached`.

A value in quotes is a text. Without quotes, numbers, `true`, `false` and `null` are what they look like, all else is a
text. A name without a value is true.
"""

import json
import re

from cepheid.connectors.records import Record
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import Diagnostic
from cepheid.events import Value
from cepheid.events.values import GREATEST_INTEGER, LEAST_INTEGER

_PAIR = re.compile(r'\s*([^\s="]+)(?:=("(?:[^"\\]|\\.)*"|[^\s"]*))?(?=\s|$)')
_WORDS = {"true": True, "false": False, "null": None, "": None}
_INT = re.compile(r"[+-]?(?:0|[1-9]\d{0,18})", re.ASCII)
_FLOAT = re.compile(r"[+-]?\d{1,300}\.\d{1,300}(?:[eE][+-]?\d{1,3})?", re.ASCII)


def read_logfmt(line: str) -> Record | Refused:
    """Return the fields of a line, or the reason why it has none.

    >>> read_logfmt('level=info msg="all done" n=2 cached')
    {'level': 'info', 'msg': 'all done', 'n': 2, 'cached': True}
    """
    record: Record = {}
    place, end = 0, len(line.rstrip())
    has_value = False
    while place < end:
        pair = _PAIR.match(line, place)
        if pair is None:
            return _refusal(f"column {place + 1} begins no `name=value`")
        record[pair[1]] = True if pair[2] is None else _value(pair[2])
        has_value = has_value or pair[2] is not None
        place = pair.end()
    return record if has_value else _refusal("it has no `name=value`")


def _value(text: str) -> Value:
    if text.startswith('"'):
        return _unquoted(text)
    if text in _WORDS:
        return _WORDS[text]
    if _INT.fullmatch(text) and LEAST_INTEGER <= int(text) <= GREATEST_INTEGER:
        return int(text)
    return float(text) if _FLOAT.fullmatch(text) else text


def _unquoted(text: str) -> str:
    try:
        return str(json.loads(text, strict=False))
    except ValueError:
        return text[1:-1].replace('\\"', '"')


def _refusal(reason: str) -> Refused:
    hint = 'write it like `time=2024-05-17T08:30:00Z level=info msg="all done"`'
    return Refused(Diagnostic("bad-line", f"this is not logfmt: {reason}", hints=(hint,)))
