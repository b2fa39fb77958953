"""`pipeline.toml` becomes a `Pipeline`, or an error for everything in it that cannot be."""

import re
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from cepheid.connectors import TIME_UNITS, readable
from cepheid.diagnostics import CepheidError, Diagnostic, Label, Source
from cepheid.spark.pipelines.declared import (
    FAIL,
    KAFKA,
    ONCE,
    POSTGRESQL,
    TAGS,
    WARN,
    DeclaredQuery,
    DeclaredSink,
    DeclaredSource,
    Pipeline,
)
from cepheid.spark.pipelines.kafka_section import topic_to_read, topic_to_write
from cepheid.spark.pipelines.paths import CHECKPOINT, clashes, outside, read_again
from cepheid.spark.pipelines.secrets import without_secrets
from cepheid.spark.pipelines.sections import Section
from cepheid.spark.pipelines.spark_section import spark_settings
from cepheid.spark.pipelines.suppression import Suppression
from cepheid.spark.pipelines.toml_places import KeyPlaces
from cepheid.spark.pipelines.webhook import WEBHOOK
from cepheid.spark.pipelines.webhook_section import webhook_in

Declared = TypeVar("Declared")

_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)$")
_ON_DISK = ("parquet", "json", "csv", "orc", "text", "avro", "delta")
_WAIT = "wait"
_TOP = ("pipeline", "sources", "queries", "sinks")


def read_pipeline_file(path: str) -> Pipeline:
    """Return the pipeline that a file declares."""
    with readable(path):
        text = Path(path).read_text(encoding="utf-8-sig")
    return read_pipeline(text, path, Path(path).parent)


def read_pipeline(text: str, name: str = "pipeline.toml", directory: Path = Path()) -> Pipeline:
    """Return the pipeline that a text declares; paths in it are seen from a directory."""
    # What is drawn beside an error has no secret in it.
    source = Source(name, without_secrets(text))
    reading = _Reading(KeyPlaces(source), _parsed(source, text), [], directory)
    pipeline = reading.pipeline()
    if reading.problems:
        raise CepheidError(reading.problems[0], *reading.problems[1:])
    return pipeline


def _parsed(source: Source, text: str) -> Mapping[str, object]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _not_toml(source, str(error)) from None


def _not_toml(source: Source, reason: str) -> CepheidError:
    found = _PLACE.search(reason)
    place = source.end
    if found:
        lines = source.text.splitlines(keepends=True)
        start = min(sum(map(len, lines[: int(found[1]) - 1])) + int(found[2]) - 1, len(source.text))
        place = source.span(start, min(start + 1, len(source.text)))
    said = _PLACE.sub("", reason)
    label = Label(place, said[:1].lower() + said[1:])
    return CepheidError(Diagnostic("bad-pipeline", "the file is not TOML", (label,), hints=("put texts in quotes",)))


