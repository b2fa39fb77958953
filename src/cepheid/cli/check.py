"""`cepheid check`: what a query can cost, before it runs."""

import json
from dataclasses import replace
from typing import Any

import click

from cepheid.api import load
from cepheid.cli.complaining import FAILED, complain
from cepheid.cli.options import query_options, settings_of
from cepheid.cli.telling import say

_HELP = """Prove how much state, work and delay a query needs.

The status is 2 where there is no bound, unless that is allowed.

\b
Example:
  cepheid check 'Alarm = (Button ; Button) within 2 s' --rate Button=5/s
"""


@click.command(help=_HELP)
@query_options
@click.option("--json", "as_json", is_flag=True, help="Print the certificate as JSON.")
def check(query: str, language: str, as_json: bool, **options: Any) -> None:  # what click read
    """Print the certificate of a query; the status says whether it is bounded."""
    compiled = load(query, language, replace(settings_of(options), allow_unbounded=True))
    certificate = compiled.certificate
    data = json.dumps(certificate.to_dict(), indent=2, ensure_ascii=False)
    say(data if as_json else compiled.short_certificate)
    if certificate.bounded or options["allow_unbounded"]:
        complain(*compiled.warnings)
        return
    complain(*certificate.findings, *compiled.remarks)
    click.get_current_context().exit(FAILED)
