"""The frame of one source: opened with its schema, and refused where a column that it names is not there."""

import json
from collections.abc import Mapping
from os.path import exists

from py4j.protocol import Py4JJavaError
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import types as T

from cepheid.diagnostics import CepheidError, Diagnostic, close_match
from cepheid.spark.csv_by_name import has_headers, read_by_name, schema_by_name
from cepheid.spark.event_columns import CORRUPT_RECORD, OURS
from cepheid.spark.kafka import Offsets, selected, topic_frame
from cepheid.spark.pipelines.declared import DeclaredSource, Pipeline, local_path
from cepheid.spark.pipelines.ownership import remember_schema, schema_of
from cepheid.spark.times import time_form

Schemas = Mapping[str, T.StructType | None]
_FILES = ("parquet", "json", "csv", "orc")
_MAY_BE_MALFORMED = ("json", "csv")
_DEFAULTS = {"csv": {"header": "true", "inferSchema": "true"}}


def opened(
    pipeline: Pipeline,
    source: DeclaredSource,
    session: SparkSession,
    schema: T.StructType | None,
    begins: Offsets | None = None,
) -> DataFrame:
    """Return the stream of a source, which has a schema unless its format knows better."""
    options = {**_DEFAULTS.get(source.format, {}), **source.options}
    path = None if source.path is None else pipeline.resolved(source.path)
    if source.kafka is not None and schema is not None:
        return _topic(pipeline, source, session, schema, begins)
    try:
        frame = _read(session, source.format, path, schema, options)
        return frame.selectExpr(*source.select) if source.select else frame
    except PySparkException as error:
        raise _unreadable(pipeline, source, str(error)) from None
    except Py4JJavaError as error:  # a format that Spark cannot find has no exception of its own in Python
        raise _unreadable(pipeline, source, error.java_exception.getMessage()) from None


def _topic(
    pipeline: Pipeline, source: DeclaredSource, session: SparkSession, schema: T.StructType, begins: Offsets | None
) -> DataFrame:
    """Return the stream of a topic, with what Kafka knows of a record where a column of events is called so."""
    assert source.kafka is not None
    try:
        frame = topic_frame(session, source.name, source.kafka, schema, begins)
        return selected(frame, source.select, (*source.columns.values(), *source.order_by))
    except PySparkException as error:
        raise _unreadable(pipeline, source, str(error)) from None


def _read(
    session: SparkSession, form: str, path: str | None, schema: T.StructType | None, options: dict[str, str]
) -> DataFrame:
    if form == "csv" and path is not None and schema is not None and has_headers(options):
        return read_by_name(session.readStream, path, schema, options)
    reader = session.readStream.format(form).options(**options)
    return (reader if schema is None else reader.schema(schema)).load(path)


def schemas_of(pipeline: Pipeline, session: SparkSession) -> Schemas:
    """Return the schemas of the sources; what is inferred is inferred once, so that what runs is what is kept."""
    return {name: _schema(pipeline, source, session) for name, source in pipeline.sources.items()}


def _schema(pipeline: Pipeline, source: DeclaredSource, session: SparkSession) -> T.StructType | None:
    """Return the schema of a source: as it is written, as it was when the run began, or as the files have it."""
    if source.schema is not None:
        return _with_malformed(source, _from_text(pipeline, source, source.schema))
    if source.format not in _FILES:
        return None
    checkpoint = local_path(pipeline.resolved(pipeline.checkpoint))
    known = None if checkpoint is None else schema_of(checkpoint, source.name)
    if known is not None:
        return T.StructType.fromJson(json.loads(known))
    return _with_malformed(source, _inferred(pipeline, source, session))


def remember_schemas(pipeline: Pipeline, schemas: Schemas) -> None:
    """Keep the schemas that were inferred for a run that begins."""
    checkpoint = local_path(pipeline.resolved(pipeline.checkpoint))
    for name, schema in schemas.items():
        is_inferred = schema is not None and pipeline.sources[name].schema is None
        if checkpoint is not None and schema is not None and is_inferred and schema_of(checkpoint, name) is None:
            remember_schema(checkpoint, name, schema.json())


