"""What is said beside the results, on standard error: findings, summaries, progress."""

import io
import sys
from typing import TextIO

import click

from cepheid.api import UNSAYABLE, Summary
from cepheid.diagnostics import Diagnostic, draw

FAILED = 2
INTERRUPTED = 130


def complain(*diagnostics: Diagnostic) -> None:
    """Draw findings on standard error, in colour where somebody looks at it."""
    for diagnostic in diagnostics:
        click.echo(draw(diagnostic, colour=sys.stderr.isatty()), err=True)


def speaking(stream: TextIO) -> TextIO:
    """Return a stream that shows characters which its encoding has not as JSON escapes them."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(errors=UNSAYABLE)
    return stream


def say_stopped(signal: str, matches: int | None, output: str | None) -> None:
    """Say that a run was stopped, and what was written until then: `matches`, or nothing."""
    whole = f"what was certain until then is in {output or 'standard output'}"
    nothing = f"nothing was written{f' to {output}' if output else ''}"
    click.echo(f"stopped by {signal}: {nothing if matches is None else whole}", err=True)


def summarize(summary: Summary, matches: int, rejects: str | None) -> None:
    """Say how much was read and found, and how much was set aside and why."""
    parts = [_counted(summary.events, "event"), _counted(matches, "match", "matches")]
    if summary.rejected:
        reasons = ", ".join(f"{count} {code}" for code, count in sorted(summary.rejects.items()))
        kept = f" in {rejects}" if rejects else ""
        parts.append(f"{_counted(summary.rejected, 'row')} set aside{kept} ({reasons})")
    click.echo(", ".join(parts), err=True)


def _counted(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"
