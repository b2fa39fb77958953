"""Comma-separated values by the names of their columns: each file has a header of its own, in whatever order.

Spark reads such files by position: where a later file has its columns in another order, values would change places.
So Spark is asked for lines, file by file and never for a part of one, and each is taken apart by its own header. Cells
become values as Spark has them; a record in which one does not is malformed, as is one with too few cells or too many.
"""

import csv
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from operator import or_
from typing import Any, TypeVar

import pyarrow as pa
from pyspark.sql import Column, DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.streaming.readwriter import DataStreamReader

from cepheid.spark.event_columns import CORRUPT_RECORD, FILE, OURS, quoted

Reader = TypeVar("Reader", DataFrameReader, DataStreamReader)
_LINE, _BROKEN = "line", f"{OURS}broken"
_NOT_IN_FILES = "\u0001"
# A line is one value for Spark; that it may span lines keeps Spark from cutting files into parts.
_AS_LINES = {"header": "false", "multiLine": "true", "sep": _NOT_IN_FILES, "quote": "", "inferSchema": "false"}
_AS_LINES |= {"mode": "PERMISSIVE", "nullValue": _NOT_IN_FILES, "comment": ""}
_FOR_CELLS = ("delimiter", "quote", "escape", "nullvalue", "emptyvalue", "multiline", "comment", "enforceschema")
_WIDER = (T.IntegerType(), T.LongType(), T.DoubleType())


@dataclass(frozen=True, slots=True)
class Cells:
    """How a line is taken apart."""

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
    told = columns.add(_BROKEN, T.StringType()).add(FILE, T.StringType())
    texts = _lines(reader, path, options).mapInArrow(_taking_apart(columns.names[: len(wanted)], _cells(options)), told)
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


def _by_file(batches: Iterable[Any]) -> Iterator[tuple[str, Iterator[str]]]:
    """Yield the lines of each file; those of one file come together, and in their order."""
    rows = (
        pair for batch in batches for pair in zip(*(batch.column(n).to_pylist() for n in (FILE, _LINE)), strict=True)
    )
    for file, some in groupby(rows, key=lambda pair: pair[0]):
        yield file, (line for _, line in some if line is not None)


def _headers(batches: Iterator[Any]) -> Iterator[Any]:
    """Yield the header of each file."""
    for file, lines in _by_file(batches):
        header = next(lines, None)
        if header is not None:
            yield pa.RecordBatch.from_pydict({"header": [header], "file": [file]})


def _taking_apart(names: Sequence[str], cells: Cells) -> Callable[[Iterator[Any]], Iterator[Any]]:
    def take_apart(batches: Iterator[Any]) -> Iterator[Any]:
        for file, lines in _by_file(batches):
            records = cells.of(lines)
            places = _places(names, next(records, ("", []))[1])
            while some := [one for one, _ in zip(records, range(_PORTION), strict=False)]:
                yield _batch(names, [_row(record, own, places, cells) for record, own in some], file)

    return take_apart


_PORTION = 10_000


def _places(names: Sequence[str], header: Sequence[str]) -> list[int | None]:
    """Return the place of each column in a file, None where it is not there, and how many cells a record has.

    >>> _places(["time", "Type", "user"], ["type", " time "])
    [1, 0, None, 2]
    """
    there = [name.strip().removeprefix("\ufeff").strip() for name in header]
    folded = [name.casefold() for name in there]
    found = [there.index(one) if one in there else _only(folded, one.casefold()) for one in names]
    return [*found, len(header)]


def _only(names: Sequence[str], name: str) -> int | None:
    return names.index(name) if names.count(name) == 1 else None


def _row(record: str, own: Sequence[str], places: Sequence[int | None], cells: Cells) -> list[str | None]:
    """Return the cells of a record under the names of the columns, and the record where it is malformed."""
    if len(own) != places[-1]:
        return [*([None] * (len(places) - 1)), record or cells.separator.join(own)]
    values = [None if place is None or own[place] == cells.null else own[place] for place in places[:-1]]
    return [*values, None]


def _batch(names: Sequence[str], rows: Sequence[Sequence[str | None]], file: str) -> Any:
    columns = [pa.array(column, pa.string()) for column in zip(*rows, strict=True)]
    return pa.RecordBatch.from_arrays([*columns, pa.array([file] * len(rows), pa.string())], [*names, _BROKEN, FILE])


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
    return [F.coalesce(F.col(_BROKEN), said).alias(CORRUPT_RECORD)]


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
