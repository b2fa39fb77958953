"""`cepheid pipeline`: sources, queries and sinks in a file, checked and run on Spark."""

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from cepheid.api import CheckedPipeline, check_pipeline
from cepheid.cli.complaining import FAILED, complain
from cepheid.cli.metrics import Metrics
from cepheid.cli.service import address_of, log_batch, log_findings, log_line, served
from cepheid.cli.stopping import signals_noted
from cepheid.cli.telling import say
from cepheid.diagnostics import CepheidError

if TYPE_CHECKING:
    from cepheid.spark.pipelines import BatchFigures

_RUN_HELP = """Run the pipeline of a file on Spark until it is interrupted, or once.

Everything is checked before it starts. It goes on where its checkpoint says that it stopped.

\b
Examples:
  cepheid pipeline run pipeline.toml --once
  cepheid pipeline run pipeline.toml --dry-run
  cepheid pipeline run pipeline.toml --log json --metrics 127.0.0.1:9464
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
@click.option("--dry-run", is_flag=True, help="Check everything, as `check` does, and write nothing.")
@click.option("--log", type=click.Choice(["text", "json"]), default="text", help="Report batches in this form.")
@click.option("--metrics", metavar="HOST:PORT", help="Serve figures at /metrics, and at /health whether it runs.")
def run(file: str, once: bool, quiet: bool, dry_run: bool, log: str, metrics: str | None) -> None:
    """Run a pipeline, and tell of each batch where somebody looks, or in a log."""
    address = None if metrics is None else address_of(metrics)
    if dry_run:
        _show(check_pipeline(file))
    elif log == "json":
        _run_with_log(file, once, address)
    else:
        _run(file, once, quiet, address)


def _run(file: str, once: bool, quiet: bool, address: tuple[str, int] | None) -> None:
    checked = check_pipeline(file)
    if not quiet:
        complain(*checked.warnings)
    by = _serve(checked, once, address, lambda figures: None if quiet else _tell(figures))
    if by is not None:
        click.echo(f"stopped by {by}; it goes on from its checkpoint", err=True)


def _run_with_log(file: str, once: bool, address: tuple[str, int] | None) -> None:
    """Run a pipeline; all that is said is a line of JSON each."""
    try:
        checked = check_pipeline(file)
        log_findings(*checked.warnings)
        log_line("info", "started", pipeline=checked.name)
        by = _serve(checked, once, address, lambda figures: _log(checked.name, figures))
        said = {} if by is None else {"by": by}
        log_line("info", "stopped" if said else "ended", pipeline=checked.name, **said)
    except KeyboardInterrupt:
        log_line("info", "stopped")
    except CepheidError as error:
        log_findings(*error.diagnostics)
        sys.exit(FAILED)


def _serve(
    checked: CheckedPipeline,
    once: bool,
    address: tuple[str, int] | None,
    tell: "Callable[[BatchFigures], None]",
) -> str | None:
    """Run a pipeline, tell of each batch, and serve its figures meanwhile, where an address is given.

    Return the name of the signal that stopped it, None where it ended by itself. The batch that is at work is repeated.
    """
    metrics = Metrics(checked.name)

    def took(figures: "BatchFigures") -> None:
        metrics.take(figures)
        tell(figures)

    def began() -> None:
        metrics.state = "running"

    with served(address, metrics), signals_noted() as signals:
        checked.run(took, once=once, began=began, asked=lambda: bool(signals))
    return signals[0].name if signals else None


def _log(pipeline: str, figures: "BatchFigures") -> None:
    log_batch(pipeline, figures)
    log_findings(*figures.warnings)


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
