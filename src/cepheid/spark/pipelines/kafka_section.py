"""The keys of sources and sinks that are topics of Kafka."""

from typing import Literal

from cepheid.events import Duration
from cepheid.spark.kafka import IDLE_AFTER, PAYLOADS, STARTS, KafkaTopic
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
        start=start,
        idle_after=_idle_after(section),
        most=section.number("most"),
    )
    _refuse_others(section, "path")
    if "schema" not in section.table:
        example = 'add `schema = "type string, time timestamp"`'
        section.complain("a topic of Kafka needs a schema", "no schema here", hint=example)
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