class _Reading:
    """A file on its way to a pipeline; `problems` is what was found wrong so far."""

    def __init__(
        self, places: KeyPlaces, data: Mapping[str, object], problems: list[Diagnostic], directory: Path
    ) -> None:
        self.places, self.data, self.problems, self.directory = places, data, problems, directory

    def pipeline(self) -> Pipeline:
        top = Section(self.places, (), self.data, self.problems)
        top.known += _TOP
        self._complain_about_unknown(top)
        head = self._head()
        found = Pipeline(
            name=head.text("name") or "pipeline",
            checkpoint=head.needed("checkpoint", "checkpoint"),
            trigger=_trigger(head),
            master=head.text("master"),
            buckets=head.number("buckets"),
            heartbeat_type=head.text("heartbeat_type"),
            sources=self._each("sources", _source, '[sources.events]\nformat = "json"\npath = "events"'),
            queries=self._each("queries", _query, '[queries.alarm]\nfile = "alarm.alg"'),
            sinks=self._each("sinks", self._sink, '[sinks.matches]\nformat = "json"\npath = "matches"'),
            directory=self.directory,
            places=self.places,
            spark=spark_settings(head),
        )
        head.finish()
        self._complain_about_sources(found)
        self._complain_about_paths(found)
        return found

    def _complain_about_paths(self, pipeline: Pipeline) -> None:
        """Say which paths are used for two things, where one of these is written."""
        for first, used in clashes(pipeline):
            section = Section(self.places, used.table, {}, self.problems)
            two_sinks = first.table[0] == used.table[0]
            message = (
                f"the sinks `{first.table[-1]}` and `{used.table[-1]}` write to one path"
                if two_sinks
                else f"{first.what} and {used.what} have one path"
            )
            hint = f'write `{used.key} = "{used.path}-{used.table[-1]}"`'
            section.complain(message, "taken already", used.key, hint=hint)

        for source, used in read_again(pipeline):
            message = f"{source.what} would read what {used.what} writes: `{used.path}` lies in `{source.path}`"
            name = used.key if used.table == CHECKPOINT else used.table[-1]
            hint = f'write `{used.key} = "{outside(source, name)}"`'
            Section(self.places, used.table, {}, self.problems).complain(message, "read again", used.key, hint=hint)

    def _complain_about_sources(self, pipeline: Pipeline) -> None:
        """With several sources, each is a source of its own, and no column may say otherwise."""
        for name, source in pipeline.sources.items():
            if source.source_column is not None and len(pipeline.sources) > 1:
                section = Section(self.places, ("sources", name), {}, self.problems)
                message = f"the source `{name}` is one of several, so no column names its sources"
                section.complain(message, "leave it out", "source_column", hint="leave out `source_column`")

    def _sink(self, section: Section) -> DeclaredSink:
        queries = self.data.get("queries")
        return _sink(section, list(queries) if isinstance(queries, dict) else [])

    def _head(self) -> Section:
        table = self.data.get("pipeline")
        head = table if isinstance(table, dict) else {}
        return Section(self.places, ("pipeline",), head, self.problems, self.directory)

    def _each(self, kind: str, read: Callable[[Section], Declared], example: str) -> dict[str, Declared]:
        """Return what is declared of a kind, by name."""
        tables = self.data.get(kind)
        named = {} if not isinstance(tables, dict) else {k: v for k, v in tables.items() if isinstance(v, dict)}
        if not named:
            place = Label(self.places.of(kind), f"no `[{kind}.NAME]` here")
            message = f"a pipeline needs {kind}"
            self.problems.append(Diagnostic("bad-pipeline", message, (place,), hints=(f"add\n{example}",)))
        found = {}
        for name, table in named.items():
            section = Section(self.places, (kind, name), table, self.problems, self.directory)
            found[name] = read(section)
            section.finish()
        return found

    def _complain_about_unknown(self, top: Section) -> None:
        for key in self.data:
            if key not in _TOP:
                top.complain(f"a pipeline has no `[{key}]`", "nobody reads this", key, hint=_tables())


def _tables() -> str:
    return "it has `[pipeline]`, `[sources.NAME]`, `[queries.NAME]` and `[sinks.NAME]`"


def _trigger(section: Section) -> str:
    """Return when batches start: `once`, or how far apart they are."""
    found = section.text("trigger") or ONCE
    if found != ONCE:
        section.length_of_time("trigger", found, or_else=ONCE)
    return found


