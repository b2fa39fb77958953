"""Finite input on Spark: files become a frame, and results come back in order, with times in ticks."""

from collections.abc import Iterator, Mapping
from os.path import exists, isdir, isfile
from pathlib import Path

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.connectors import Calendar, Form
from cepheid.diagnostics import CepheidError, Diagnostic, close_match, codes, readable
from cepheid.events import Rounding
from cepheid.spark.batch import detect_batch
from cepheid.spark.causes import own_error
from cepheid.spark.csv_by_name import read_by_name, schema_by_name
from cepheid.spark.detecting import Work
from cepheid.spark.event_columns import CORRUPT_RECORD, TYPE, quoted
from cepheid.spark.results import FIGURES, MATCH
from cepheid.spark.times import time_form

_FORMATS = {
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".csv": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".orc": "orc",
}
_PACKED = (".gz", ".bz2", ".zst", ".lz4")
_OPTIONS: Mapping[str, Mapping[str, str]] = {"csv": {"header": "true", "inferSchema": "true"}}


def frame_of(path: str, session: SparkSession) -> DataFrame:
    """Return the frame of a file, or of all files of a directory; records that cannot be read have a column."""
    format_ = _format_of(path)
    options = {**_OPTIONS.get(format_, {}), **_below(path)}
    try:
        if format_ == "csv" and not isfile(path):
            schema = schema_by_name(session, path, options).add(CORRUPT_RECORD, T.StringType())
            return read_by_name(session.read, path, schema, options)
        frame = session.read.format(format_).options(**options).load(path)
        if format_ not in ("json", "csv") or CORRUPT_RECORD in frame.columns:
            return frame
        schema = frame.schema.add(CORRUPT_RECORD, T.StringType())
        return session.read.format(format_).options(**options).schema(schema).load(path)
    except PySparkException as error:
        reason = str(error).splitlines()[0]
        raise CepheidError(Diagnostic("unreadable-input", f"`{path}` cannot be read: {reason}")) from None


def refuse_unfit(frame: DataFrame, columns: Mapping[str, str]) -> None:
    """Refuse a frame that has not the columns that options name, or whose times are none."""
    for option, name in columns.items():
        if name not in frame.columns:
            names = [one for one in frame.columns if one != CORRUPT_RECORD]
            closest = close_match(name, names) or (names[0] if names else "column")
            notes = (f"there is {', '.join(f'`{one}`' for one in names)}",)
            message = f"no row has a column `{name}`"
            hints = (f"say which column it is: `{option} {closest}`",)
            raise CepheidError(Diagnostic("missing-column", message, notes=notes, hints=hints))
        if option in ("--time-column", "--start-column"):
            _check_time(frame, option, name)


def _check_time(frame: DataFrame, option: str, name: str) -> None:
    try:
        time_form(frame.schema[name], "s", 1, option)
    except CepheidError as error:
        hints = (f"name a column of timestamps, numbers or ISO 8601: `{option} NAME`",)
        raise CepheidError(Diagnostic("bad-time-column", error.diagnostics[0].message, hints=hints)) from None


def results_in_order(work: Work) -> Iterator[Row]:
    """Yield what was set aside, and then the matches by when they are known, their end and their id.

    Figures are among what comes first where they say that events came faster than was declared. Times are ticks. The
    results are worked out once; putting them in order looks at them twice. What a worker refuses is raised as it is.
    """
    found = detect_batch(work.rows, work.routes, work.form, work.settings, work.slices, work.buckets)
    kept = found.where((F.col("tag") != FIGURES) | F.col("reason").isNotNull()).persist()
    try:
        order = (F.col("tag") == MATCH, F.col("known").asc_nulls_last(), "end", "id", "record")
        yield from kept.orderBy(*order).toLocalIterator()
    except PySparkException as error:
        raise own_error(str(error), *codes) or error from None
    finally:
        kept.unpersist()


def figures_of(work: Work) -> tuple[dict[str, int], Rounding]:
    """Return how many events there are of each type, and how many times were rounded."""
    rows = work.rows
    time = F.col(quoted(rows.columns.time))
    is_rounded = rows.form.is_rounded(time)
    first = F.min(F.when(is_rounded, time.cast("string")))
    counts = rows.frame.where(~rows.bad).groupBy(TYPE).agg(F.count("*"), F.count_if(is_rounded), first).collect()
    rounding = Rounding(sum(row[2] for row in counts), next((row[3] for row in counts if row[3] is not None), ""))
    return {row[0]: row[1] for row in counts}, rounding


def form_of_times(work: Work) -> Form:
    """Return the form in which the input has its times."""
    match work.rows.form.type:
        case T.TimestampType():
            return Calendar.AWARE
        case T.TimestampNTZType():
            return Calendar.NAIVE
        case T.StringType() | T.DateType():
            return Calendar.ISO
        case _:
            return work.rows.form.unit


def _format_of(path: str) -> str:
    """Return the format of a file or of the files of a directory, by the endings of their names."""
    if "://" in path:
        names = [path]
    else:
        place = Path(path)
        if not exists(path):
            raise CepheidError(Diagnostic("unreadable-input", f"`{path}` cannot be read: there is no such file"))
        names = [str(one) for one in place.rglob("*") if _is_data(one, place)] if isdir(path) else [path]
    formats = sorted({found for name in names if (found := _FORMATS.get(_ending(name))) is not None})
    if len(formats) != 1:
        raise _unclear(path, formats)
    return formats[0]


def _is_data(file: Path, directory: Path) -> bool:
    """Say whether Spark would read a file: nothing on the way to it begins with a dot or an underscore."""
    return isfile(file) and not any(part[0] in "._" for part in file.relative_to(directory).parts)


def _below(path: str) -> dict[str, str]:
    """Return the option that also reads directories in a directory, unless their names say columns."""
    with readable(path):
        inner = [one.name for one in Path(path).iterdir() if isdir(one)] if "://" not in path and isdir(path) else []
    return {"recursiveFileLookup": "true"} if inner and not any("=" in name for name in inner) else {}


def _ending(name: str) -> str:
    suffixes = [suffix.lower() for suffix in Path(name).suffixes]
    if suffixes and suffixes[-1] in _PACKED:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


def _unclear(path: str, formats: list[str]) -> CepheidError:
    message = f"it is not clear what `{path}` holds"
    notes = (f"there are files of {' and '.join(formats)}",) if formats else ()
    hint = "give all names the ending `.jsonl`, `.csv` or `.parquet`"
    return CepheidError(Diagnostic("unknown-format", message, notes=notes, hints=(hint,)))