def _from_text(pipeline: Pipeline, source: DeclaredSource, text: str) -> T.StructType:
    try:
        found = T.StructType.fromDDL(text)
    except PySparkException:
        found = None
    if not isinstance(found, T.StructType):
        hint = 'write `schema = "type string, time timestamp, amount double"`'
        message = f"the schema of the source `{source.name}` cannot be read"
        raise pipeline.error("bad-pipeline", message, "not a schema", "sources", source.name, "schema", hints=(hint,))
    return found


def _inferred(pipeline: Pipeline, source: DeclaredSource, session: SparkSession) -> T.StructType:
    path = pipeline.resolved(source.path or "")
    directory = local_path(path)
    if directory is not None and not exists(directory) and not _is_a_pattern(path):
        raise pipeline.error(
            "unreadable-input",
            f"`{path}` cannot be read: it is not there",
            "no such directory",
            "sources",
            source.name,
            "path",
        )
    try:
        options = {**_DEFAULTS.get(source.format, {}), **source.options}
        if source.format == "csv" and has_headers(options):
            return schema_by_name(session, path, options)
        return session.read.format(source.format).options(**options).load(path).schema
    except (PySparkException, Py4JJavaError):
        message = f"the source `{source.name}` has no files yet that would show its columns"
        hint = 'say what they are: `schema = "type string, time timestamp"`'
        raise pipeline.error(
            "unreadable-input", message, "nothing to learn from", "sources", source.name, "path", hints=(hint,)
        ) from None


def _is_a_pattern(path: str) -> bool:
    return any(mark in path for mark in "*?[{")


def _with_malformed(source: DeclaredSource, schema: T.StructType) -> T.StructType:
    """Return the schema with a column for records that cannot be read, where a format may have such."""
    if source.format not in _MAY_BE_MALFORMED or CORRUPT_RECORD in schema.names:
        return schema
    return schema.add(CORRUPT_RECORD, T.StringType())


def _unreadable(pipeline: Pipeline, source: DeclaredSource, reason: str) -> CepheidError:
    message = f"the source `{source.name}` cannot be read: {reason.splitlines()[0]}"
    return pipeline.error("unreadable-input", message, "Spark says so", "sources", source.name, "format")


def checked(pipeline: Pipeline, source: DeclaredSource, frame: DataFrame) -> DataFrame:
    """Return the frame of a source, or refuse one without the columns that are named, or whose times are none."""
    problems = [
        _missing(pipeline, source, frame, key, name)
        for key, name in (*source.columns.items(), *(("order_by", name) for name in source.order_by))
        if name not in frame.columns
    ]
    if problems:
        raise CepheidError(problems[0], *problems[1:])
    for key in ("time_column", "start_column"):
        if key in source.columns:
            _check_time(pipeline, source, frame, key, source.columns[key])
    return frame


def _missing(pipeline: Pipeline, source: DeclaredSource, frame: DataFrame, key: str, name: str) -> Diagnostic:
    names = [one for one in frame.columns if one != CORRUPT_RECORD and not one.startswith(OURS)]
    closest = close_match(name, names) or (names[0] if names else "column")
    label = pipeline.label(f"there is {', '.join(f'`{one}`' for one in names)}", "sources", source.name, key)
    message = f"the source `{source.name}` has no column `{name}`"
    return Diagnostic("missing-column", message, (label,), hints=(f'write `{key} = "{closest}"`',))


def _check_time(pipeline: Pipeline, source: DeclaredSource, frame: DataFrame, key: str, name: str) -> None:
    try:
        time_form(frame.schema[name], source.time_unit, 1, key)
    except CepheidError as error:
        label = pipeline.label("no times here", "sources", source.name, key)
        made = 'select = ["*", "to_timestamp(day) AS time"]'
        hint = f"name a column of timestamps, numbers or ISO 8601, or make one: `{made}`"
        raise CepheidError(
            Diagnostic("bad-time-column", error.diagnostics[0].message, (label,), hints=(hint,))
        ) from None
