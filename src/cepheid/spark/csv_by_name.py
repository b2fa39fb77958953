"""Comma-separated values by the names of their columns: each file has a header of its own, in whatever order.

Spark reads such files by position: where a later file has its columns in another order, values would change places.
So Spark is asked for lines, file by file and never for a part of one, and each is taken apart by its own header. Cells
become values as Spark has them; a record in which one does not is malformed, as is one with too few cells or too many.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import TypeVar

from pyspark.sql import Column, DataFrame, DataFrameReader, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T
from pyspark.sql.streaming.readwriter import DataStreamReader

from cepheid.spark.csv_cells import BROKEN, LINE, Cells, headers_in, taking_apart
from cepheid.spark.event_columns import CORRUPT_RECORD, FILE, quoted

Reader = TypeVar("Reader", DataFrameReader, DataStreamReader)
_HARDLY_THERE = "\u0001"
# A line is one value for Spark; that it may span lines keeps Spark from cutting files into parts.
_AS_LINES = {"header": "false", "multiLine": "true", "sep": _HARDLY_THERE, "quote": "", "inferSchema": "false"}
_AS_LINES |= {"mode": "PERMISSIVE", "nullValue": _HARDLY_THERE, "comment": ""}
_AS_LINES["columnNameOfCorruptRecord"] = CORRUPT_RECORD
_FOR_CELLS = ("delimiter", "quote", "escape", "nullvalue", "emptyvalue", "multiline", "comment", "enforceschema")
_WIDER = (T.IntegerType(), T.LongType(), T.DoubleType())


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
    lines = _lines(session.read, path, options).mapInArrow(headers_in, "header string, file string")
    files: dict[str, list[str]] = {}
    for header, file in lines.collect():
        files.setdefault(header, []).append(file)
    each = [session.read.format("csv").options(**options).load(some).schema for some in files.values()]
    return reduce(_merged, each) if each else session.read.format("csv").options(**options).load(path).schema


def _lines(reader: Reader, path: str, options: Mapping[str, str]) -> DataFrame:
    of_files = {name: value for name, value in options.items() if name.lower() not in _FOR_CELLS}
    lines = reader.format("csv").options(**{**of_files, **_AS_LINES}).schema(f"{LINE} string, {CORRUPT_RECORD} string")
    # A line with the sign that hardly is in a file is more than one value, and comes as a whole.
    whole = F.coalesce(CORRUPT_RECORD, LINE).alias(LINE)
    return lines.load(path).select(whole, F.col("_metadata.file_path").alias(FILE))


def _cells(options: Mapping[str, str]) -> Cells:
    given = {name.lower(): value for name, value in options.items()}
    separator = given.get("sep", given.get("delimiter", ","))
    spans = given.get("multiline", "false").lower() == "true"
    return Cells(separator, given.get("quote", '"'), given.get("escape"), given.get("nullvalue", ""), spans)


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
