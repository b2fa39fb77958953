"""Options that several commands have, and what they mean to a query."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from cepheid.api import DEFAULT_LIMIT, FORMATS, LANGUAGE_NAMES, TIME_UNITS, Settings
from cepheid.diagnostics import CepheidError, Diagnostic

Command = TypeVar("Command", bound=Callable[..., Any])  # click calls it with what the options say

_OPTIONS = (
    click.option(
        "--language",
        type=click.Choice(LANGUAGE_NAMES),
        default="algebra",
        show_default=True,
        help="The language of a query that is no file.",
    ),
    click.option("--policy", metavar="NAME", help="The policy of the query, over what its text says."),
    click.option(
        "--rate",
        "rates",
        multiple=True,
        metavar="TYPE=RATE",
        help="How often events of a type come at most: Button=5/s, 'Beat=every 10 ms'. Repeatable.",
    ),
    click.option(
        "--time-unit",
        type=click.Choice(TIME_UNITS),
        default="s",
        show_default=True,
        help="The unit of numbers that are times, in events and in the query.",
    ),
    click.option(
        "--ties",
        type=click.Choice(["simultaneous", "arrival"]),
        help="Whether events of one time follow each other as they arrive; by default as the language has it.",
    ),
    click.option("--tick", metavar="DURATION", help="The step of time, for example '1 ms'."),
    click.option(
        "--disorder",
        metavar="DURATION",
        help="Take the input for a stream, whose events come up to this much after a later one.",
    ),
    click.option(
        "--max-jump",
        metavar="DURATION",
        default="366 d",
        show_default=True,
        help="How far an event of a stream may be ahead of all before it, unless the next agrees; 'none' is no limit.",
    ),
    click.option("--start-column", metavar="NAME", help="Where an event starts, if events last."),
    click.option(
        "--allow-files",
        multiple=True,
        metavar="DIR",
        help="Where else than in its own folder a query may read the files that it names. Repeatable.",
    ),
    click.option("--allow-unbounded", is_flag=True, help="Accept a query whose state has no bound."),
    click.option(
        "--table",
        "tables",
        multiple=True,
        metavar="NAME=FILE",
        help="Rows of a table that the query looks things up in: routes=routes.csv. Repeatable.",
    ),
)


_RUN_OPTIONS = (
    click.option(
        "--input",
        "-i",
        "events",
        default="-",
        metavar="PATH",
        help="A file (.jsonl, .csv, .parquet, .arrow), a directory, or - for standard input (the default).",
    ),
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
    click.option("--rejects", metavar="FILE", help="Where rows go that were set aside, as JSON lines."),
    click.option("--strict", is_flag=True, help="Stop at the first row that would be set aside."),
    click.option("--no-evidence", is_flag=True, help="Leave out which events a match rests on."),
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
        default=DEFAULT_LIMIT,
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
        "--progress-of",
        "progress_of",
        metavar="RULE",
        help="Instead of matches, write how far those of a rule have come that are not complete, as JSON lines.",
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


def query_options(command: Command) -> Command:
    """Give a command the query and all options that say how it is compiled."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return click.argument("query")(command)


def run_options(command: Command) -> Command:
    """Give a command the options that say what is read and what is written."""
    for option in reversed(_RUN_OPTIONS):
        command = option(command)
    return command


def settings_of(options: dict[str, Any]) -> Settings:
    """Return what the options of a command say about its query."""
    return Settings(
        policy=options["policy"],
        rates=dict(map(_rate, options["rates"])),
        time_unit=options["time_unit"],
        tick=options["tick"],
        disorder=options["disorder"],
        intervals=options["start_column"] is not None,
        allow_unbounded=options["allow_unbounded"],
        tables=dict(map(_table, options["tables"])),
        ties=options["ties"],
        allow_files=options["allow_files"],
        max_jump=None if options["max_jump"] == "none" else options["max_jump"],
    )


def refuse_one_file_for_two(options: dict[str, Any]) -> None:
    """Refuse one file for the matches and for what was set aside: one of the two would be lost."""
    output, rejects = options["output"], options["rejects"]
    if output is not None and rejects is not None and os.path.realpath(output) == os.path.realpath(rejects):
        message, hint = (
            f"matches and rejects would both go to `{output}`",
            "name another file: `--rejects rejects.jsonl`",
        )
        raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))


def _table(text: str) -> tuple[str, str]:
    name, equals, file = text.partition("=")
    if not equals or not name.strip() or not file.strip():
        hint = "write the name of the table before its file, for example `--table routes=routes.csv`"
        raise CepheidError(Diagnostic("bad-table", f"`{text}` names no table and its file", hints=(hint,)))
    return name.strip(), file.strip()


def _rate(text: str) -> tuple[str, str]:
    name, equals, rate = text.partition("=")
    if not equals or not name.strip():
        hint = "write the type before the rate, for example `--rate Button=5/s`"
        raise CepheidError(Diagnostic("bad-rate", f"`{text}` names no type", hints=(hint,)))
    return name.strip(), rate.strip()
