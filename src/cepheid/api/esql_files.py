"""Queries of eSQL as a command is given them: the name of a file, or the text itself."""

from cepheid.api.compiling import Settings
from cepheid.api.esql_queries import EsqlQuery
from cepheid.api.esql_sessions import Session
from cepheid.api.texts import text_of

__all__ = ["load_esql"]


def load_esql(argument: str, settings: Settings) -> EsqlQuery:
    """Return the query that is in the file of this name, or that is this text; files that it names lie beside it."""
    text = text_of(argument, "esql")
    session = Session(tables=settings.tables, allow_files=settings.allow_files, directory=text.directory)
    return session.compile(text.text, name=text.name)
