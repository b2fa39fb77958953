"""`cepheid new`: a project to begin with."""

import click

from cepheid.api import new_project
from cepheid.cli.telling import say

_HELP = """Begin a project: a rule, its test, and a pipeline.

\b
Example:
  cepheid new fraud
  cepheid test fraud/rules
"""


@click.command(help=_HELP)
@click.argument("folder")
def new(folder: str) -> None:
    """Write the files of a new project, and say what to do with them."""
    for path in new_project(folder):
        say(f"wrote {path}")
    base = folder.rstrip("/") or folder
    say(f"now try `cepheid test {base}/rules` and `cepheid run {base}/rules/travel.cep --input {base}/logins`")
