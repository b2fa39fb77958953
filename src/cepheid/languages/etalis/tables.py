"""Tables of background knowledge: facts of the text, rows that the caller gives, files of comma-separated values.

    near(dock, harbour).
    table limits(account, limit : float) from "limits.csv".

The first line of a file names its columns; a column whose kind is `int`, `float` or `bool` holds that, others texts.
"""

from collections.abc import Iterable, Mapping

from cepheid.algebra.programs import Row, Table
from cepheid.diagnostics import CepheidError
from cepheid.languages.etalis.background import close
from cepheid.languages.etalis.definitions import Definitions
from cepheid.languages.etalis.given_rows import Rows, rows_given
from cepheid.languages.etalis.rows import Relation
from cepheid.languages.etalis.syntax import Fact, TableText
from cepheid.languages.shared.files import Resolve, resolved
from cepheid.languages.shared.findings import refusal
from cepheid.languages.shared.tables import comma_separated
from cepheid.languages.shared.terms import Constant


def tables_of(definitions: Definitions, given: Mapping[str, Rows], resolve: Resolve | None) -> dict[str, Table]:
    """Return a table for every background predicate, with all rows that follow."""
    relations = {name: Relation() for name in sorted(definitions.background)}
    for fact in definitions.facts:
        relations[fact.head.predicate.name].add(_row(fact))
    for name, text in definitions.tables.items():
        for row in _rows(text, given, resolve, definitions):
            relations[name].add(row)
    close(relations, definitions.clauses)
    return {
        name: Table(_columns(name, definitions), relation.rows, definitions.arities[name])
        for name, relation in relations.items()
    }


def _columns(name: str, definitions: Definitions) -> tuple[str, ...]:
    if name in definitions.tables:
        return tuple(column.name.name for column in definitions.tables[name].columns)
    return tuple(f"arg{number}" for number in range(1, definitions.arities[name] + 1))


def _row(fact: Fact) -> Row:
    cells = []
    for argument in fact.head.arguments:
        if not isinstance(argument, Constant):
            message, label = f"a fact of `{fact.head.predicate.name}` says nothing definite", "not a constant"
            hint = 'write a constant here: `dock`, `"north"` or `12`; a rule for events goes on with `<-`'
            raise refusal("unbound-variable", message, argument.span, label, hint)
        cells.append(argument.value)
    return tuple(cells)


def _rows(
    text: TableText, given: Mapping[str, Rows], resolve: Resolve | None, definitions: Definitions
) -> Iterable[Row]:
    """Return the rows of a table; what the caller gives comes before what the text says."""
    name = text.predicate.name
    if name in given:
        return rows_given(text, given[name], text.predicate.span)
    if text.file is not None:
        file, span = text.file
        return rows_given(text, comma_separated(file, resolved(file, span, resolve)), span)
    heads = {fact.head.predicate.name for fact in definitions.facts}
    heads |= {clause.head.predicate.name for clause in definitions.clauses}
    if text.empty or name in heads:
        return ()
    raise _missing(text)


def _missing(text: TableText) -> CepheidError:
    name = text.predicate.name
    message, label = f"the table `{name}` has no rows", "nothing says what is in it"
    file = f'read them from a file: `table {name}(a, b) from "{name}.csv".`'
    return refusal(
        "missing-table", message, text.predicate.span, label, file, f"give them: `tables={{{name!r}: rows}}`"
    )
