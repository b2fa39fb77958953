"""Commands about a query: what stands beside it by mistake is said where it belongs."""

import os
import re
from typing import Final

import click

_EXTRA: Final = re.compile(r"Got unexpected extra argument \((.*)\)")


class QueryCommand(click.Command):
    """A command that takes one query, and says which option a second argument belongs to."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        given = list(arguments)
        try:
            return super().parse_args(context, arguments)
        except click.UsageError as error:
            extra = _EXTRA.fullmatch(error.message)
            if extra is None:
                raise
            raise click.UsageError(f"{error.message}{self._meant(given, extra[1])}", context) from None

    def _meant(self, given: list[str], extra: str) -> str:
        before = given[: given.index(extra)][-2:] if extra in given else []
        if before[:1] == ["--rate"]:
            return f". Did you mean '--rate {before[1]}={extra}'?"
        reads_events = any("--input" in option.opts for option in self.params)
        return f". To read events from it, write '--input {extra}'." if reads_events and os.path.exists(extra) else ""
