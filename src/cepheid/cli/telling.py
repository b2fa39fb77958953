"""What is said beside the results, on standard error: findings, summaries, progress."""

import sys

import click

from cepheid.api import Summary
from cepheid.diagnostics import Diagnostic, draw

FAILED = 2


def complain(*diagnostics: Diagnostic) -> None:
    """Draw findings on standard error, in colour where somebody looks at it."""
    for diagnostic in diagnostics:
        click.echo(draw(diagnostic, colour=sys.stderr.isatty()), err=True)


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
