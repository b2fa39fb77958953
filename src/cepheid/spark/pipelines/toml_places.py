"""Where the keys of a TOML text stand, so that an error can point at them.

`tomllib` gives values without their places. This finds the lines that set keys and open tables; a key inside an inline
table has the place of the key that holds it.
"""

import re
from collections.abc import Iterator

from cepheid.diagnostics import Source, Span

Path = tuple[str, ...]

_PART = r"""(?:[\w-]+|"[^"\n]*"|'[^'\n]*')"""
_DOTTED = rf"{_PART}(?:\s*\.\s*{_PART})*"
_HEADER = re.compile(rf"\s*\[\[?\s*({_DOTTED})\s*\]")
_KEY = re.compile(rf"\s*({_DOTTED})\s*=")
_LONG_QUOTE = re.compile(r'"""|\'\'\'')


class KeyPlaces:
    r"""The places of the keys of a text.

    >>> places = KeyPlaces(Source("p.toml", '[sinks.found]\nformat = "json"\n'))
    >>> str(places.of("sinks", "found", "format")), places.of("sinks", "found", "path").text
    ('p.toml:2:1', 'sinks.found')
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self._places = dict(_places(source))

    def of(self, *path: str) -> Span:
        """Return the place of a key, or else of the nearest table that it would stand in."""
        for length in range(len(path), 0, -1):
            found = self._places.get(path[:length])
            if found is not None:
                return found
        return self.source.span(0, 0)


def _places(source: Source) -> Iterator[tuple[Path, Span]]:
    table: Path = ()
    for offset, line in _lines_outside_texts(source.text):
        if header := _HEADER.match(line):
            table = _path(header[1])
            yield table, _span(source, offset, header)
        elif key := _KEY.match(line):
            yield (*table, *_path(key[1])), _span(source, offset, key)


def _lines_outside_texts(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that do not begin inside a text of several lines, each with its offset."""
    offset, inside = 0, False
    for line in text.splitlines(keepends=True):
        if not inside:
            yield offset, line
        inside ^= len(_LONG_QUOTE.findall(line)) % 2 == 1
        offset += len(line)


def _path(dotted: str) -> Path:
    return tuple(part.strip("\"'") for part in re.findall(_PART, dotted))


def _span(source: Source, offset: int, found: re.Match[str]) -> Span:
    return source.span(offset + found.start(1), offset + found.end(1))
