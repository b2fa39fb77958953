"""Options that several commands have, and what they mean to a query."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

from cepheid.api import LANGUAGE_NAMES, Settings
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import TIME_UNITS

Command = TypeVar("Command", bound=Callable[..., Any])  # click calls it with what the options say

_OPTIONS = (
    click.option(
        "--language",
        type=click.Choice(LANGUAGE_NAMES),
        help="The language of a query that is no file; `cep` if none is named.",
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


def query_options(command: Command) -> Command:
    """Give a command the query and all options that say how it is compiled."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return click.argument("query")(command)


def is_esql(argument: str, language: str | None) -> bool:
    """Say whether an argument is a query of eSQL: a file of its, or a text in it."""
    return argument.endswith(".esql") or (language == "esql" and not os.path.isfile(argument))


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
        tables=dict(map(table_of, options["tables"])),
        ties=options["ties"],
        allow_files=options["allow_files"],
        max_jump=None if options["max_jump"] == "none" else options["max_jump"],
    )


def table_of(text: str) -> tuple[str, str]:
    """Return the name of a table and its file, as an option says them."""
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
