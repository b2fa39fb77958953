"""What is said beside the results, on standard error: findings, summaries, progress."""

from typing import TYPE_CHECKING

import click

from cepheid.diagnostics import visible

if TYPE_CHECKING:
    from cepheid.api import Summary


def say(text: str) -> None:
    """Print a text of several lines, in which nothing moves the cursor."""
    click.echo(visible(text, lines=True))


def say_stopped(signal: str, matches: int | None, output: str | None) -> None:
    """Say that a run was stopped, and what was written until then: `matches`, or nothing."""
    to = visible(output or "standard output")
    whole, nothing = f"what was certain until then is in {to}", f"nothing was written to {to}"
    click.echo(f"stopped by {signal}: {nothing if matches is None else whole}", err=True)


def summarize(summary: "Summary", matches: int, rejects: str | None) -> None:
    """Say how much was read and found, and how much was rejected and why."""
    parts = [_counted(summary.events, "event"), _counted(matches, "match", "matches")]
    if summary.rejected:
        reasons = ", ".join(f"{count} {code}" for code, count in sorted(summary.rejects.items()))
        kept = f" in {visible(rejects)}" if rejects else ""
        parts.append(f"{_counted(summary.rejected, 'row')} rejected{kept} ({reasons})")
    click.echo(", ".join(parts), err=True)


def _counted(number: int, singular: str, plural: str | None = None) -> str:
    return f"{number} {singular if number == 1 else plural or f'{singular}s'}"
