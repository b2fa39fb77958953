"""`cepheid run`: the matches of a query over some events."""

import gc
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

import click

from cepheid.api import (
    CompiledQuery,
    Input,
    Output,
    Portion,
    RejectsWriter,
    Run,
    SparkRun,
    load,
    names_a_pipe,
    open_text,
    shown_on,
    to_json,
)
from cepheid.cli.complaining import complain
from cepheid.cli.option_words import in_options
from cepheid.cli.options import is_esql, query_options, settings_of
from cepheid.cli.query_command import QueryCommand
from cepheid.cli.run_on_spark import SPARK, refuse_a_cluster, started_on_spark
from cepheid.cli.run_options import refuse_one_file_for_two, run_options
from cepheid.cli.stopping import Stopped, Stopping, stoppable
from cepheid.cli.telling import say_stopped, summarize

# Events are made by the hundred thousand and die young; the collector of cycles need not look at them so often.
_COLLECT_AFTER = 50_000

_HELP = """Find the matches of a query in events.

Events are rows with a type, a time and further fields. Rows that say no event are rejected and counted.

\b
Example:
  cepheid run 'f: Failed then ok: Accepted within 10 min on f.ip == ok.ip' -i auth.jsonl
  cepheid run alarm.cep --input events/ --on spark
  cepheid run "SELECT a + b AS c FROM THE TUPLES OF FILE 'myfile.csv'" --language esql
  cepheid run pipe.py:hopping
"""


@click.command(cls=QueryCommand, help=_HELP)
@query_options
@run_options
def run(query: str, language: str | None, events: tuple[str, ...], **options: Any) -> None:  # what click read
    """Write the matches of a query to the output, and what there is to say about them to standard error."""
    gc.set_threshold(_COLLECT_AFTER)
    refuse_one_file_for_two(options, events)
    if is_esql(query, language):
        from cepheid.cli.run_esql import run_esql  # which gives values, and not matches

        run_esql(query, events, options)
        return
    if names_a_pipe(query):
        from cepheid.cli.pipes import run_pipe  # with all that runs pipes

        run_pipe(query, events, options)
        return
    compiled = load(query, language, settings_of(options))
    if not options["quiet"]:
        complain(*compiled.warnings)
    written, nothing_read = None, False
    with Stopping().heeded() as stopping, suppress(Stopped), ExitStack() as open_files:
        rejects = _rejects(options["rejects"], open_files, live=compiled.disorder is not None)
        with in_options():
            found = _started(compiled, events, rejects, options, stopping, open_files)
        told = options["progress_of"] is not None or options["values_of"] is not None
        written = _tell(found, options) if told else _write(found, compiled, options, stopping)
        if not options["quiet"]:
            complain(*found.warnings)
            summarize(found.summary, written, options["rejects"])
        nothing_read = found.summary.rejected > 0 and found.summary.events == 0
    if stopping.by is not None:
        if not options["quiet"]:
            say_stopped(stopping.by.name, written, options["output"])
        click.get_current_context().exit(stopping.status)
    if nothing_read:
        click.get_current_context().exit(1)


def _rejects(path: str | None, open_files: ExitStack, *, live: bool) -> RejectsWriter | None:
    if path is None:
        return None
    return RejectsWriter(open_files.enter_context(open_text(path)), path, live=live)


def _started(
    compiled: CompiledQuery,
    events: tuple[str, ...],
    rejects: RejectsWriter | None,
    options: dict[str, Any],
    stopping: Stopping,
    open_files: ExitStack,
) -> Run | SparkRun:
    if options["runner"] != SPARK:
        return _run(compiled, open_files.enter_context(stoppable(events, stopping)), rejects, options)
    stopping.waiting = True  # for Spark, which does the work
    return started_on_spark(compiled, events, rejects, options)


def _run(compiled: CompiledQuery, events: Input, rejects: RejectsWriter | None, options: dict[str, Any]) -> Run:
    refuse_a_cluster(options)
    return compiled.run(
        events,
        type_column=options["type_column"],
        time_column=options["time_column"],
        start_column=options["start_column"],
        id_column=options["id_column"],
        order_by=options["order_by"],
        strict=options["strict"],
        on_reject=None if rejects is None else lambda reject: rejects.write([reject]),
        evidence=not options["no_evidence"],
        sort_buffer=options["sort_buffer"],
        on_excess=options["on_excess"],
        source_column=options["source_column"],
        heartbeat_type=options["heartbeat_type"],
        engine=options["engine"],
        max_matches=options["max_matches"],
        type=options["type"],
        pattern=options["pattern"],
        time_format=options["time_format"],
        year=options["year"],
        input_format=options["input_format"],
        threads=options["threads"],
    )


def _write(found: Run | SparkRun, compiled: CompiledQuery, options: dict[str, Any], stopping: Stopping) -> int:
    """Write the matches, and return how many there were; what was found before somebody stops it is complete."""
    to = options["output"] or shown_on(sys.stdout)
    written, portions = 0, _limited(found.portions(), options["limit"])
    with Output(to, options["chosen"], compiled.fields, live=compiled.disorder is not None) as output:
        with suppress(Stopped):
            for portion in _watched(portions, found, options):
                output.write(portion)
                written += len(portion)
                if stopping.by is not None:
                    break
        stopping.obeyed()
        output.close(found.nothing())
    if isinstance(found, SparkRun) and not options["quiet"] and stopping.by is None:
        found.count_events()
    return written


def _watched(portions: Iterator[Portion], found: Run | SparkRun, options: dict[str, Any]) -> Iterator[Portion]:
    """Return the portions, and show how far the run is where somebody looks."""
    if options["quiet"] or not sys.stderr.isatty() or not isinstance(found, Run):
        return portions
    from cepheid.cli.progress import watched  # which draws, and is not loaded for nothing

    return watched(portions, found)


def _tell(found: Run | SparkRun, options: dict[str, Any]) -> int:
    """Write how far matches have come, or the values of a pipe; return how many matches were found before."""
    with ExitStack() as open_files:
        to = (
            shown_on(sys.stdout)
            if options["output"] is None
            else open_files.enter_context(open_text(options["output"]))
        )
        for one in _told(found, options) if isinstance(found, Run) else ():
            click.echo(to_json(one), file=to)
    return found.summary.matches


def _told(found: Run, options: dict[str, Any]) -> Iterator[Any]:  # values of any kind
    if options["values_of"] is not None:
        return iter(found.values(options["values_of"]))
    return (one.to_dict() for one in found.progress(options["progress_of"]))


def _limited(portions: Iterator[Portion], limit: int | None) -> Iterator[Portion]:
    """Yield the portions until there are `limit` matches."""
    if limit is None:
        yield from portions
        return
    left = limit
    while left > 0 and (portion := next(portions, None)) is not None:
        yield portion.first(left)
        left -= len(portion)
