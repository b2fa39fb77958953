"""What a pipeline writes is written to by nothing else, and nothing reads it or keeps its own notes there.

Batches are numbered in every folder: of two sinks in one folder each would write over the batches of the other, a
sink in the folder of its source would read its own results, and one in the checkpoint would write over its notes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from os.path import normpath, realpath

from cepheid.spark.pipelines.declared import Pipeline, local_path

CHECKPOINT, SOURCE, SINK = ("pipeline",), "sources", "sinks"


@dataclass(frozen=True, slots=True)
class UsedPath:
    """A path of a pipeline, the key that names it, and what it leads to, however it is written."""

    table: tuple[str, ...]
    key: str
    path: str
    place: str

    @property
    def is_read(self) -> bool:
        return self.table[0] == SOURCE

    @property
    def what(self) -> str:
        """What uses the path, in words."""
        if self.table == CHECKPOINT:
            return "the checkpoint"
        kind = "source" if self.is_read else "sink"
        return f"the {kind} `{self.table[-1]}`"


def clashes(pipeline: Pipeline) -> Iterator[tuple[UsedPath, UsedPath]]:
    """Yield each path that is taken already, with the one that took it; two sources may read one folder."""
    taken: dict[str, UsedPath] = {}
    for used in _used(pipeline):
        first = taken.setdefault(used.place, used)
        if first is not used and not (first.is_read and used.is_read):
            yield first, used


def _used(pipeline: Pipeline) -> Iterator[UsedPath]:
    yield _path(pipeline, CHECKPOINT, "checkpoint", pipeline.checkpoint)
    for name, source in pipeline.sources.items():
        if source.path is not None:
            yield _path(pipeline, (SOURCE, name), "path", source.path)
    for name, sink in pipeline.sinks.items():
        if sink.path is not None:
            yield _path(pipeline, (SINK, name), "path", sink.path)
        if sink.webhook is not None and sink.webhook.dead_letters is not None:
            yield _path(pipeline, (SINK, name), "dead_letters", sink.webhook.dead_letters)


def _path(pipeline: Pipeline, table: tuple[str, ...], key: str, path: str) -> UsedPath:
    return UsedPath(table, key, path, _place(pipeline.resolved(path)))


def _place(path: str) -> str:
    """Return what a path leads to: links of this machine are followed."""
    local = local_path(path)
    try:
        return normpath(path) if local is None else realpath(local)
    except ValueError:  # a name that no file has is refused where it is used
        return path
