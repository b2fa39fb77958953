"""Functions, aggregates and tables that expressions call: do they exist, and with so many arguments?"""

from collections.abc import Iterator, Mapping

from cepheid.algebra.evaluation import AGGREGATES
from cepheid.algebra.expressions import Aggregate, Call, Lookup
from cepheid.algebra.functions import Function, function_named, function_names
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.programs import Table
from cepheid.algebra.traversal import walk
from cepheid.algebra.validation.constants import wrong_constants
from cepheid.algebra.validation.finding import finding, suggestion
from cepheid.diagnostics import Diagnostic


def miscalled(reads: object, pattern: Pattern | None, tables: Mapping[str, Table] | None) -> Iterator[Diagnostic]:
    """Yield the calls in `reads` that no value can come of; without `tables` nothing is said about them."""
    for item in walk(reads):
        match item:
            case Call():
                yield from _call(item, pattern)
            case Aggregate():
                yield from _aggregate(item, pattern)
            case Lookup() if tables is not None:
                yield from _lookup(item, pattern, tables)


def _call(call: Call, pattern: Pattern | None) -> Iterator[Diagnostic]:
    known = function_named(call.function)
    if known is None:
        message = f"there is no function `{call.function}`"
        yield finding("unknown-function", message, pattern, *suggestion(call.function, function_names()))
    elif len(call.arguments) < known.least or (known.most is not None and len(call.arguments) > known.most):
        message = f"`{call.function}` takes {_arity(known)}, and here it has {len(call.arguments)}"
        example = ", ".join("xyz"[: max(known.least, 1)])
        yield finding("argument-count", message, pattern, f"write `{call.function}({example})`")
    else:
        yield from wrong_constants(call, pattern)


def _arity(known: Function) -> str:
    if known.most is None:
        return f"{known.least} or more arguments"
    count = str(known.least) if known.least == known.most else f"{known.least} to {known.most}"
    return f"{count} argument" + "s" * (count != "1")


def _aggregate(aggregate: Aggregate, pattern: Pattern | None) -> Iterator[Diagnostic]:
    if aggregate.function not in AGGREGATES:
        message = f"there is no aggregate `{aggregate.function}`"
        yield finding("unknown-function", message, pattern, *suggestion(aggregate.function, AGGREGATES))
    elif aggregate.argument is None and aggregate.function != "count":
        message = f"`{aggregate.function}` over items needs something to compute of each item"
        hint = f"name a field of the items: `{aggregate.function} of a.value`"
        yield finding("argument-count", message, pattern, hint)


def _lookup(lookup: Lookup, pattern: Pattern | None, tables: Mapping[str, Table]) -> Iterator[Diagnostic]:
    table = tables.get(lookup.table)
    if table is None:
        message = f"there is no table `{lookup.table}`"
        hints = suggestion(lookup.table, tables) or (f"give the program a table `{lookup.table}`",)
        yield finding("unknown-table", message, pattern, *hints)
        return
    if len(lookup.keys) != table.key_count:
        columns = ", ".join(table.columns[: table.key_count])
        message = f"`{lookup.table}` is looked up by {table.key_count} of its columns, and here by {len(lookup.keys)}"
        yield finding("argument-count", message, pattern, f"give a value for each of `{columns}`")
    if lookup.column is not None and lookup.column not in table.columns:
        message = f"the table `{lookup.table}` has no column `{lookup.column}`"
        yield finding("unknown-column", message, pattern, *suggestion(lookup.column, table.columns))
