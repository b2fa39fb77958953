"""`cepheid run` for eSQL, whose queries give values: each is a line of JSON, or a row."""

import csv
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

import click

from cepheid.api import open_text, shown_on, to_json
from cepheid.api.esql.files import load_esql
from cepheid.api.esql.queries import EsqlQuery
from cepheid.cli.options import settings_of
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import plain_json

_STANDARD_INPUT = ("-",)


def run_esql(query: str, events: tuple[str, ...], options: dict[str, Any]) -> None:
    """Write what a query of eSQL gives over its inputs, which `--input name=file` names."""
    settings = settings_of(options)
    allowed = bool(options["allow_unbounded"])
    compiled = load_esql(query, settings.tables, settings.allow_files, allow_unbounded=allowed)
    if events == _STANDARD_INPUT and compiled.inputs and not allowed:
        compiled.certificate.demand_bounded()
    values = islice(compiled.pull(**_inputs(compiled, events)), options["limit"])
    written = 0
    with ExitStack() as files:
        to = shown_on(sys.stdout) if options["output"] is None else files.enter_context(open_text(options["output"]))
        for written, _ in enumerate(_lines(values, to, _format(options)), 1):  # noqa: B007  # the last number counts
            pass
    if not options["quiet"]:
        click.echo(f"{written} {'value' if written == 1 else 'values'}", err=True)


def _format(options: dict[str, Any]) -> str:
    chosen = options["chosen"] or ("csv" if Path(options["output"] or "").suffix == ".csv" else "jsonl")
    if chosen in ("jsonl", "csv"):
        return str(chosen)
    message, hint = f"values are not written as `{chosen}`", "write `--format jsonl` or `--format csv`"
    raise CepheidError(Diagnostic("conflicting-options", message, hints=(hint,)))


def _lines(values: Iterator[Any], to: TextIO, how: str) -> Iterator[None]:
    """Write values one by one."""
    writer = csv.writer(to, lineterminator="\n")
    names: list[str] | None = None
    for value in values:
        if how == "jsonl":
            to.write(to_json(plain_json(value)) + "\n")
        else:
            row = value if isinstance(value, Mapping) else {"value": value}
            if names is None:
                names = list(row)
                writer.writerow(names)
            writer.writerow([row.get(name) for name in names])
        yield


def _inputs(compiled: EsqlQuery, events: tuple[str, ...]) -> dict[str, Any]:
    """Return what is given for each input; where there is one input, its file needs no name."""
    if events == _STANDARD_INPUT:
        return {name: _standard_input() for name in compiled.inputs}
    found: dict[str, Any] = {}
    for given in events:
        name, equals, path = given.partition("=")
        if equals and name in compiled.inputs:
            found[name] = Path(path)
        elif len(compiled.inputs) == 1:
            found[compiled.inputs[0]] = Path(given)
        else:
            hint = f"write `--input {(compiled.inputs or ('trades',))[0]}={given}`"
            raise CepheidError(Diagnostic("unknown-input", f"`{given}` is for no input of the query", hints=(hint,)))
    return found


def _standard_input() -> Iterator[Any]:
    from cepheid.palettes.documents import json_lines

    return json_lines(sys.stdin).pull()
