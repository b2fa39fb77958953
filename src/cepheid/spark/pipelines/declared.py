"""What a pipeline file declares: sources, queries, sinks, and how they are run."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cepheid.connectors import TimeUnit
from cepheid.diagnostics import CepheidError, Diagnostic, Label
from cepheid.spark.kafka import KafkaTopic
from cepheid.spark.pipelines.suppression import Suppression
from cepheid.spark.pipelines.toml_places import KeyPlaces
from cepheid.spark.pipelines.webhook import Webhook

ONCE: Final = "once"
TAGS: Final = ("match", "late", "duplicate", "corrupt")
POSTGRESQL: Final = "postgresql"
KAFKA: Final = "kafka"
WARN: Final = "warn"
FAIL: Final = "fail"


@dataclass(frozen=True, slots=True)
class DeclaredSource:
    """Where events come from, and which columns say what they are.

    All rows are of one `type`, or `type_column` says of which. `select` are expressions of Spark SQL that make the
    columns; without them the columns are those of the format. `on_rate` is what happens where its events come faster
    than was declared.
    """

    name: str
    format: str
    path: str | None = None
    schema: str | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    select: tuple[str, ...] = ()
    type: str | None = None
    type_column: str = "type"
    time_column: str = "time"
    start_column: str | None = None
    id_column: str | None = None
    source_column: str | None = None
    order_by: tuple[str, ...] = ()
    disorder: str | None = None
    time_unit: TimeUnit = "s"
    kafka: KafkaTopic | None = None
    on_rate: str = WARN

    @property
    def columns(self) -> Mapping[str, str]:
        """The columns that must be there, by the keys that name them."""
        named = {
            "type_column": None if self.type is not None else self.type_column,
            "time_column": self.time_column,
            "start_column": self.start_column,
            "id_column": self.id_column,
            "source_column": self.source_column,
        }
        return {key: name for key, name in named.items() if name is not None}


@dataclass(frozen=True, slots=True)
class DeclaredQuery:
    """A query in a file, or a text in a language, and what is said about its input."""

    name: str
    file: str | None = None
    text: str | None = None
    language: str | None = None
    policy: str | None = None
    rates: Mapping[str, str] = field(default_factory=dict)
    tick: str | None = None
    ties: str | None = None
    tables: Mapping[str, str] = field(default_factory=dict)
    allow_unbounded: bool = False


@dataclass(frozen=True, slots=True)
class DeclaredSink:
    """Where results go: which of them, of which queries, and in which form; `files` is how many a batch may make."""

    name: str
    format: str
    what: tuple[str, ...] = ("match",)
    queries: tuple[str, ...] = ()
    path: str | None = None
    url: str | None = field(default=None, repr=False)
    table: str | None = None
    options: Mapping[str, str] = field(default_factory=dict, repr=False)
    files: int = 1
    kafka: KafkaTopic | None = None
    webhook: Webhook | None = None
    suppression: Suppression | None = None


@dataclass(frozen=True, slots=True)
class Pipeline:
    """A pipeline as its file declares it; paths in it are seen from `directory`."""

    name: str
    checkpoint: str
    trigger: str
    master: str | None
    buckets: int | None
    heartbeat_type: str | None
    sources: Mapping[str, DeclaredSource]
    queries: Mapping[str, DeclaredQuery]
    sinks: Mapping[str, DeclaredSink]
    directory: Path
    places: KeyPlaces = field(repr=False, compare=False)
    spark: Mapping[str, str] = field(default_factory=dict, repr=False)

    def resolved(self, path: str) -> str:
        """Return a path as it is seen from the file; what has a scheme is left as it is."""
        return path if "://" in path else str(self.directory / path.removeprefix("file:"))

    def label(self, text: str, *path: str) -> Label:
        """Return a label at a key of the file."""
        return Label(self.places.of(*path), text)

    def error(self, code: str, message: str, label: str, *path: str, hints: tuple[str, ...] = ()) -> CepheidError:
        """Return an error that points at a key of the file."""
        return CepheidError(Diagnostic(code, message, (self.label(label, *path),), hints=hints))


def local_path(path: str) -> Path | None:
    """Return a path of this machine, None where it is somewhere else.

    >>> local_path("out/found"), local_path("s3a://bucket/found")
    (PosixPath('out/found'), None)
    """
    bare = path.removeprefix("file://").removeprefix("file:")
    return None if "://" in bare else Path(bare)
