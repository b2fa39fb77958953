"""Matches and rejects as text: JSON lines, comma-separated values, or a table for the eye."""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, Protocol, TextIO

from cepheid.connectors import text_lines
from cepheid.connectors.match_lists import MatchColumns, Matches, MatchLists
from cepheid.connectors.rejects import Reject
from cepheid.connectors.text_cells import cell_of, json_texts, lists_of_ids, to_json
from cepheid.connectors.text_lines import csv_lines, in_order, json_lines
from cepheid.connectors.whole_files import writable
from cepheid.diagnostics import visible
from cepheid.events import Time, Value

_FIXED: Final = ("match", "start", "end", "known", "evidence", "id")
_ROWS_THAT_DECIDE = 1000
_PLAIN = {int, float, str, type(None)}


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
        text = _at_once(matches, json_lines)
        if text is not None:
            self._stream.write(text)
            return
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
    rows = zip(json_texts(some.names), *times, *told, lists_of_ids(some.evidence), json_texts(some.ids), strict=True)
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
        text = _at_once(matches, lambda some: csv_lines(some, self._fields))
        if text is not None:
            self._stream.write(text)
            return
        listed = matches.listed()
        self._writer.writerows(listed.in_order(map(self._rows, listed.groups)))

    def _rows(self, some: MatchLists) -> Iterable[tuple[object, ...]]:
        times = map(_cells, (some.start, some.end, some.known))
        values = (_cells(some.values.get(name) or [None] * len(some)) for name in self._fields)
        return zip(some.names, *times, *values, lists_of_ids(some.evidence), some.ids, strict=True)

    def flush(self) -> None:
        self._stream.flush()

    def close(self) -> None:
        self._stream.flush()


def _at_once(matches: Matches, lines_of: Callable[[MatchColumns], Any]) -> str | None:  # pyarrow has no types
    """Return the lines of many matches; None where these are few, objects, or have texts that Arrow cannot hold."""
    columns = matches.columns() if len(matches) >= text_lines.FEW else None
    if columns is None:
        return None
    try:
        return in_order([lines_of(some) for some in columns[0]], columns[1])
    except UnicodeEncodeError:
        return None


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
    return "-" if time is None else str(cell_of(time))


def _named(values: Mapping[str, Sequence[Value]], count: int) -> Iterable[Sequence[str]]:
    """Return for each match its values with their names."""
    columns = ([f"{name}={cell_of(value)}" for value in column] for name, column in values.items())
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


def _cells(values: Sequence[Value | datetime]) -> Sequence[object]:
    return values if set(map(type, values)) <= _PLAIN else list(map(cell_of, values))
