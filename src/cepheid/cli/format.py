"""`cepheid format`: the text of a query, laid out."""

import difflib
from pathlib import Path

import click

from cepheid.api import write_text
from cepheid.cli.complaining import FAILED
from cepheid.cli.telling import say
from cepheid.diagnostics import readable
from cepheid.languages.cep.formatting import formatted

_HELP = """Lay out the text of a query in `cep`; comments stay where they are.

Files are written anew where something changes. With --check nothing is written, and the status is 2 if something would.

\b
Examples:
  cepheid format rules/brute.cep
  cepheid format --check rules/*.cep
"""


@click.command(help=_HELP)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--check", is_flag=True, help="Only say what would change.")
def format(files: tuple[str, ...], check: bool) -> None:  # noqa: A001  # users write `cepheid format`
    """Write files in the usual layout, or say what would change in them."""
    changed = [file for file in files if _changes(file, write=not check)]
    if check and changed:
        click.get_current_context().exit(FAILED)


def _changes(file: str, *, write: bool) -> bool:
    """Say whether a file is laid out otherwise; write it, or show how."""
    path = Path(file)
    with readable(file):
        before = path.read_text(encoding="utf-8-sig")
    after = formatted(before, name=file)
    if after == before:
        return False
    if write:
        write_text(file, after)
        say(f"{file}: laid out")
    else:
        lines = difflib.unified_diff(before.splitlines(), after.splitlines(), file, file, lineterm="")
        say("\n".join(lines))
    return True
