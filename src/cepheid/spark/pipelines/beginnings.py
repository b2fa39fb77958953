"""Where the topics of a pipeline begin: decided when a run begins, and kept beside its checkpoint."""

import time
from collections.abc import Mapping
from dataclasses import replace

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.spark.kafka import (
    KafkaTopic,
    Offsets,
    first_offsets,
    offsets_from_json,
    offsets_to_json,
    refused_settings,
    seen_in,
)
from cepheid.spark.pipelines.declared import Pipeline, local_path
from cepheid.spark.pipelines.ownership import beginning_of, remember_beginning

Begins = Mapping[str, Offsets]


def check_topics(pipeline: Pipeline) -> None:
    """Refuse topics that cannot be read, and settings that the client does not take, all of them at once."""
    problems: list[Diagnostic] = []
    for name, topic in _topics(pipeline).items():
        problems += _of_settings(pipeline, "sources", name, topic) or _of_topic(pipeline, name, topic)
    for name, sink in pipeline.sinks.items():
        problems += [] if sink.kafka is None else _of_settings(pipeline, "sinks", name, sink.kafka)
    if problems:
        raise CepheidError(problems[0], *problems[1:])


def beginnings(pipeline: Pipeline) -> Begins:
    """Return where the topics of a pipeline begin: where its run began, or where it would begin now."""
    checkpoint = local_path(pipeline.resolved(pipeline.checkpoint))
    found = {}
    for name, topic in _topics(pipeline).items():
        known = None if checkpoint is None else beginning_of(checkpoint, name)
        now = int(time.time())
        found[name] = first_offsets(seen_in(topic), topic.start, now) if known is None else offsets_from_json(known)
    return found


def remember_beginnings(pipeline: Pipeline, begins: Begins) -> None:
    """Keep where topics begin for a run that begins."""
    checkpoint = local_path(pipeline.resolved(pipeline.checkpoint))
    for name, offsets in begins.items():
        if checkpoint is not None and beginning_of(checkpoint, name) is None:
            remember_beginning(checkpoint, name, offsets_to_json(offsets))


def _topics(pipeline: Pipeline) -> dict[str, KafkaTopic]:
    return {name: one.kafka for name, one in pipeline.sources.items() if one.kafka is not None}


def _of_settings(pipeline: Pipeline, kind: str, name: str, topic: KafkaTopic) -> list[Diagnostic]:
    reason = refused_settings(topic)
    if reason is None:
        return []
    label = pipeline.label("the client of Kafka says so", kind, name, "options" if topic.settings else "bootstrap")
    hint = 'write `options = { "security.protocol" = "ssl" }`, with settings of librdkafka'
    return [Diagnostic("bad-pipeline", f"Kafka's client does not take this: {reason}", (label,), hints=(hint,))]


def _of_topic(pipeline: Pipeline, name: str, topic: KafkaTopic) -> list[Diagnostic]:
    try:
        topic.partitions()
    except CepheidError as error:
        key = "topic" if "has no topic" in error.diagnostics[0].message else "bootstrap"
        label = pipeline.label(f"of the source `{name}`", "sources", name, key)
        return [replace(one, labels=(label,)) for one in error.diagnostics]
    return []
