"""The part of a join's matches that is there: waiting instances that fit together and may still be completed."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from cepheid.algebra.evaluation import Scope, agree, holds, stands
from cepheid.algebra.expressions import Field, IsBound, Moment, conjuncts
from cepheid.algebra.instances import Instance, combined
from cepheid.algebra.patterns import Join
from cepheid.algebra.programs import Table
from cepheid.algebra.relations import Endpoint
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.operators.interpreter import Interpreter
from cepheid.engine.operators.join import JoinAll
from cepheid.engine.state.deadlines import deadline, is_past

Parts = Mapping[int, Instance]


def partial_joins(each: JoinAll, inputs: Sequence[Interpreter], tables: Mapping[str, Table]) -> Iterator[Instance]:
    """Yield what fits together of some parts of a join, but not of all, where all others can still come."""
    join = each.operator.pattern
    assert isinstance(join, Join)
    for parts in _subsets(each, join, {}, 0, tables):
        if 0 < len(parts) < len(each.stores) and waits_for_any(each.operator, parts, inputs):
            yield combined(list(parts.values()))


def waits_for_any(operator: Operator, parts: Parts, inputs: Sequence[Interpreter]) -> bool:
    """Say whether every part that is missing can still come in time for all that are there."""
    missing = [number for number in range(len(inputs)) if number not in parts]
    return all(
        not is_past(deadline(operator.reach[part, number], one), inputs[number].frontier, inputs[number].place)
        for number in missing
        for part, one in parts.items()
    )


def _subsets(each: JoinAll, join: Join, parts: Parts, number: int, tables: Mapping[str, Table]) -> Iterator[Parts]:
    """Yield the combinations of instances of the parts from `number` on, each part taken or not."""
    if number == len(each.stores):
        yield parts
        return
    for one in each.stores[number]:
        more = {**parts, number: one}
        if _fit(join, more, tables):
            yield from _subsets(each, join, more, number + 1, tables)
    yield from _subsets(each, join, parts, number + 1, tables)


def _fit(join: Join, parts: Parts, tables: Mapping[str, Table]) -> bool:
    """Say whether some parts satisfy all that the join says about them alone."""
    bound = {name: part for one in parts.values() for name, part in one.parts.items()}
    names = {**bound, **{f"${number}": one for number, one in parts.items()}}
    scope = Scope(names, {name: value for one in parts.values() for name, value in one.variables.items()}, tables)
    conditions = (*conjuncts(join.candidate), *conjuncts(join.where))
    return (
        stands(tuple(one for one in join.relation if _is_about(one, names)), scope)
        and agree([pair for pair in join.equal if _is_about(pair, names)], scope)
        and all(holds(condition, scope) for condition in conditions if _is_about(condition, names))
    )


def _is_about(node: object, names: Iterable[str]) -> bool:
    """Are all names known that are read here?"""
    known = set(names)
    for item in walk(node):
        match item:
            case Field(part=name) | Endpoint(part=name) | IsBound(name=name) if name not in known:
                return False
            case Moment(endpoint) if endpoint.part not in known:
                return False
    return True
