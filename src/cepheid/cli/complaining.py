"""Findings on standard error, and the status that a command ends with where something is wrong."""

import sys

import click

from cepheid.diagnostics import Diagnostic, draw

FAILED = 2
INTERRUPTED = 130


def complain(*diagnostics: Diagnostic) -> None:
    """Draw findings on standard error, in colour where somebody looks at it."""
    for diagnostic in diagnostics:
        click.echo(draw(diagnostic, colour=sys.stderr.isatty()), err=True)
