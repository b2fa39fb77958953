"""`cepheid state`: what the checkpoint of a stream holds."""

import json
import sys
from typing import TYPE_CHECKING, TextIO

import click

from cepheid.api import checkpoint_states, exported, held_by_rules, waiting_as_json
from cepheid.cli.telling import say

if TYPE_CHECKING:
    from cepheid.api.states import HeldState
    from cepheid.spark.state_view import BucketState

_SHOW_HELP = """Show the matches that wait in a checkpoint, bucket by bucket.

Nothing is changed, and the query need not be at hand: a checkpoint holds it.

\b
Examples:
  cepheid state show checkpoint/
  cepheid state show checkpoint/ --rule Alarm --format jsonl
"""

_CHECK_HELP = """Read all of a checkpoint, and say whether this release can go on from it.

What is damaged, or was written in another form, is named, and the exit code is not 0. `cepheid pipeline check` compares
a checkpoint with a pipeline.

\b
Example:
  cepheid state check checkpoint/
"""
_EXPORT_HELP = """Write the state in a checkpoint as lines of JSON, one for each bucket and query.

A line has the rules, as JSON, and the bytes of their state, in base64; and the matches that are not complete, where
rules are interpreted. Nothing is changed.

\b
Example:
  cepheid state export checkpoint/ --output state.jsonl
"""


@click.group()
def state() -> None:
    """Look into the state of a stream."""


@state.command(help=_SHOW_HELP)
@click.argument("checkpoint")
@click.option("--rule", metavar="NAME", help="Show this rule alone.")
@click.option("--most", default=20, show_default=True, help="Show at most so many matches of each rule and bucket.")
@click.option("--format", "form", type=click.Choice(("text", "jsonl")), default="text", show_default=True)
def show(checkpoint: str, rule: str | None, most: int, form: str) -> None:
    """Print what waits in each bucket."""
    for one in checkpoint_states(checkpoint, rule, most):
        say(_as_json(one) if form == "jsonl" else _as_text(one))


@state.command(help=_CHECK_HELP)
@click.argument("checkpoint")
def check(checkpoint: str) -> None:
    """Print what each query holds, all buckets together."""
    for one in held_by_rules(checkpoint_states(checkpoint, most=0)):
        say(_summary(one))


@state.command(help=_EXPORT_HELP)
@click.argument("checkpoint")
@click.option("--rule", metavar="NAME", help="Of the matches that are not complete, those of this rule alone.")
@click.option(
    "--output", type=click.File("w", encoding="utf-8", lazy=True), default="-", help="The file; else it is printed."
)
def export(checkpoint: str, rule: str | None, output: TextIO) -> None:
    """Write a line for each bucket and query."""
    for line in exported(checkpoint_states(checkpoint, rule, sys.maxsize)):
        output.write(f"{line}\n")


def _summary(held: "HeldState") -> str:
    told = f"{held.entries:,} entries in {held.buckets} buckets, {held.size:,} bytes, all of it sound"
    return f"{held.query} ({', '.join(held.rules)}): {told}"


def _as_text(state: "BucketState") -> str:
    rules = ", ".join(state.rules)
    lines = [f"bucket {state.bucket}, {state.query} ({rules}): {state.entries} entries, {state.size} bytes"]
    for one in state.waiting:
        found = ", ".join(f"{name}={'+'.join(map(str, ids))}" for name, ids in one.found.items())
        lines.append(
            f"  {one.rule}  {one.share:.0%}  from {one.start} to {one.end}  {found}  waits for {_missing(one.missing)}"
        )
    return "\n".join(lines)


def _missing(missing: tuple[str, ...]) -> str:
    return "; ".join(missing) or "time to pass"


def _as_json(state: "BucketState") -> str:
    waiting = list(map(waiting_as_json, state.waiting))
    told = {"bucket": state.bucket, "query": state.query, "rules": state.rules, "entries": state.entries}
    return json.dumps({**told, "bytes": state.size, "frontier": state.frontier, "waiting": waiting})
