"""Values as texts: as JSON, as cells of comma-separated values, or for the eye."""

import csv
import io
import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain

from cepheid.events import EventId, Value, cast_string

_OBEYED = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPECIAL = re.compile('[",\\s]')


def to_json(value: object) -> str:
    """Return `value` as JSON on one line; datetimes are written as ISO 8601.

    Numbers that JSON has not are written as the texts `NaN`, `Infinity` and `-Infinity`. Characters that a screen obeys
    are escaped.

    >>> to_json({"values": (1, None, float("nan"))})
    '{"values": [1, null, "NaN"]}'
    """
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False, default=_plain)
    except ValueError:
        text = json.dumps(_with_named_numbers(value), ensure_ascii=False, default=_plain)
    return text if text.isascii() and text.isprintable() else _OBEYED.sub(_escape, text)


def json_texts(values: Sequence[object]) -> list[str]:
    """Return each value as `to_json` says it.

    >>> json_texts([1, 2]), json_texts(["a", None])
    (['1', '2'], ['"a"', 'null'])
    """
    kinds = set(map(type, values))
    if kinds <= {int}:
        return list(map(repr, values))
    if kinds <= {float} and all(map(math.isfinite, values)):  # type: ignore[arg-type]  # they are floats
        return list(map(repr, values))
    if kinds <= {str}:
        known = {text: to_json(text) for text in set(values)}
        return [known[text] for text in values]
    return list(map(to_json, values))


def csv_texts(values: Sequence[object]) -> list[str]:
    """Return each value as a cell of comma-separated values, in quotes where it needs some.

    >>> csv_texts([1, 2]), csv_texts(["a", "b,c", None, (1, 2)])
    (['1', '2'], ['a', '"b,c"', '', '"[1, 2]"'])
    """
    kinds = set(map(type, values))
    if kinds <= {int} or kinds <= {float}:
        return list(map(repr, values))
    said = values if kinds <= {str} else map(cell_of, values)  # type: ignore[arg-type]  # any value
    texts = ["" if value is None else str(value) for value in said]
    known = {text: _in_quotes(text) for text in set(texts)}
    return [known[text] for text in texts]


def _in_quotes(text: str) -> str:
    """Return a cell that is not alone in its row as Python writes it."""
    if not _SPECIAL.search(text):
        return text
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow((text, ""))
    return row.getvalue().removesuffix(",\n")


def lists_of_ids(evidence: Sequence[tuple[EventId, ...]]) -> list[str]:
    """Return lists of ids as JSON."""
    numbered = set(map(type, chain.from_iterable(evidence))) <= {int}
    return [str(list(ids)) if numbered else to_json(list(ids)) for ids in evidence]


def _escape(found: re.Match[str]) -> str:
    return "".join(f"\\u{unit:04x}" for unit in memoryview(found[0].encode("utf-16-le", "surrogatepass")).cast("H"))


def iso(moment: datetime) -> str:
    """Return the text of a datetime; one without a zone is in UTC."""
    return moment.isoformat().removesuffix("+00:00") + "Z"


def _with_named_numbers(value: object) -> object:
    if isinstance(value, float):
        return value if math.isfinite(value) else cast_string(value)
    if isinstance(value, Mapping):
        return {name: _with_named_numbers(item) for name, item in value.items()}
    return [_with_named_numbers(item) for item in value] if isinstance(value, list | tuple) else value


def _plain(value: object) -> object:
    if isinstance(value, datetime):
        return iso(value)
    return dict(value) if isinstance(value, Mapping) else list(value) if isinstance(value, tuple) else str(value)


def cell_of(value: Value | datetime) -> object:
    """Return a value as the writer of comma-separated values takes it; what is no scalar is JSON."""
    if isinstance(value, datetime):
        return iso(value)
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return to_json(value)
