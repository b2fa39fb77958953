"""Matches and rejects as text: JSON lines, comma-separated values, or a table for the eye."""

import csv
import json
import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, Protocol, TextIO

from cepheid.connectors.rejects import Reject
from cepheid.connectors.reports import Report
from cepheid.connectors.whole_files import writable
from cepheid.diagnostics import visible
from cepheid.events import Value, cast_string

_FIXED: Final = ("match", "start", "end", "known", "evidence", "id")
_ROWS_THAT_DECIDE = 1000
_OBEYED = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)


class Writer(Protocol):
    """Something that matches are written to."""

    def write(self, reports: Sequence[Report]) -> None:
        """Write some matches."""

    def flush(self) -> None:
        """Hand on what was written so far."""

    def close(self) -> None:
        """Write what is still held back."""


class JsonLinesWriter:
    """One object per match and line."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, reports: Sequence[Report]) -> None:
        self._stream.writelines(f"{to_json(report.to_dict())}\n" for report in reports)

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self._stream.flush()


class CsvWriter:
    """One row per match, with a column for each value that a rule may give; what is no scalar is shown as JSON."""

    def __init__(self, stream: TextIO, fields: Sequence[str] = ()) -> None:
        self._stream = stream
        self._fields = fields
        self._writer = csv.writer(stream, lineterminator="\n")
        named = [f"values.{name}" if name in _FIXED else name for name in fields]
        self._writer.writerow([*_FIXED[:4], *named, *_FIXED[4:]])

    def write(self, reports: Sequence[Report]) -> None:
        self._writer.writerows(map(self._row, reports))

    def _row(self, report: Report) -> list[object]:
        values = [_cell(report.values.get(name)) for name in self._fields]
        times = [_cell(time) for time in (report.start, report.end, report.known)]
        return [report.name, *times, *values, to_json(list(report.evidence)), report.id]

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

    def write(self, reports: Sequence[Report]) -> None:
        self._waiting += map(self._line, reports)
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

    def _line(self, report: Report) -> tuple[str, ...]:
        times = ["-" if time is None else str(_cell(time)) for time in (report.start, report.end, report.known)]
        values = " ".join(f"{name}={_cell(value)}" for name, value in report.values.items())
        told = [values] if "values" in self._titles else []
        return tuple(map(visible, (report.name, *times, *told, " ".join(map(str, report.evidence)))))


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


def _cell(value: Value | datetime) -> object:
    if isinstance(value, datetime):
        return iso(value)
    if value is None or (isinstance(value, str | int | float) and not isinstance(value, bool)):
        return value
    return to_json(value)
