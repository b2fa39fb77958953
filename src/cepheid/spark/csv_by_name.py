"""Comma-separated values by the names of their columns: each file has a header of its own, in whatever order.

Spark reads such files by position: where a later file has its columns in another order, values would change places.
So Spark is asked for lines, file by file and never for a part of one, and each is taken apart by its own header. Cells
become values as Spark has them; a record in which one does not is malformed, as is one with too few cells or too many.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import chain, groupby, pairwise
from operator import or_
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.streaming.readwriter import DataStreamReader

from cepheid.spark.event_columns import CORRUPT_RECORD, FILE, OURS, quoted
from cepheid.spark.results import portions

Reader = TypeVar("Reader", DataFrameReader, DataStreamReader)
_LINE, BROKEN = "line", f"{OURS}broken"
_NOT_IN_FILES = "\u0001"
# A line is one value for Spark; that it may span lines keeps Spark from cutting files into parts.
_AS_LINES = {"header": "false", "multiLine": "true", "sep": _NOT_IN_FILES, "quote": "", "inferSchema": "false"}
_AS_LINES |= {"mode": "PERMISSIVE", "nullValue": _NOT_IN_FILES, "comment": ""}
_FOR_CELLS = ("delimiter", "quote", "escape", "nullvalue", "emptyvalue", "multiline", "comment", "enforceschema")
_WIDER = (T.IntegerType(), T.LongType(), T.DoubleType())


@dataclass(frozen=True, slots=True)
class Cells:
    """How a line is taken apart, and what stands for no value."""

    separator: str = ","
    quote: str = '"'
    escape: str | None = None
    null: str = ""
    spans_lines: bool = False

    def of(self, lines: Iterable[str]) -> Iterator[tuple[str, list[str]]]:
        """Yield the records of lines with their cells; one that spans lines comes as its last line."""
        if self.spans_lines:
            return (("", cells) for cells in csv.reader((f"{line}\n" for line in lines), **self._dialect()))
        return ((line, self._cells(line)) for line in lines)

    def _cells(self, line: str) -> list[str]:
        if self.quote not in line and self.escape is None:
            return line.split(self.separator)
        return next(csv.reader((line,), **self._dialect()), [])

    def _dialect(self) -> dict[str, Any]:  # as `csv` takes them
        escape = None if self.escape == self.quote else self.escape
        return {"delimiter": self.separator, "quotechar": self.quote, "escapechar": escape}


@dataclass(frozen=True, slots=True)
class Places:
    """Where the columns that are wanted stand in a file, None for those it has not, and how many cells a record has."""

    count: int
    wanted: tuple[int | None, ...]


def has_headers(options: Mapping[str, str]) -> bool:
    """Say whether files with these options tell the names of their columns, in a form that is read here."""
    given = {name.lower(): value for name, value in options.items()}
    plain = len(given.get("sep", given.get("delimiter", ","))) == 1 and len(given.get("quote", '"')) == 1
    return plain and given.get("header", "false").lower() == "true" and "comment" not in given


def read_by_name(reader: Reader, path: str, schema: T.StructType, options: Mapping[str, str]) -> DataFrame:
    """Return the frame of files, whose columns are those of a schema, wherever they stand in each file.

    What Spark counts as rows of its input has a header of each file among it.
    """
    wanted = [field for field in schema.fields if field.name != CORRUPT_RECORD]
    columns = T.StructType([T.StructField(field.name, T.StringType()) for field in wanted])
    told = columns.add(BROKEN, T.StringType()).add(FILE, T.StringType())
    texts = _lines(reader, path, options).mapInArrow(taking_apart(columns.names[: len(wanted)], _cells(options)), told)
    return texts.select(*_typed(wanted, options), *_malformed(schema, wanted, options), FILE)


def schema_by_name(session: SparkSession, path: str, options: Mapping[str, str]) -> T.StructType:
    """Return the columns of all files by their names, each of the type that Spark infers for it in the end."""
    lines = _lines(session.read, path, options).mapInArrow(_headers, "header string, file string")
    files: dict[str, list[str]] = {}
    for header, file in lines.collect():
        files.setdefault(header, []).append(file)
    each = [session.read.format("csv").options(**options).load(some).schema for some in files.values()]
    return reduce(_merged, each) if each else session.read.format("csv").options(**options).load(path).schema


def _lines(reader: Reader, path: str, options: Mapping[str, str]) -> DataFrame:
    of_files = {name: value for name, value in options.items() if name.lower() not in _FOR_CELLS}
    lines = reader.format("csv").options(**{**of_files, **_AS_LINES}).schema(f"{_LINE} string").load(path)
    return lines.select(_LINE, F.col("_metadata.file_path").alias(FILE))


def _cells(options: Mapping[str, str]) -> Cells:
    given = {name.lower(): value for name, value in options.items()}
    separator = given.get("sep", given.get("delimiter", ","))
    spans = given.get("multiline", "false").lower() == "true"
    return Cells(separator, given.get("quote", '"'), given.get("escape"), given.get("nullvalue", ""), spans)


def _headers(batches: Iterator[Any]) -> Iterator[Any]:
    """Yield the header of each file."""
    for file, lines in _by_file(batches):
        header = next(lines, None)
        if header is not None:
            yield pa.RecordBatch.from_pydict({"header": [header[0].as_py()], "file": [file]})


def taking_apart(names: Sequence[str], cells: Cells) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what takes lines apart into the cells of some columns."""
    return lambda batches: (batch for file, lines in _by_file(batches) for batch in _of_file(names, cells, file, lines))


