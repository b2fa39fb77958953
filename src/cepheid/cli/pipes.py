"""What `cepheid run` and `cepheid draw` do with a pipe in a file of Python."""

import sys
from contextlib import ExitStack
from itertools import islice
from typing import Any

import click

from cepheid.api import open_text, outputs_of, pipe_named, shown_on, to_json


def run_pipe(argument: str, files: tuple[str, ...], options: dict[str, Any]) -> None:  # what click read
    """Write what a pipe gives, one output in each line, as JSON."""
    processor = pipe_named(argument)
    if not options["allow_unbounded"] and "-" in files and processor.inputs:
        processor.certificate().demand_bounded()
    with ExitStack() as open_files:
        name = options["output"]
        to = shown_on(sys.stdout) if name is None else open_files.enter_context(open_text(name))
        for output in islice(outputs_of(processor, files), options["limit"]):
            click.echo(to_json(output), file=to)
