"""The keys of sources and sinks that are topics of Kafka."""

from typing import Literal

from cepheid.events import Duration
from cepheid.spark.kafka import AVRO, IDLE_AFTER, PAYLOADS, STARTS, KafkaTopic, why_no_schema
from cepheid.spark.pipelines.sections import Section

NEVER = "never"
_SECOND = 1_000_000


def topic_to_read(section: Section) -> KafkaTopic:
    """Return the topic that a source reads; its payloads need a schema, because nobody can look at all of them."""
    start: Literal["earliest", "latest"] = section.choice("from", STARTS, "earliest")
    found = KafkaTopic(
        bootstrap=section.needed("bootstrap", "localhost:9092"),
        topic=section.needed("topic", "events"),
        settings=section.secrets("options"),
        payload=section.choice("payload", PAYLOADS, "json"),
        avro=_avro_schema(section),
        avro_header=section.number("avro_header") or 0,
        start=start,
        idle_after=_idle_after(section),
        most=section.number("most"),
    )
    _refuse_others(section, "path")
    if "schema" not in section.table:
        example = 'add `schema = "type string, time timestamp"`'
        section.complain("a topic of Kafka needs a schema", "no schema here", hint=example)
    return found


def _avro_schema(section: Section) -> str | None:
    """Return the schema of payloads of Avro, which is in a file of its own."""
    path, is_avro = section.text("avro"), section.table.get("payload") == AVRO
    for key in ("avro", "avro_header") if not is_avro else ():
        if key in section.table:
            section.complain(f"`{key}` is about payloads of Avro", "leave it out", key, hint='write `payload = "avro"`')
    if not is_avro:
        return None
    if path is None:
        example = 'add `avro = "orders.avsc"`'
        section.complain("payloads of Avro need the schema they were written with", "no `avro` here", hint=example)
        return None
    try:
        found = (section.directory / path).read_text(encoding="utf-8-sig")
        reason = why_no_schema(found)
    except (OSError, UnicodeDecodeError) as error:
        found, reason = "", getattr(error, "strerror", None) or "it is no text"
    if reason is not None:
        hint = "name a file with the schema of a record, as JSON"
        section.complain(f"`{path}` is no schema of Avro: {reason}", "of these payloads", "avro", hint=hint)
    return found


def topic_to_write(section: Section) -> KafkaTopic:
    """Return the topic that a sink writes into."""
    _refuse_others(section, "path", "table", "url", "files")
    return KafkaTopic(
        bootstrap=section.needed("bootstrap", "localhost:9092"),
        topic=section.needed("topic", "matches"),
        settings=section.secrets("options"),
        writers=section.number("writers") or 1,
    )


def _refuse_others(section: Section, *keys: str) -> None:
    for key in keys:
        if key in section.table:
            message = f"a topic of Kafka has no `{key}`"
            section.complain(message, "leave it out", key, hint=f"leave out `{key}`; `topic` says where records are")


def _idle_after(section: Section) -> float | None:
    text = section.text("idle_after") or IDLE_AFTER
    if text == NEVER:
        return None
    found: Duration | None = section.length_of_time("idle_after", text, or_else=NEVER)
    return None if found is None else found.ticks / _SECOND
