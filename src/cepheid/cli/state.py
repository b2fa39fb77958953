"""`cepheid state`: what the checkpoint of a stream holds."""

import json
from typing import TYPE_CHECKING

import click

from cepheid.api import checkpoint_states
from cepheid.cli.telling import say

if TYPE_CHECKING:
    from cepheid.spark.state_view import BucketState

_SHOW_HELP = """Show the matches that wait in a checkpoint, bucket by bucket.

Nothing is changed, and the query need not be at hand: a checkpoint holds it.

\b
Examples:
  cepheid state show checkpoint/
  cepheid state show checkpoint/ --rule Alarm --format jsonl
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
    waiting = [
        {
            "rule": one.rule,
            "share": one.share,
            "start": one.start,
            "end": one.end,
            "found": one.found,
            "missing": one.missing,
        }
        for one in state.waiting
    ]
    told = {"bucket": state.bucket, "query": state.query, "rules": state.rules, "entries": state.entries}
    return json.dumps({**told, "bytes": state.size, "frontier": state.frontier, "waiting": waiting})
