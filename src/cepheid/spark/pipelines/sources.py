"""The sources of a pipeline as one frame: columns with common names, times in one form, each row with its source."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from cepheid.diagnostics import CepheidError
from cepheid.spark.event_columns import OFFSET, ORIGIN, PARTITION, WAITED_FOR, quoted
from cepheid.spark.pipelines.beginnings import Begins
from cepheid.spark.pipelines.declared import DeclaredSource, Pipeline
from cepheid.spark.pipelines.figures import ROWS
from cepheid.spark.pipelines.opening import Schemas, checked, opened
from cepheid.spark.times import time_form


@dataclass(frozen=True, slots=True)
class Events:
    """The events of all sources, and the columns that say what they are; None where there is no such column."""

    frame: DataFrame
    type: str
    time: str
    start: str | None
    id: str | None
    source: str | None
    order_by: tuple[str, ...]
    order_of_records: tuple[str, ...] = ()
    """What puts records of topics in order where nothing else does: partitions one after the other, by offsets."""


def events_of(pipeline: Pipeline, session: SparkSession, schemas: Schemas, begins: Begins | None = None) -> Events:
    """Return the stream of all events of a pipeline, whose sources have some schemas, and topics begin somewhere."""
    frames = {
        name: opened(pipeline, source, session, schemas[name], (begins or {}).get(name))
        for name, source in pipeline.sources.items()
    }
    return united(pipeline, [checked(pipeline, pipeline.sources[name], frame) for name, frame in frames.items()])


def united(pipeline: Pipeline, frames: Sequence[DataFrame]) -> Events:
    """Return frames of the sources as one; those of several sources know which one they come from."""
    sources = list(pipeline.sources.values())
    names = {key: _common(sources, key) for key in ("type", "time", "start", "id")}
    alike = _have_one_form(sources, frames)
    each = [_renamed(pipeline, *pair, names, alike) for pair in zip(sources, frames, strict=True)]
    if len(sources) > 1:
        each = [frame.withColumn(ORIGIN, F.lit(one.name)) for one, frame in zip(sources, each, strict=True)]
    together = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), each)
    rows = F.count_if(F.col(WAITED_FOR).isNull()) if WAITED_FOR in together.columns else F.count(F.lit(1))
    together = together.observe(ROWS, rows.alias(ROWS))
    origin = ORIGIN if len(sources) > 1 else sources[0].source_column
    ties = sources[0].order_by if len({one.order_by for one in sources}) == 1 else ()
    recorded = (*((ORIGIN,) if len(sources) > 1 else ()), PARTITION, OFFSET)
    own = recorded if all(one.kafka is not None for one in sources) else ()
    kind, time = names["type"] or "type", names["time"] or "time"
    return Events(together, kind, time, names["start"], names["id"], origin, ties, own)


def _common(sources: Sequence[DeclaredSource], key: str) -> str | None:
    """Return the column that all sources use for something, or a common name where they differ."""
    columns = {one.columns.get(f"{key}_column") for one in sources}
    if key == "type" and any(one.type is not None for one in sources):
        return "type"
    return columns.pop() if len(columns) == 1 else key


def _renamed(
    pipeline: Pipeline, source: DeclaredSource, frame: DataFrame, names: dict[str, str | None], alike: bool
) -> DataFrame:
    """Return a frame with its columns under the common names, and times as timestamps where they are not alike."""
    for key, common in names.items():
        own = source.columns.get(f"{key}_column")
        if common is None or own == common:
            continue
        if common in frame.columns:
            raise _clash(pipeline, source, key, common)
        if own is not None:
            frame = frame.withColumnRenamed(own, common)
        elif key == "type":
            frame = frame.withColumn(common, F.lit(source.type))
    times = [names[key] for key in ("time", "start") if f"{key}_column" in source.columns]
    return frame if alike else reduce(lambda one, name: _as_timestamps(source, one, name or "time"), times, frame)


def _clash(pipeline: Pipeline, source: DeclaredSource, key: str, common: str) -> CepheidError:
    message = f"the column `{common}` of the source `{source.name}` is not its {key}"
    hint = f'give it another name: `select = ["{common} AS own_{common}"]`'
    return pipeline.error("bad-pipeline", message, "these columns clash", "sources", source.name, hints=(hint,))


def _have_one_form(sources: Sequence[DeclaredSource], frames: Sequence[DataFrame]) -> bool:
    kinds = {
        (frame.schema[source.time_column].dataType.simpleString(), source.time_unit)
        for source, frame in zip(sources, frames, strict=True)
    }
    return len(kinds) == 1


def _as_timestamps(source: DeclaredSource, frame: DataFrame, name: str) -> DataFrame:
    form = time_form(frame.schema[name], source.time_unit, 1, name)
    return frame.withColumn(name, F.timestamp_micros(form.ticks(F.col(quoted(name)))))
