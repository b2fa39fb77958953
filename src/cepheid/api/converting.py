"""Convert a query: the same program as a text of another language."""

from cepheid.algebra.nesting import limited_depth
from cepheid.algebra.validation import validate
from cepheid.api.compiling import Settings
from cepheid.api.tables import rows_of
from cepheid.api.texts import text_of
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.events import checked_unit
from cepheid.languages import language_named


def convert(argument: str, to: str = "cep", *, language: str | None = None, settings: Settings | None = None) -> str:
    """Return the query of a file, or a text, in another language; raise where that language cannot say it.

    >>> print(convert("(A ; B) within 5 s", language="algebra", settings=Settings(policy="all")))
    ties simultaneous
    <BLANKLINE>
    rule match:
        (a: A then b: B) within 5 s
        emits match
    """
    wanted, query = language_named(to), text_of(argument, language)
    settings = settings or Settings()
    if "esql" in (wanted.NAME, query.language.NAME):
        message = "a query of `esql` gives values, and no other language says that"
        raise CepheidError(Diagnostic("not-expressible", message, hints=("convert `.hbl`, `.etalis` or `.alg` files",)))
    with limited_depth():
        program = query.program(checked_unit(settings.time_unit or "s"), settings.policy, rows_of(settings.tables))
        validate(program)
        return wanted.show(program)
