"""The options of `cepheid run`: what is read, what is written, and what runs the query."""

import os
from typing import Any

import click

from cepheid.api import FORMATS, INPUT_FORMATS
from cepheid.api.outputs import refuse_to_replace
from cepheid.cli.options import Command
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import SORT_BUFFER

_RUN_OPTIONS = (
    click.option(
        "--input",
        "-i",
        "events",
        multiple=True,
        default=["-"],
        metavar="PATH",
        help="A file (.jsonl, .csv, .parquet, .arrow), a directory, a pattern in quotes ('logs/*.csv'), or - for "
        "standard input (the default). Repeatable; files are read one after another.",
    ),
    click.option("--type", metavar="NAME", help="What rows are that have no type."),
    click.option(
        "--pattern",
        multiple=True,
        metavar="PATTERN",
        help="How lines of text are read: a regular expression with named groups, or '%{IP:ip} %{WORD:type}'. "
        "Repeatable; the first that fits counts.",
    ),
    click.option(
        "--input-format",
        type=click.Choice(INPUT_FORMATS),
        help="What the input holds; by default as its files are called and begin.",
    ),
    click.option("--time-format", metavar="FORMAT", help="How times are written, as '%d/%b/%Y:%H:%M:%S %z'."),
    click.option("--year", type=int, metavar="YEAR", help="The year of the first time, where times have none."),
    click.option("--type-column", default="type", show_default=True, metavar="NAME", help="What an event is."),
    click.option("--time-column", default="time", show_default=True, metavar="NAME", help="When an event ended."),
    click.option("--id-column", metavar="NAME", help="What an event is called; by default its position, from 1."),
    click.option(
        "--source-column", metavar="NAME", help="Which source brings an event of a stream; each has its own clock."
    ),
    click.option(
        "--heartbeat-type", metavar="TYPE", help="Rows of this type are no events: they say how far their source is."
    ),
    click.option("--order-by", multiple=True, metavar="NAME", help="What orders simultaneous events. Repeatable."),
    click.option("--output", "-o", metavar="FILE", help="Where matches go; by default to standard output."),
    click.option(
        "--format", "chosen", type=click.Choice(FORMATS), help="By default as the output is called, else jsonl."
    ),
    click.option("--rejects", metavar="FILE", help="Where rejected rows go, as JSON lines."),
    click.option("--strict", is_flag=True, help="Stop at the first row that would be rejected."),
    click.option("--no-evidence", is_flag=True, help="Leave out which events a match is made of."),
    click.option("--limit", type=click.IntRange(min=0), metavar="N", help="Stop after this many matches."),
    click.option(
        "--max-matches",
        type=click.IntRange(min=1),
        metavar="N",
        help="End with an error where one event completes more than so many matches of a rule.",
    ),
    click.option(
        "--sort-buffer",
        type=click.IntRange(min=1),
        default=SORT_BUFFER,
        show_default=True,
        metavar="N",
        help="How many events are held back to put finite input in order.",
    ),
    click.option(
        "--on-excess",
        type=click.Choice(["warn", "fail"]),
        default="warn",
        show_default=True,
        help="What to do when events come faster than declared.",
    ),
    click.option(
        "--engine",
        type=click.Choice(["auto", "interpreter", "kernels"]),
        default="auto",
        show_default=True,
        help="What runs the query; the answers are the same. Long input runs in kernels where there are some.",
    ),
    click.option(
        "--threads",
        type=click.IntRange(min=1),
        metavar="N",
        help="How many threads long finite input runs on; by default one for each core.",
    ),
    click.option(
        "--progress-of",
        "progress_of",
        metavar="RULE",
        help="Instead of matches, write how far those of a rule have come that are not complete, as JSON lines.",
    ),
    click.option(
        "--values",
        "values_of",
        metavar="PIPE",
        help="Instead of matches, write the values that a pipe of the program gives, as JSON lines.",
    ),
    click.option(
        "--on",
        "runner",
        type=click.Choice(["engine", "spark"]),
        default="engine",
        show_default=True,
        help="Run in this process, or on Spark over files.",
    ),
    click.option("--master", metavar="URL", help="The Spark cluster; by default all cores of this machine."),
    click.option("--quiet", "-q", is_flag=True, help="Say nothing about warnings, progress and sums."),
)


def run_options(command: Command) -> Command:
    """Give a command the options that say what is read and what is written."""
    for option in reversed(_RUN_OPTIONS):
        command = option(command)
    return command


def refuse_one_file_for_two(options: dict[str, Any], events: tuple[str, ...]) -> None:
    """Refuse one file for two of the events, the matches and what was set aside: one of the two would be lost."""
    output, rejects = options["output"], options["rejects"]
    refuse_to_replace(events, output)
    refuse_to_replace(events, rejects)
    if output is not None and rejects is not None and os.path.realpath(output) == os.path.realpath(rejects):
        message, hint = (
            f"matches and rejects would both go to `{output}`",
            "name another file: `--rejects rejects.jsonl`",
        )
        raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))
