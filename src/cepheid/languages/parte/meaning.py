"""What terms mean: expressions of the algebra, each with the kind of its value."""

from collections.abc import Sequence

from cepheid.algebra.expressions import Call, Literal, Lookup
from cepheid.algebra.functions import function_named
from cepheid.diagnostics import CepheidError, close_match
from cepheid.events import Value
from cepheid.languages.parte.calls import Typed, kind_of_call, mismatch
from cepheid.languages.parte.kinds import ANY, BOOLEAN, NUMBER, TEXT, Kind, common, declared_kind
from cepheid.languages.parte.syntax import TableText
from cepheid.languages.parte.variables import Scope
from cepheid.languages.shared.findings import listed, refusal
from cepheid.languages.shared.term_meaning import check_call
from cepheid.languages.shared.terms import Constant, Member, Name, Operation, Term


def meaning(term: Term, scope: Scope) -> Typed:
    """Return the expression that a term is in a scope, and what kind of value it has."""
    match term:
        case Constant(value, span):
            return Typed(Literal(value), kind_of_constant(value), span)
        case Name():
            return scope.attribute(term)
        case Member():
            return scope.member(term)
        case Operation(function, arguments, span=span):
            operands = [meaning(argument, scope) for argument in arguments]
            table, _, column = function.partition(".")
            if table in scope.tables:
                return _lookup(term, scope.tables[table], column, operands)
            _check(term, scope)
            call = Call(function, tuple(operand.expression for operand in operands))
            return Typed(call, kind_of_call(term, operands, scope.of_kind), span)


def _check(term: Operation, scope: Scope) -> None:
    """Raise for a call of nothing; what the text defines itself may have been meant."""
    closest = close_match(term.function, scope.callable)
    if function_named(term.function) is None and closest is not None:
        message, label = f"there is no function `{term.function}`", "no function has this name"
        raise refusal("unknown-function", message, term.place, label, f"did you mean `{closest}`?")
    check_call(term)


def kind_of_constant(value: Value) -> Kind:
    """Return the kind of a constant; null can stand for anything."""
    if isinstance(value, bool):
        return BOOLEAN
    if isinstance(value, int | float):
        return NUMBER
    return TEXT if isinstance(value, str) else ANY


def _lookup(term: Operation, table: TableText, column: str, keys: Sequence[Typed]) -> Typed:
    if len(keys) != len(table.keys):
        raise _miscounted(term, table)
    for slot, key in zip(table.keys, keys, strict=True):
        if common(declared_kind(slot.type), key.kind) is None:
            message = f"`{slot.name.name}` of `{table.name.name}` is {declared_kind(slot.type)}, and this is {key.kind}"
            raise mismatch(key.span, message, (), f"look it up by a value of type {declared_kind(slot.type)}")
    values = {slot.name.name: declared_kind(slot.type) for slot in table.columns}
    if column and column not in values:
        raise _unknown_column(term, table, column)
    lookup = Lookup(table.name.name, tuple(key.expression for key in keys), column or None)
    return Typed(lookup, values[column] if column else BOOLEAN, term.span)


def _miscounted(term: Operation, table: TableText) -> CepheidError:
    columns = ", ".join(slot.name.name for slot in table.keys)
    wanted = "one column" if len(table.keys) == 1 else f"{len(table.keys)} columns"
    message = f"`{table.name.name}` is looked up by {wanted}, and here by {len(term.arguments) or 'none'}"
    hint = f"write it like this: `{term.function}({columns})`"
    return refusal("argument-count", message, term.span, "one value for each of them", hint)


def _unknown_column(term: Operation, table: TableText, column: str) -> CepheidError:
    names = [slot.name.name for slot in table.columns]
    closest = close_match(column, names)
    hint = f"did you mean `{table.name.name}.{closest}`?" if closest else f"it has {listed(names)}"
    message = f"the table `{table.name.name}` has no column `{column}`"
    return refusal("unknown-column", message, term.place, "not one of its columns", hint)