def _source(section: Section) -> DeclaredSource:
    found = DeclaredSource(
        name=section.path[-1],
        format=section.needed("format", "json"),
        path=section.text("path"),
        schema=section.text("schema"),
        options=section.secrets("options") if section.table.get("format") != KAFKA else {},
        select=section.texts("select"),
        type=section.text("type"),
        type_column=section.text("type_column") or "type",
        time_column=section.text("time_column") or "time",
        start_column=section.text("start_column"),
        id_column=section.text("id_column"),
        source_column=section.text("source_column"),
        order_by=section.texts("order_by"),
        disorder=section.text("disorder"),
        time_unit=section.choice("time_unit", TIME_UNITS, "s"),
        kafka=topic_to_read(section) if section.table.get("format") == KAFKA else None,
        on_rate=_on_rate(section),
    )
    _let_pass_without_format(section, found.format)
    if found.disorder is not None:
        section.length_of_time("disorder", found.disorder)
    if found.format in _ON_DISK and found.path is None:
        section.complain(f"a source of `{found.format}` needs a path", "no path here", hint='add `path = "events"`')
    if found.type is not None and "type_column" in section.table:
        section.complain(
            "`type` and `type_column` say one thing", "leave it out", "type_column", hint="keep one of them"
        )
    return found


def _on_rate(section: Section) -> str:
    """Return what happens where events come faster than was declared; no source can wait (`docs/decisions/0076`)."""
    if section.table.get("on_rate") != _WAIT:
        return section.choice("on_rate", (WARN, FAIL), WARN)
    section.known.append("on_rate")
    message = f"the source `{section.path[-1]}` cannot wait: an event that is read later does not come later"
    limit = "; `most = 1000` limits what a batch takes" if section.table.get("format") == KAFKA else ""
    section.complain(message, "its rate stays broken", "on_rate", hint=f'write `on_rate = "{FAIL}"`{limit}')
    return WARN


def _query(section: Section) -> DeclaredQuery:
    found = DeclaredQuery(
        name=section.path[-1],
        file=section.text("file"),
        text=section.text("text"),
        language=section.text("language") or None,
        policy=section.text("policy"),
        rates=section.mapping("rates"),
        tick=section.text("tick"),
        ties=section.text("ties"),
        tables=section.mapping("tables"),
        allow_unbounded=section.flag("allow_unbounded"),
    )
    if ("file" in section.table) == ("text" in section.table):
        message = "a query is in a file, or is a text"
        label = "both are here" if "file" in section.table else "neither is here"
        section.complain(message, label, hint='write `file = "alarm.alg"` or `text = "A ; B within 1 s"`')
    return found


def _sink(section: Section, queries: list[str]) -> DeclaredSink:
    url = section.secret("url")
    found = DeclaredSink(
        name=section.path[-1],
        format=section.needed("format", "json"),
        what=section.chosen("what", TAGS) or ("match",),
        queries=section.chosen("query", queries),
        path=section.text("path"),
        url=url,
        table=section.text("table"),
        options=section.secrets("options") if section.table.get("format") != KAFKA else {},
        files=section.number("files") or 1,
        kafka=topic_to_write(section) if section.table.get("format") == KAFKA else None,
        webhook=webhook_in(section, url) if section.table.get("format") == WEBHOOK else None,
        suppression=_suppression(section),
    )
    _let_pass_without_format(section, found.format)
    if found.format in _ON_DISK and found.path is None:
        section.complain(f"a sink of `{found.format}` needs a path", "no path here", hint='add `path = "matches"`')
    if found.format == POSTGRESQL:
        for key, example in (("url", "postgresql://localhost/alarms"), ("table", "matches")):
            section.needed(key, example)
    return found


def _suppression(section: Section) -> Suppression | None:
    """Return how long a match keeps others away, None where none does."""
    text, by = section.text("suppress"), section.texts("suppress_by")
    if text is None:
        if by:
            hint = 'add `suppress = "10 min"`'
            section.complain("`suppress_by` says by what, and nothing says how long", "alone", "suppress_by", hint=hint)
        return None
    span = section.length_of_time("suppress", text)
    return None if span is None or not span.ticks else Suppression(span.ticks, by)


def _let_pass_without_format(section: Section, form: str) -> None:
    """Where nobody knows the format, nobody knows the keys either: one complaint is enough."""
    if not form:
        section.known += section.table