def _by_file(batches: Iterable[Any]) -> Iterator[tuple[str, Iterator[Any]]]:
    """Yield the lines of each file in some arrays; those of one file come together, and in their order."""
    for file, some in groupby(_runs(batches), key=lambda run: run[0]):
        yield file, (lines for _, lines in some)


def _runs(batches: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield lines that stand together in one batch and are of one file."""
    for batch in batches:
        files, lines = batch.column(FILE).dictionary_encode(), batch.column(_LINE)
        changes = np.flatnonzero(np.diff(np.asarray(files.indices))) + 1
        for first, last in pairwise([0, *changes.tolist(), len(lines)]):
            if last > first:
                yield files[first].as_py(), lines.slice(first, last - first).drop_null()


def _of_file(names: Sequence[str], cells: Cells, file: str, lines: Iterator[Any]) -> Iterator[Any]:
    """Yield the records of a file as batches."""
    apart = _of_spans if cells.spans_lines else _of_lines
    return (_batch(names, columns, file) for columns in apart(names, cells, lines))


def _of_spans(names: Sequence[str], cells: Cells, lines: Iterator[Any]) -> Iterator[Sequence[Any]]:
    """Yield the columns of records that may span lines."""
    records = cells.of(line for some in lines for line in some.to_pylist())
    places = _places(names, next(records, ("", []))[1])
    return (_columns(some, places, cells) for some in portions(records))


def _of_lines(names: Sequence[str], cells: Cells, lines: Iterator[Any]) -> Iterator[Sequence[Any]]:
    """Yield the columns of records with a line each, below the header."""
    filled = (some for some in lines if len(some))
    first = next(filled, None)
    if first is None:
        return
    [(_, header)] = cells.of([first[0].as_py()])
    places = _places(names, header)
    for some in chain([first.slice(1)], filled):
        yield from _apart(some, places, cells)


def _apart(lines: Any, places: Places, cells: Cells) -> Iterator[Sequence[Any]]:
    """Yield the columns of records with a line each: all at once where nothing is quoted, and the others one by one."""
    plain = pc.invert(pc.match_substring(lines, cells.quote))
    if cells.escape is None:
        lists = pc.split_pattern(lines.filter(plain), cells.separator)
        lines, lengths = lines.filter(pc.invert(plain)), pc.list_value_length(lists)
        sound = pc.equal(lengths, places.count)
        yield _in_columns(lists.filter(sound), places, cells)
        broken = lists.filter(pc.invert(sound)).to_pylist()
        lines = pa.concat_arrays([lines, pa.array(map(cells.separator.join, broken), lines.type)])
    if len(lines):
        yield _columns(list(cells.of(lines.to_pylist())), places, cells)


def _in_columns(lists: Any, places: Places, cells: Cells) -> Sequence[Any]:
    values, count = lists.flatten(), len(lists)
    firsts = np.arange(count) * places.count
    columns = [_nulls(count) if place is None else values.take(pa.array(firsts + place)) for place in places.wanted]
    return [*(pc.if_else(pc.equal(one, cells.null), None, one) for one in columns), _nulls(count)]


def _columns(records: Sequence[tuple[str, list[str]]], places: Places, cells: Cells) -> Sequence[Any]:
    rows = [_row(record, own, places, cells) for record, own in records]
    return [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]


def _row(record: str, own: Sequence[str], places: Places, cells: Cells) -> list[str | None]:
    """Return the cells of a record under the names of the columns, and the record where it is malformed."""
    if len(own) != places.count:
        return [*([None] * len(places.wanted)), record or cells.separator.join(own)]
    values = [None if place is None or own[place] == cells.null else own[place] for place in places.wanted]
    return [*values, None]


def _nulls(count: int) -> Any:
    return pa.nulls(count, pa.string())


def _places(names: Sequence[str], header: Sequence[str]) -> Places:
    """Return where columns stand in a file with a header.

    >>> _places(["time", "Type", "user"], ["type", " time "])
    Places(count=2, wanted=(1, 0, None))
    """
    there = [name.strip().removeprefix("\ufeff").strip() for name in header]
    folded = [name.casefold() for name in there]
    found = (there.index(one) if one in there else _only(folded, one.casefold()) for one in names)
    return Places(len(header), tuple(found))


def _only(names: Sequence[str], name: str) -> int | None:
    return names.index(name) if names.count(name) == 1 else None


def _batch(names: Sequence[str], columns: Sequence[Any], file: str) -> Any:
    files = pa.repeat(pa.scalar(file, pa.string()), len(columns[0]))
    return pa.RecordBatch.from_arrays([*columns, files], [*names, BROKEN, FILE])


def _typed(wanted: Sequence[T.StructField], options: Mapping[str, str]) -> list[Column]:
    return [_value(field, options).alias(field.name) for field in wanted]


def _value(field: T.StructField, options: Mapping[str, str]) -> Column:
    """Return what a cell says, null where it says nothing of its type."""
    text, given = F.col(quoted(field.name)), {name.lower(): value for name, value in options.items()}
    if isinstance(field.dataType, T.StringType):
        return text
    if isinstance(field.dataType, T.TimestampType) and "timestampformat" in given:
        return F.try_to_timestamp(text, F.lit(given["timestampformat"]))
    if isinstance(field.dataType, T.DateType) and "dateformat" in given:
        return F.try_to_timestamp(text, F.lit(given["dateformat"])).cast("date")
    return text.try_cast(field.dataType)


def _malformed(schema: T.StructType, wanted: Sequence[T.StructField], options: Mapping[str, str]) -> list[Column]:
    """Return the column of malformed records, where the schema has one."""
    if CORRUPT_RECORD not in schema.names:
        return []
    checked = [one for one in wanted if not isinstance(one.dataType, T.StringType)]
    wrong = (F.col(quoted(one.name)).isNotNull() & _value(one, options).isNull() for one in checked)
    whole = F.to_csv(F.struct(*(F.col(quoted(one.name)) for one in wanted)))
    said = F.when(reduce(or_, wrong, F.lit(False)), whole)
    return [F.coalesce(F.col(BROKEN), said).alias(CORRUPT_RECORD)]


def _merged(one: T.StructType, other: T.StructType) -> T.StructType:
    """Return the columns of both; a type that holds what both say, which a text always does."""
    known = {field.name: field.dataType for field in one.fields}
    for field in other.fields:
        known[field.name] = _wider(known.get(field.name, field.dataType), field.dataType)
    return T.StructType([T.StructField(name, kind) for name, kind in known.items()])


def _wider(one: T.DataType, other: T.DataType) -> T.DataType:
    if one == other:
        return one
    both = [place for place, kind in enumerate(_WIDER) if kind in (one, other)]
    return _WIDER[max(both)] if len(both) == 2 else T.StringType()
