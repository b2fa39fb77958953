"""Queries of eSQL as a command is given them: the name of a file, or the text itself."""

from collections.abc import Mapping, Sequence
from typing import Any

from cepheid.api.esql.queries import EsqlQuery
from cepheid.api.esql.sessions import Session
from cepheid.api.texts import text_of

__all__ = ["load_esql"]


def load_esql(
    argument: str,
    tables: Mapping[str, Any],  # rows, files
    allow_files: Sequence[str],
    *,
    allow_unbounded: bool = False,
) -> EsqlQuery:
    """Return the query that is in the file of this name, or that is this text; files that it names lie beside it."""
    text = text_of(argument, "esql")
    session = Session(tables=tables, allow_files=allow_files, directory=text.directory, allow_unbounded=allow_unbounded)
    return session.compile(text.text, name=text.name)
