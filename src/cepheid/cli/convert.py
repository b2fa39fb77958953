"""`cepheid convert`: a query in another language."""

from typing import Any

import click

from cepheid.api import LANGUAGE_NAMES
from cepheid.api.converting import convert as converted
from cepheid.cli.options import query_options, settings_of
from cepheid.cli.telling import say

_HELP = """Print a query in another language.

Whatever finds matches can be said in `cep`; eSQL gives values, and no other language says them. What a language cannot
say is refused with status 2.

\b
Examples:
  cepheid convert rule.etalis --to cep
  cepheid convert '(A ; B) within 5 s' --language algebra > pair.cep
"""


@click.command(help=_HELP)
@query_options
@click.option(
    "--to", type=click.Choice(LANGUAGE_NAMES), default="cep", show_default=True, help="The language that is wanted."
)
def convert(query: str, language: str | None, to: str, **options: Any) -> None:  # what click read
    """Print the text of a query in another language."""
    say(converted(query, to, language=language, settings=settings_of(options)))
