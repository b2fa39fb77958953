"""The command `cepheid` and its subcommands, each of which is loaded when it is asked for."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click

from cepheid.cli.complaining import FAILED, INTERRUPTED, complain
from cepheid.diagnostics import CepheidError, close_match, without_credentials

COMMANDS: Final[Mapping[str, str]] = {
    "run": "Find the matches of a query in events.",
    "check": "Prove how much state, work and delay a query needs.",
    "explain": "Show how a query is understood, rewritten and planned; the page of an error code; or all functions.",
    "convert": "Print a query in another language.",
    "format": "Lay out the text of a query in `cep`; comments stay where they are.",
    "pipeline": "Run queries on Spark, from sources to sinks that a file names.",
    "test": "Test rules: run each over the events beside it, and compare the matches.",
    "new": "Begin a project: a rule, its test, and a pipeline.",
    "draw": "Draw a query as SVG: its events, and what is made of them.",
    "repl": "Define things, ask for them, and see the answers as tables, line by line.",
    "state": "Look into the state of a stream.",
}
"""All commands, each in the module of its name, with what their help begins with: so much is said without them."""


class _Group(click.Group):
    """A group of commands that shows an error of ours as what it is, and ends with status 2."""

    def invoke(self, context: click.Context) -> Any:  # whatever the command returns
        try:
            return super().invoke(context)
        except CepheidError as error:
            complain(*error.diagnostics)
            context.exit(FAILED)
        except click.UsageError as error:
            told = error.format_message()
            if without_credentials(told) == told:
                raise
            raise click.UsageError(without_credentials(told), error.ctx) from None
        except KeyboardInterrupt:
            context.exit(INTERRUPTED)

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(context, arguments)
        except click.UsageError as error:
            closest = close_match(str(arguments[0]), COMMANDS)
            meant = "" if closest is None else f" Did you mean '{closest}'?"
            raise click.UsageError(f"{error.message}{meant}", context) from None

    def list_commands(self, _: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, _: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = getattr(import_module(f"cepheid.cli.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        room = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl([(name, _shortened(COMMANDS[name], room)) for name in sorted(COMMANDS)])


def _shortened(text: str, room: int) -> str:
    return click.Command(None, help=text).get_short_help_str(room)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="cepheid")
def main() -> None:
    """Find patterns in events, and know beforehand what it costs.

    A QUERY is the name of a file (its ending says the language) or the query itself.
    """
