"""The command `cepheid` and its subcommands."""

from typing import Any

import click

from cepheid.cli.check import check
from cepheid.cli.draw import draw
from cepheid.cli.explain import explain
from cepheid.cli.pipeline import pipeline
from cepheid.cli.run import run
from cepheid.cli.state import state
from cepheid.cli.telling import FAILED, INTERRUPTED, complain
from cepheid.diagnostics import CepheidError


class _Group(click.Group):
    """A group of commands that shows an error of ours as what it is, and ends with status 2."""

    def invoke(self, context: click.Context) -> Any:  # whatever the command returns
        try:
            return super().invoke(context)
        except CepheidError as error:
            complain(*error.diagnostics)
            context.exit(FAILED)
        except KeyboardInterrupt:
            context.exit(INTERRUPTED)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="cepheid")
def main() -> None:
    """Find patterns in events, and know beforehand what it costs.

    A QUERY is the name of a file (its ending says the language) or the query itself.
    """


main.add_command(run)
main.add_command(check)
main.add_command(explain)
main.add_command(pipeline)
main.add_command(draw)
main.add_command(state)
