"""What a pipeline writes is written to by nothing else, and nothing reads it or keeps its own notes there.

Batches are numbered in every folder: of two sinks in one folder each would write over the batches of the other, a
sink in the folder of its source would read its own results, and one in the checkpoint would write over its notes.
What is written below the folder of a source is read by it, too, if it reads files: all but those that its
`pathGlobFilter` leaves out, and what lies in a folder whose name begins with `_` or `.`, which readers pass over.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os.path import normpath, realpath

from cepheid.spark.pipelines.declared import Pipeline, local_path

_OF_FILES = ("parquet", "json", "csv", "orc", "text", "avro", "xml", "binaryfile")
_SEVERAL = re.compile(r"\{[^{}]*\}")
CHECKPOINT, SOURCE, SINK = ("pipeline",), "sources", "sinks"


@dataclass(frozen=True, slots=True)
class UsedPath:
    """A path of a pipeline, the key that names it, and what it leads to, however it is written."""

    table: tuple[str, ...]
    key: str
    path: str
    place: str
    ending: str | None = None

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


def read_again(pipeline: Pipeline) -> Iterator[tuple[UsedPath, UsedPath]]:
    """Yield each path of a source with one below it that is written to, so that the source reads what is written."""
    used = list(_used(pipeline))
    for source in used:
        if source.is_read and pipeline.sources[source.table[-1]].format.lower() in _OF_FILES:
            only = _only(pipeline, source)
            yield from ((source, other) for other in used if not other.is_read and _is_below(other, source, only))


def _only(pipeline: Pipeline, source: UsedPath) -> str:
    """Return which names of files a source reads."""
    options = {name.lower(): value for name, value in pipeline.sources[source.table[-1]].options.items()}
    return options.get("pathglobfilter", "*")


def _is_below(used: UsedPath, source: UsedPath, only: str) -> bool:
    """Say whether files of a path are found by a source, whose own path may be a pattern."""
    folders, patterns = used.place.split("/"), _SEVERAL.sub("*", source.place).rstrip("/").split("/")
    left = folders[len(patterns) :]
    if used.place == source.place or any(folder.startswith(("_", ".")) for folder in left):
        return False
    if used.ending is not None and not fnmatchcase(f"part-0{used.ending}", _SEVERAL.sub("*", only)):
        return False
    return len(folders) >= len(patterns) and all(map(fnmatchcase, folders, patterns))


def outside(source: UsedPath, name: str) -> str:
    """Return a path beside that of a source, for what has this name.

    >>> outside(UsedPath(("sources", "logins"), "path", "data/day=*/in", "data/day=*/in"), "alarms")
    'data-alarms'
    """
    fixed = re.split(r"/[^/]*[*?\[{]", source.path)[0]
    return f"{fixed.rstrip('/')}-{name}"


def _used(pipeline: Pipeline) -> Iterator[UsedPath]:
    yield _path(pipeline, CHECKPOINT, "checkpoint", pipeline.checkpoint)
    for name, source in pipeline.sources.items():
        if source.path is not None:
            yield _path(pipeline, (SOURCE, name), "path", source.path)
    for name, sink in pipeline.sinks.items():
        if sink.path is not None:
            yield _path(pipeline, (SINK, name), "path", sink.path, f".{sink.format}")
        if sink.webhook is not None and sink.webhook.dead_letters is not None:
            yield _path(pipeline, (SINK, name), "dead_letters", sink.webhook.dead_letters, ".jsonl")


def _path(pipeline: Pipeline, table: tuple[str, ...], key: str, path: str, ending: str | None = None) -> UsedPath:
    return UsedPath(table, key, path, _place(pipeline.resolved(path)), ending)


def _place(path: str) -> str:
    """Return what a path leads to: links of this machine are followed."""
    local = local_path(path)
    try:
        return normpath(path) if local is None else realpath(local)
    except ValueError:  # a name that no file has is refused where it is used
        return path
