"""`cepheid draw`: the join graph of a query as a picture."""

from typing import Any

import click

from cepheid.api import Settings, load
from cepheid.cli.options import is_esql, query_options, settings_of

_HELP = """Draw the join graph of a query, with sizes at its nodes and rates on its edges, as SVG.

Rates must be declared, in the query or with --rate.

\b
Example:
  cepheid draw fraud.parte -o graph.svg
"""


@click.command(help=_HELP)
@query_options
@click.option("--output", "-o", metavar="FILE", help="Where the picture goes; by default to standard output.")
def draw(query: str, language: str, output: str | None, **options: Any) -> None:  # what click read
    """Write the picture of a query."""
    settings = settings_of(options)
    picture = _pipe(query, settings) if is_esql(query, language) else load(query, language, settings).draw()
    if output is None:
        click.echo(picture, nl=False)
        return
    from cepheid.api import open_text  # with all that reads and writes events

    with open_text(output) as stream:
        stream.write(picture)


def _pipe(query: str, settings: Settings) -> str:
    from cepheid.api.esql_files import load_esql  # most queries are in another language

    return load_esql(query, settings).draw()
