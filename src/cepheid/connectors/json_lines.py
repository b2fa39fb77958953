"""Events from JSON lines: one object per line, such as `{"type": "login", "time": 12, "user": "ann"}`.

Empty lines say nothing. Positions count the other lines, whether they say an event or not.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cepheid.connectors.byte_streams import ByteStream, line_blocks
from cepheid.connectors.chunks import Chunk, Gathering
from cepheid.connectors.json_parsing import read_lines
from cepheid.connectors.records import FormSeen, Reading, Record, event_maker
from cepheid.connectors.rejects import Refused
from cepheid.diagnostics import DataPlace, Diagnostic

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of a text, with their numbers in it; `broken` are the ones that are no text."""

    source: str
    numbers: Sequence[int]
    texts: Sequence[str]
    broken: frozenset[int] = frozenset()

    def place(self, row: int) -> DataPlace:
        return DataPlace(self.source, self.numbers[row])

    def raw(self, row: int) -> object:
        return self.texts[row]


def json_chunks(stream: ByteStream, name: str, reading: Reading, form: FormSeen, before: int = 0) -> Iterator[Chunk]:
    """Yield the events of a stream of JSON lines; `before` positions are taken already."""
    make, time_column = event_maker(reading), reading.columns.time
    first_line = 1
    for block in line_blocks(stream, name):
        lines = _lines(block, name, first_line)
        records = _records(lines)
        gathering = Gathering(lines)
        for row, record in enumerate(records):
            try:
                if isinstance(record, Refused):
                    raise record
                time = record.get(time_column) if form.form is None else None
                gathering.take(make(record, before + row + 1), row)
                if form.form is None:
                    form.see(time)
            except Refused as reason:
                gathering.refuse(reason, row)
        yield gathering.chunk()
        before += len(lines.texts)
        first_line += block.count(b"\n") + 1


def _lines(block: bytes, name: str, first: int) -> Lines:
    """Return the lines of a block that say something."""
    mark = block.startswith(_BYTE_ORDER_MARK) and first == 1
    bare = block[3 * mark :]
    try:
        texts, broken = bare.decode(), frozenset[int]()
    except UnicodeDecodeError:
        texts, broken = bare.decode(errors="replace"), _broken(bare)
    lines = list(map(str.strip, texts.split("\n")))
    if all(lines):
        return Lines(name, range(first, first + len(lines)), lines, broken)
    kept = [index for index, line in enumerate(lines) if line]
    broken = frozenset(row for row, index in enumerate(kept) if index in broken)
    return Lines(name, [first + index for index in kept], [lines[index] for index in kept], broken)


def _broken(block: bytes) -> frozenset[int]:
    """Return which lines of a block are no UTF-8."""
    return frozenset(index for index, line in enumerate(block.split(b"\n")) if not _is_text(line))


def _is_text(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def _records(lines: Lines) -> list[Record | Refused]:
    records = read_lines(lines.texts)
    for row in lines.broken:
        hint = "save the file as UTF-8: `iconv -t UTF-8 FILE`"
        records[row] = Refused(Diagnostic("bad-json", "this is not JSON: its bytes are not UTF-8", hints=(hint,)))
    return records
