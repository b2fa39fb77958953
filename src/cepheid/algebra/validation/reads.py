"""Names that are read where they are not known, and aggregates that stand where there is nothing to aggregate.

    a then b where b.value > c.value          there is no part `c`
    a then b unless x where x.end > a.end     `x` is known in the absence and nowhere else

Names with a `$` belong to certain places, for example `$previous` to the link of a repetition.
"""

from collections.abc import Iterator
from dataclasses import replace

from cepheid.algebra.expressions import NULL, Aggregate, Field, IsBound, Variable
from cepheid.algebra.relations import Endpoint
from cepheid.algebra.traversal import transform, walk
from cepheid.algebra.validation.finding import finding, suggestion
from cepheid.algebra.validation.scopes import NOTHING, Names, Scope
from cepheid.diagnostics import Diagnostic, close_match

WITH_FIELDS = frozenset({"$event", "$previous", "$next"})


def misread(scope: Scope, everywhere: Names) -> Iterator[Diagnostic]:
    """Yield a finding for every name that a scope does not know; `everywhere` holds all names of the rule."""
    aggregates = [item for item in walk(scope.reads) if isinstance(item, Aggregate)]
    if scope.items is None and aggregates:
        yield _aggregate_outside(aggregates[0], scope)
    yield from _unknown(replace(scope, reads=_without_aggregates(scope.reads)), everywhere)
    for aggregate in aggregates if scope.items is not None else ():
        inner = replace(scope, reads=aggregate.argument, parts=scope.items or NOTHING, items=None)
        yield from misread(inner, everywhere)


def _without_aggregates(reads: object) -> object:
    return transform(reads, lambda item: NULL if isinstance(item, Aggregate) else item)


def _unknown(scope: Scope, everywhere: Names) -> Iterator[Diagnostic]:
    for item in walk(scope.reads):
        match item:
            case Endpoint(part=name) if name not in scope.parts:
                yield _unknown_part(name, scope, everywhere)
            case Field(part=name, name=field) if name not in scope.parts | scope.variables:
                yield _unknown_part(name, scope, everywhere, field)
            case IsBound(name=name) if name not in scope.parts | scope.variables:
                yield _unknown_part(name, scope, everywhere)
            case Field(part=name, name=field) if name.startswith("$") and name not in WITH_FIELDS | scope.variables:
                yield _field_of_a_whole(name, field, scope)
            case Variable(name) if name not in scope.variables:
                yield _unknown_variable(name, scope)


def _unknown_part(name: str, scope: Scope, everywhere: Names, field: str = "") -> Diagnostic:
    if name in everywhere:
        return finding("unknown-part", f"`{name}` cannot be read here", scope.pattern, notes=(scope.rule,))
    special = name.startswith("$")
    known = [part for part in (*scope.parts, *scope.variables) if part.startswith("$") == special]
    message = f"`{name}` cannot be read here" if special else f"there is no part `{name}`"
    is_plain = field and not special and len(known) == 1 and close_match(name, known) is None
    hints = _of_the_only_part(known[0], name, field) if is_plain else suggestion(name, known)
    return finding("unknown-part", message, scope.pattern, *hints)


def _of_the_only_part(part: str, name: str, field: str) -> tuple[str, ...]:
    """Return the hint for `geo.city` where a part `r` stands alone: perhaps its event has a record `geo`."""
    return (f"write `{part}.{field}`; where `{name}` is a record in the event, `{part}.{name}.{field}`",)


def _field_of_a_whole(name: str, field: str, scope: Scope) -> Diagnostic:
    """A whole has a start and an end; fields are those of the events in it."""
    parts = sorted(part for part in scope.parts if not part.startswith("$"))
    hints = (f"read it of the event that has it, for example `{parts[0]}.{field}`",) if parts else ()
    message = f"`{name}` stands for a whole, which has a start and an end but no `{field}`"
    return finding("unknown-part", message, scope.pattern, *hints)


def _unknown_variable(name: str, scope: Scope) -> Diagnostic:
    hints = suggestion(name, scope.variables)
    return finding("unknown-variable", f"there is no variable `{name}` here", scope.pattern, *hints)


def _aggregate_outside(aggregate: Aggregate, scope: Scope) -> Diagnostic:
    message = f"`{aggregate.function}` over items stands where there are no items"
    hint = "compute it among the values of the repetition or collection, and read that value here"
    return finding("aggregate-outside-folds", message, scope.pattern, hint)
