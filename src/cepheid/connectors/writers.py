"""Matches and rejects as text: JSON lines, comma-separated values, or a table for the eye."""

import csv
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Final, Protocol, TextIO

from cepheid.connectors.match_lists import Matches, MatchLists
from cepheid.connectors.rejects import Reject
from cepheid.connectors.whole_files import writable
from cepheid.diagnostics import visible
from cepheid.events import EventId, Time, Value, cast_string

_FIXED: Final = ("match", "start", "end", "known", "evidence", "id")
_ROWS_THAT_DECIDE = 1000
_PLAIN = {int, float, str, type(None)}
_OBEYED = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


class Writer(Protocol):
    """Something that matches are written to."""

    def write(self, matches: Matches) -> None:
        """Write some matches."""

    def flush(self) -> None:
        """Hand on what was written so far."""

    def close(self) -> None:
        """Write what is still held back."""


class JsonLinesWriter:
    """One object per match and line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, matches: Matches) -> None:
        listed = matches.listed()
        self._stream.writelines(listed.in_order(map(_json_lines, listed.groups)))

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self._stream.flush()


def _json_lines(some: MatchLists) -> list[str]:
    values = ", ".join(to_json(name).replace("%", "%%") + ": %s" for name in some.values)
    line = f'{{"match": %s, "start": %s, "end": %s, "known": %s, "values": {{{values}}}, "evidence": %s, "id": %s}}\n'
    times = map(json_texts, (some.start, some.end, some.known))
    told = map(json_texts, some.values.values())
    rows = zip(json_texts(some.names), *times, *told, _lists(some.evidence), json_texts(some.ids), strict=True)
    return [line % row for row in rows]


class CsvWriter:
    """One row per match, with a column for each value that a rule may give; what is no scalar is shown as JSON."""

    def __init__(self, stream: TextIO, fields: Sequence[str] = ()) -> None:
        self._stream = stream
        self._fields = fields
        self._writer = csv.writer(stream, lineterminator="\n")
        named = [f"values.{name}" if name in _FIXED else name for name in fields]
        self._writer.writerow([*_FIXED[:4], *named, *_FIXED[4:]])

    def write(self, matches: Matches) -> None:
        listed = matches.listed()
        self._writer.writerows(listed.in_order(map(self._rows, listed.groups)))

    def _rows(self, some: MatchLists) -> Iterable[tuple[object, ...]]:
        times = map(_cells, (some.start, some.end, some.known))
        values = (_cells(some.values.get(name) or [None] * len(some)) for name in self._fields)
        return zip(some.names, *times, *values, _lists(some.evidence), some.ids, strict=True)

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self._stream.flush()


class TableWriter:
    """One line per match, in columns that are as wide as the first matches need; `fields` may have values."""

    def __init__(self, stream: TextIO, fields: Sequence[str] = ()) -> None:
        self._stream = stream
        self._titles = ("match", "start", "end", "known", *(["values"] if fields else []), "evidence")
        self._waiting: list[tuple[str, ...]] = []
        self._widths: list[int] = []

    def write(self, matches: Matches) -> None:
        listed = matches.listed()
        self._waiting += listed.in_order(map(self._lines, listed.groups))
        if self._widths or len(self._waiting) >= _ROWS_THAT_DECIDE:
            self._put()

    def flush(self) -> None:
        if self._waiting:
            self._put()
        self._stream.flush()

    def close(self) -> None:
        self.flush()

    def _put(self) -> None:
        if not self._widths:
            self._waiting.insert(0, self._titles)
            self._widths = [max(map(len, column)) for column in zip(*self._waiting, strict=True)]
        for line in self._waiting:
            cells = (cell.ljust(width) for cell, width in zip(line, self._widths, strict=True))
            self._stream.write("  ".join(cells).rstrip() + "\n")
        self._waiting = []

    def _lines(self, some: MatchLists) -> Iterator[tuple[str, ...]]:
        times = [[_shown(time) for time in column] for column in (some.start, some.end, some.known)]
        told = [" ".join(words) for words in _named(some.values, len(some))]
        evidence = (" ".join(map(str, ids)) for ids in some.evidence)
        for line in zip(some.names, *times, *([told] if "values" in self._titles else []), evidence, strict=True):
            yield tuple(map(visible, line))


def _shown(time: Time | None) -> str:
    return "-" if time is None else str(_cell(time))


def _named(values: Mapping[str, Sequence[Value]], count: int) -> Iterable[Sequence[str]]:
    """Return for each match its values with their names."""
    columns = ([f"{name}={_cell(value)}" for value in column] for name, column in values.items())
    return zip(*columns, strict=True) if values else [()] * count


class RejectsWriter:
    """One object per row that was set aside and line; where they are `live`, each is handed on at once.

    `name` is what messages call the file.
    """

    def __init__(self, stream: TextIO, name: str = "rejects", *, live: bool = False) -> None:
        self._stream = stream
        self._name = name
        self._live = live

    def write(self, rejects: Sequence[Reject]) -> None:
        with writable(self._name):
            self._stream.writelines(f"{to_json(reject.to_dict())}\n" for reject in rejects)
            if self._live:
                self._stream.flush()


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


def _lists(evidence: Sequence[tuple[EventId, ...]]) -> list[str]:
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


def _cells(values: Sequence[Value | datetime]) -> Sequence[object]:
    return values if set(map(type, values)) <= _PLAIN else list(map(_cell, values))


def _cell(value: Value | datetime) -> object:
    if isinstance(value, datetime):
        return iso(value)
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return to_json(value)
