"""The frame of a topic: payloads become columns by a schema, and each row knows its partition and its offset."""

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from cepheid.spark.event_columns import CORRUPT_RECORD, FILE, OFFSET, PARTITION, WAITED_FOR, quoted
from cepheid.spark.kafka import source as records
from cepheid.spark.kafka.client import KafkaTopic
from cepheid.spark.kafka.offsets import Offsets
from cepheid.spark.kafka.source import source_of

ABOUT = ("_key", "_timestamp", "_partition", "_offset")
"""What Kafka knows of a record beside its payload; expressions, and the columns of events, may name them."""
_HIDDEN = (PARTITION, OFFSET, FILE, WAITED_FOR, CORRUPT_RECORD)
_RECORD, _TEXT = "record", "text"


def topic_frame(
    session: SparkSession,
    name: str,
    topic: KafkaTopic,
    schema: T.StructType,
    begins: Offsets | None = None,
) -> DataFrame:
    """Return the stream of a topic, whose payloads have a schema."""
    form = f"cepheid_kafka_{name}"
    session.dataSource.register(source_of(form, topic, begins))
    return in_columns(session.readStream.format(form).load(), topic, schema)


def in_columns(raw: DataFrame, topic: KafkaTopic, schema: T.StructType) -> DataFrame:
    """Return records with the columns of a schema; a payload that says nothing in it is malformed."""
    said = F.col(records.VALUE).cast("string")
    text = raw.withColumn(_TEXT, F.make_valid_utf8(said))
    parsed = text.withColumn(_RECORD, _parsed(topic, schema))
    columns = [_payload_column(one.name) for one in schema.fields]
    corrupt = F.when(~F.is_valid_utf8(said) | _says_nothing(schema), F.col(_TEXT))
    where = F.concat(F.lit(f"{topic.topic}, partition "), records.PARTITION, F.lit(", offset "), records.OFFSET)
    return parsed.select(
        *columns,
        *_about(),
        F.col(records.PARTITION).alias(PARTITION),
        F.col(records.OFFSET).alias(OFFSET),
        F.when(F.col(records.PARTITION).isNotNull(), where).alias(FILE),
        F.col(records.WAITED_FOR).alias(WAITED_FOR),
        F.coalesce(F.col(_RECORD).getField(CORRUPT_RECORD), corrupt).alias(CORRUPT_RECORD),
    )


def selected(frame: DataFrame, expressions: tuple[str, ...], named: tuple[str, ...]) -> DataFrame:
    """Return the columns that expressions make, or those of the payload and what is `named` of the others.

    What is known of a row without being a column of its event stays in any case.
    """
    if not expressions:
        return frame.drop(*(name for name in ABOUT if name not in named))
    chosen = frame.selectExpr(*expressions)
    missing = [quoted(name) for name in _HIDDEN if name not in chosen.columns]
    return frame.selectExpr(*expressions, *missing).drop(*(name for name in ABOUT if name not in named))


def _parsed(topic: KafkaTopic, schema: T.StructType) -> Column:
    whole = T.StructType([*schema.fields, T.StructField(CORRUPT_RECORD, T.StringType())])
    reading = {"mode": "PERMISSIVE", "columnNameOfCorruptRecord": CORRUPT_RECORD}
    if topic.payload == "csv":
        return F.from_csv(F.col(_TEXT), _ddl(whole), reading)
    return F.from_json(F.col(_TEXT), whole, reading)


def _ddl(schema: T.StructType) -> str:
    return ", ".join(f"{quoted(one.name)} {one.dataType.simpleString()}" for one in schema.fields)


def _payload_column(name: str) -> Column:
    return F.col(_RECORD).getField(name).alias(name)


def _says_nothing(schema: T.StructType) -> Column:
    """Say whether a payload has no column at all: it is empty, or a list, or a word."""
    nothing = F.col(_TEXT).isNotNull()
    for one in schema.fields:
        nothing = nothing & F.col(_RECORD).getField(one.name).isNull()
    return nothing


def _about() -> list[Column]:
    key = F.make_valid_utf8(F.col(records.KEY).cast("string"))
    named = (key, F.col(records.TIMESTAMP), F.col(records.PARTITION), F.col(records.OFFSET))
    return [column.alias(name) for name, column in zip(ABOUT, named, strict=True)]
