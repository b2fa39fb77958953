"""`cepheid check`: what a query can cost, before it runs."""

import json
from dataclasses import replace
from typing import Any

import click

from cepheid.api import Settings, load
from cepheid.cli.complaining import FAILED, complain
from cepheid.cli.options import is_esql, query_options, settings_of
from cepheid.cli.query_command import QueryCommand
from cepheid.cli.telling import say

_HELP = """Prove how much state, work and delay a query needs.

The status is 2 where there is no bound, unless that is allowed.

\b
Example:
  cepheid check 'a: Button then b: Button within 2 s' --rate Button=5/s
"""


@click.command(cls=QueryCommand, help=_HELP)
@query_options
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
def check(query: str, language: str | None, as_json: bool, **options: Any) -> None:  # what click read
    """Print the certificate of a query; the status says whether it is bounded."""
    settings = replace(settings_of(options), allow_unbounded=True)
    if is_esql(query, language):
        _check_esql(query, settings, allow_unbounded=options["allow_unbounded"])
        return
    compiled = load(query, language, settings)
    certificate = compiled.certificate
    data = json.dumps(certificate.to_dict(), indent=2, ensure_ascii=False)
    say(data if as_json else compiled.short_certificate)
    if certificate.bounded or options["allow_unbounded"]:
        complain(*compiled.warnings)
        return
    complain(*certificate.findings, *compiled.remarks)
    click.get_current_context().exit(FAILED)


def _check_esql(query: str, settings: Settings, *, allow_unbounded: bool) -> None:
    """Print what the pipe of a query keeps; the status says whether that is bounded."""
    from cepheid.api.esql.files import load_esql  # most queries are in another language

    certificate = load_esql(query, settings.tables, settings.allow_files).certificate
    say(str(certificate))
    if not certificate.bounded and not allow_unbounded:
        click.get_current_context().exit(FAILED)
