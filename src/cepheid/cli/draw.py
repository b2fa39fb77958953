"""`cepheid draw`: a query as a picture."""

from typing import Any

import click

from cepheid.api import Settings, load, names_a_pipe, pipe_named
from cepheid.cli.options import is_esql, query_options, settings_of

_HELP = """Draw a query as SVG: its events, and what is made of them.

In PARTElang it is the join graph, with sizes at its nodes and rates on its edges; rates must be declared, in the query
or with --rate. A pipe in a file of Python is drawn as boxes and pipes.

\b
Example:
  cepheid draw 'a: A then b: B within 5 s on user' -o pair.svg
  cepheid draw fraud.parte -o graph.svg
  cepheid draw pipe.py:hopping -o pipe.svg
"""


@click.command(help=_HELP)
@query_options
@click.option("--output", "-o", metavar="FILE", help="Where the picture goes; by default to standard output.")
def draw(query: str, language: str | None, output: str | None, **options: Any) -> None:  # what click read
    """Write the picture of a query."""
    picture = _picture(query, language, settings_of(options))
    if output is None:
        click.echo(picture, nl=False)
        return
    from cepheid.api import write_text  # with all that reads and writes events

    write_text(output, picture)


def _picture(query: str, language: str | None, settings: Settings) -> str:
    if names_a_pipe(query):
        return pipe_named(query).draw()
    if not is_esql(query, language):
        return load(query, language, settings).draw()
    from cepheid.api.esql.files import load_esql  # most queries are in another language

    return load_esql(query, settings.tables, settings.allow_files).draw()
