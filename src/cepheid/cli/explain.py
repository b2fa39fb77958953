"""`cepheid explain`: what became of a query, stage by stage; or what an error code means."""

import re
import sys
from typing import Any

import click

from cepheid.api import STAGES, Settings, listed_functions, load
from cepheid.cli.options import is_esql, query_options, settings_of
from cepheid.cli.telling import say
from cepheid.diagnostics import close_match, codes
from cepheid.diagnostics import explain as page_of

_LIKE_A_CODE = re.compile(r"[a-z]+(-[a-z]+)*")


_HELP = """Show how a query is understood, rewritten and planned; the page of an error code; or all functions.

\b
Examples:
  cepheid explain alarm.cep --stage plan
  cepheid explain unbounded-state
  cepheid explain functions
"""


@click.command(help=_HELP)
@query_options
@click.option("--stage", type=click.Choice(STAGES), help="Show this stage only.")
def explain(query: str, language: str | None, stage: str | None, **options: Any) -> None:  # what click read
    """Print the stages of a query, the page of a code, or what functions there are."""
    if stage is None and query == "functions":
        click.echo(listed_functions(), nl=False)
        return
    if stage is None and _is_code(query):
        _show_page(page_of(query))
        return
    settings = settings_of({**options, "allow_unbounded": True})
    if is_esql(query, language):
        _explain_esql(query, settings, stage)
        return
    compiled = load(query, language, settings)
    if stage is not None:
        say(compiled.explain(stage))
        return
    for number, each in enumerate(stage for stage in STAGES if stage != "json"):  # which is for programs to read
        say(f"{'' if number == 0 else chr(10)}# {each}\n\n{compiled.explain(each)}")


def _explain_esql(query: str, settings: Settings, stage: str | None) -> None:
    from cepheid.api.esql.files import load_esql  # most queries are in another language
    from cepheid.api.esql.queries import STAGES as ESQL_STAGES

    compiled = load_esql(query, settings.tables, settings.allow_files)
    if stage is not None:
        say(compiled.explain(stage))
        return
    say("\n\n".join(f"# {each}\n\n{compiled.explain(each)}" for each in ESQL_STAGES))


def _is_code(text: str) -> bool:
    """Say whether a text is a code, or is so much like one that it is a code with a mistake."""
    return text in codes or (bool(_LIKE_A_CODE.fullmatch(text)) and close_match(text, codes) is not None)


def _show_page(page: str) -> None:
    if sys.stdout.isatty():
        from rich.console import Console  # where nobody looks, nothing is drawn
        from rich.markdown import Markdown

        Console().print(Markdown(page))
    else:
        click.echo(page, nl=False)
