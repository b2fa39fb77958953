"""Whether a pipeline may go on from its checkpoint: it is compared with what the checkpoint was made with.

Where events come from may not change: Spark would read what it has read already, or one source with the notes about
another. Where results go may change between two batches; a batch that was begun is finished where it was begun.
"""

from collections.abc import Iterator, Mapping
from os.path import abspath, isdir
from pathlib import Path
from typing import Any

from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.spark.pipelines.declared import DeclaredSink, DeclaredSource, Pipeline, local_path
from cepheid.spark.pipelines.ownership import remember_settings, settings_in
from cepheid.spark.pipelines.postgresql import without_password
from cepheid.spark.state_settings import BUCKETS, INPUT, OR_ANEW, QUERIES, RELEASE, changes

Told = Mapping[str, Any]  # JSON that we wrote
_CHANGED = "changed-pipeline"
_NAME_DATA = ("subscribe", "subscribePattern", "assign", "path")
_WHERE = {BUCKETS: ("pipeline", "buckets"), QUERIES: ("queries",), INPUT: ("sources",)}
_WHERE |= {RELEASE: ("pipeline", "checkpoint")}
_WORDS = {
    "path": "`path`",
    "format": "`format`",
    "type": "`type`",
    "unit": "`time_unit`",
    "select": "`select`",
    "options": "`options`",
    "topic": "`topic`",
    "payload": "`payload`",
}


def pipeline_settings(pipeline: Pipeline, state: Told) -> Told:
    """Return the settings of a pipeline whose streams have state with some settings."""
    sources = {name: _source(pipeline, source) for name, source in pipeline.sources.items()}
    sinks = {name: _place(pipeline, sink) for name, sink in pipeline.sinks.items()}
    return {"order": list(sources), "sources": sources, "sinks": sinks, "state": state}


def _source(pipeline: Pipeline, source: DeclaredSource) -> Told:
    return {
        "format": source.format,
        "path": None if source.path is None else _absolute(pipeline, source.path),
        "type": source.type,
        "unit": source.time_unit,
        "select": list(source.select),
        "options": {name: source.options[name] for name in _NAME_DATA if name in source.options},
        **({} if source.kafka is None else {"topic": source.kafka.topic, "payload": source.kafka.payload}),
    }


def _place(pipeline: Pipeline, sink: DeclaredSink) -> list[str]:
    where = [_absolute(pipeline, sink.path)] if sink.path is not None else []
    return [
        sink.format,
        *where,
        *([_shown(sink)] if sink.url else []),
        *([sink.table] if sink.table else []),
        *([] if sink.kafka is None else [sink.kafka.topic, f"with {sink.kafka.writers} writers"]),
    ]


def _shown(sink: DeclaredSink) -> str:
    """Return where a sink is, without what may be secret in its address."""
    return sink.webhook.host if sink.webhook is not None else without_password(sink.url or "")


def _absolute(pipeline: Pipeline, path: str) -> str:
    resolved = pipeline.resolved(path)
    here = local_path(resolved)
    return resolved if here is None else abspath(here)


def refuse_changed(pipeline: Pipeline, state: Told) -> None:
    """Refuse a pipeline that cannot go on from its checkpoint, for all that was changed at once."""
    checkpoint = local_path(pipeline.resolved(pipeline.checkpoint))
    before = None if checkpoint is None else settings_in(checkpoint)
    if checkpoint is None or before is None:
        return
    now = pipeline_settings(pipeline, state)
    found = [*_of_sources(pipeline, before, now), *_of_state(pipeline, before, now)]
    found += _of_sinks(pipeline, before, now, begun_batch(checkpoint))
    if found:
        raise CepheidError(found[0], *found[1:])


def remember(pipeline: Pipeline, state: Told) -> None:
    """Keep the settings of a pipeline that starts."""
    checkpoint = local_path(pipeline.resolved(pipeline.checkpoint))
    if checkpoint is not None:
        remember_settings(checkpoint, pipeline_settings(pipeline, state))


def begun_batch(checkpoint: Path) -> int | None:
    """Return the number of the batch that was begun and is not finished, None where there is none."""
    begun, finished = (max(_numbers(checkpoint / name), default=-1) for name in ("offsets", "commits"))
    return begun if begun > finished else None


def _numbers(directory: Path) -> list[int]:
    return [int(one.name) for one in directory.iterdir() if one.name.isdigit()] if isdir(directory) else []


def _of_state(pipeline: Pipeline, before: Told, now: Told) -> Iterator[Diagnostic]:
    for change in changes(before["state"], now["state"]):
        label = pipeline.label("the checkpoint has state for another one", *_WHERE[change.about])
        yield Diagnostic("state-mismatch", change.message, (label,), hints=(change.hint,))


def _of_sources(pipeline: Pipeline, before: Told, now: Told) -> Iterator[Diagnostic]:
    if before["order"] != now["order"]:
        names = ", ".join(f"`{name}`" for name in before["order"])
        label = pipeline.label("other sources, or in another order", "sources")
        message = f"the checkpoint was made with the sources {names}, in this order"
        yield Diagnostic(_CHANGED, message, (label,), hints=(f"name these sources, {OR_ANEW}",))
        return
    for name, told in now["sources"].items():
        for key in _changed(before["sources"][name], told):
            label = pipeline.label("it was another one", "sources", name, "time_unit" if key == "unit" else key)
            message = f"the checkpoint was made with another {_WORDS[key]} of the source `{name}`"
            hint = f"write {_written(key, before['sources'][name].get(key))} as it was, {OR_ANEW}"
            yield Diagnostic(_CHANGED, message, (label,), hints=(hint,))


def _changed(before: Told, now: Told) -> Iterator[str]:
    """Yield the keys of a source that were changed; expressions may be added."""
    for key, told in now.items():
        was = before.get(key)
        added = key == "select" and bool(told) == bool(was) and set(was or ()) <= set(told)
        if told != was and not added:
            yield key


def _written(key: str, value: object) -> str:
    if value is None or value in ([], {}):
        return f"no {_WORDS[key]}"
    return f'`{"time_unit" if key == "unit" else key} = "{value}"`' if isinstance(value, str) else _WORDS[key]


def _of_sinks(pipeline: Pipeline, before: Told, now: Told, batch: int | None) -> Iterator[Diagnostic]:
    for name, place in now["sinks"].items():
        was = before["sinks"].get(name, place)
        if batch is not None and was != place:
            declared = pipeline.sinks[name]
            key = "path" if declared.path is not None else "table" if declared.kafka is None else "topic"
            label = pipeline.label("it was another one", "sinks", name, key)
            message = f"batch {batch} was begun with the sink `{name}` at `{' '.join(was[1:]) or was[0]}`"
            hint = "start once with the sink as it was; when the batch is finished, it may change"
            yield Diagnostic(_CHANGED, message, (label,), hints=(hint,))
