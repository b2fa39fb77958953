"""`cepheid pipeline`: sources, queries and sinks in a file, checked and run on Spark."""

import re
import sys
from typing import TYPE_CHECKING

import click

from cepheid.api import CheckedPipeline, check_pipeline
from cepheid.cli.complaining import complain
from cepheid.cli.telling import say

if TYPE_CHECKING:
    from cepheid.spark.pipelines import BatchFigures

_RUN_HELP = """Run the pipeline of a file on Spark until it is interrupted, or once.

Everything is checked before it starts. It goes on where its checkpoint says that it stopped.

\b
Example:
  cepheid pipeline run pipeline.toml --once
"""
_CHECK_HELP = """Check the pipeline of a file: what its queries cost, and what Spark will do.

Nothing is started or written. The status is 2 where something is wrong.

\b
Example:
  cepheid pipeline check pipeline.toml
"""


_RATE = re.compile(r"--rate (\w+)=(\S+)")  # what is an option elsewhere is a key of the file here


@click.group()
def pipeline() -> None:
    """Run queries on Spark, from sources to sinks that a file names."""


@pipeline.command(help=_CHECK_HELP)
@click.argument("file")
def check(file: str) -> None:
    """Print the certificates, the plan of Spark and the sinks."""
    _show(check_pipeline(file))


@pipeline.command(help=_RUN_HELP)
@click.argument("file")
@click.option("--once", is_flag=True, help="Take in what is there, and end.")
@click.option("--quiet", "-q", is_flag=True, help="Say nothing about warnings and batches.")
def run(file: str, once: bool, quiet: bool) -> None:
    """Run a pipeline, and tell of each batch where somebody looks."""
    checked = check_pipeline(file)
    if not quiet:
        complain(*checked.warnings)
    try:
        checked.run(lambda figures: None if quiet else _tell(figures), once=once)
    except KeyboardInterrupt:
        click.echo("stopped; it goes on from its checkpoint", err=True)


def _tell(figures: "BatchFigures") -> None:
    """Say what a batch was like where somebody looks, and what was wrong with it in any case."""
    if sys.stderr.isatty():
        click.echo(str(figures), err=True)
    complain(*figures.warnings)


def _show(checked: CheckedPipeline) -> None:
    for query in checked.queries.values():
        say(_RATE.sub(r'rates = { \1 = "\2" }', query.short_certificate))
    say(f"on Spark\n{_indented(checked.plan)}")
    say(f"results\n{_indented(chr(10).join(checked.outputs))}")
    complain(*checked.warnings)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.splitlines())
