"""The definition that runs: what every pattern means over a finite history, slow and plain.

Each function below says which instances one kind of node has, given all instances of the nodes under it. Engines are
fast; this is what they are held to.
"""

from collections.abc import Iterable, Mapping
from itertools import product

from cepheid.algebra.chain_semantics import chained, is_of
from cepheid.algebra.choices import Pair, choose, end_of, groups, key_under, latest_start, pair_of
from cepheid.algebra.evaluation import agree, evaluate, holds, stands
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance, branch, combined, named, of_instant
from cepheid.algebra.patterns import (
    Atom,
    Chain,
    Collect,
    Distinct,
    Either,
    Instant,
    Join,
    Pattern,
    Repeat,
    Restrict,
    Select,
    Skip,
    Suppress,
    Unless,
)
from cepheid.algebra.policies import Choice
from cepheid.algebra.programs import Table
from cepheid.algebra.repeat_semantics import folded, repeated
from cepheid.algebra.schedules import points
from cepheid.algebra.skipping import counted, turn_of
from cepheid.algebra.suppressing import passing
from cepheid.events import Event, sort_events, values


def instances(pattern: Pattern, events: Iterable[Event], tables: Mapping[str, Table] | None = None) -> list[Instance]:
    """Return every instance of `pattern` over `events`, in the total order of instances."""
    seen = sort_events(events)
    horizon = max((event.end for event in seen), default=None)
    return _in_order(pattern, History(seen, tables or {}, horizon=horizon))


def occurrences(pattern: Pattern, history: History) -> list[Instance]:
    """Return every instance of `pattern`, in no particular order."""
    match pattern:
        case Atom():
            return _atom(pattern, history)
        case Instant():
            return _instant(pattern, history)
        case Join():
            return _join(pattern, history)
        case Select():
            return _select(pattern, history)
        case Collect():
            return _collect(pattern, history)
        case Either():
            return [found for some in _branches(pattern, history) for found in some]
        case Restrict():
            return _restrict(pattern, history)
        case Unless():
            return _unless(pattern, history)
        case Repeat():
            return repeated(pattern, _in_order(pattern.item, history), history)
        case Chain():
            return chained(pattern, history)
        case Distinct():
            return _distinct(pattern, history)
        case Skip():
            found = sorted(occurrences(pattern.pattern, history), key=turn_of)
            return counted(pattern, found, history.tables, {})
        case Suppress():
            return passing(pattern, _in_order(pattern.pattern, history), history.tables, {})
        case _:
            raise AssertionError(f"not a pattern: {pattern!r}")


def _branches(either: Either, history: History) -> list[list[Instance]]:
    """Return the instances of every branch, which know where they come from."""
    return [
        [branch(number, found) for found in occurrences(inner, history)] for number, inner in enumerate(either.branches)
    ]


def _in_order(pattern: Pattern, history: History) -> list[Instance]:
    return sorted(occurrences(pattern, history), key=lambda found: found.rank)


def _atom(atom: Atom, history: History) -> list[Instance]:
    pairs = zip(history.events, history.records(), strict=True)
    return [
        named(atom.name, record)
        for event, record in pairs
        if is_of(atom, event) and holds(atom.where, history.scope(named(atom.name, record)))
    ]


def _instant(instant: Instant, history: History) -> list[Instance]:
    first = min((event.end for event in history.events), default=None)
    moments = points(instant.schedule, first, history.horizon)
    return [named(instant.name, of_instant(time)) for time in moments]


def _join(join: Join, history: History) -> list[Instance]:
    """Relation and equalities, then candidate conditions, then the choice, then `where`: in this order."""
    pools = [occurrences(part, history) for part in join.parts]
    candidates = [parts for parts in product(*pools) if _is_candidate(join, parts, history)]
    if join.policy.choice is Choice.ALL:
        wholes = [combined(parts) for parts in candidates]
        chosen = [hull for hull in wholes if key_under(join.policy.per, history.scope(hull)) is not None]
    else:
        chosen = [pair.hull for pair in choose(join.policy, _pairs(join, candidates, history), history.tables)]
    return [hull for hull in chosen if holds(join.where, history.scope(hull))]


def _is_candidate(join: Join, parts: tuple[Instance, ...], history: History) -> bool:
    scope = history.scope(combined(parts), **{str(index): part for index, part in enumerate(parts)})
    return stands(join.relation, scope) and agree(join.equal, scope) and holds(join.candidate, scope)


def _pairs(join: Join, candidates: Iterable[tuple[Instance, ...]], history: History) -> list[Pair]:
    keyed = []
    for left, right in candidates:
        scope = history.scope(combined((left, right)))
        key = key_under((*join.policy.per, *(one for one, _ in join.equal)), scope)
        if key is not None:
            keyed.append(pair_of(left, right, key))
    return keyed


def _select(select: Select, history: History) -> list[Instance]:
    below = select.pattern
    found_in = _branches(below, history) if isinstance(below, Either) else [occurrences(below, history)]
    ranked = [
        (key, index, found)
        for index, some in enumerate(found_in)
        for found in some
        if (key := key_under(select.policy.per, history.scope(found))) is not None
    ]
    policy = select.policy
    by_end = groups(ranked, lambda entry: (entry[0], end_of(entry[2], policy)))
    return [latest_start([(index, found) for _, index, found in group], policy) for group in by_end]


def _restrict(restrict: Restrict, history: History) -> list[Instance]:
    def stays(found: Instance) -> bool:
        scope = history.scope(found, pattern=found)
        return stands(restrict.relation, scope) and holds(restrict.where, scope)

    return [found for found in occurrences(restrict.pattern, history) if stays(found)]


def _unless(unless: Unless, history: History) -> list[Instance]:
    absent = occurrences(unless.absent, history)

    def blocks(found: Instance, other: Instance) -> bool:
        scope = history.scope(combined((found, other)), pattern=found, absent=other)
        return stands(unless.relation, scope) and agree(unless.equal, scope) and holds(unless.where, scope)

    present = occurrences(unless.pattern, history)
    return [found for found in present if not any(blocks(found, other) for other in absent)]


def _collect(collect: Collect, history: History) -> list[Instance]:
    items = _in_order(collect.item, history)

    def counts(anchor: Instance, item: Instance) -> bool:
        scope = history.scope(combined((anchor, item)), anchor=anchor, item=item)
        return stands(collect.relation, scope) and agree(collect.equal, scope) and holds(collect.where, scope)

    return [
        collected(collect, anchor, [item for item in items if counts(anchor, item)], history)
        for anchor in occurrences(collect.anchor, history)
    ]


def collected(collect: Collect, anchor: Instance, items: list[Instance], history: History) -> Instance:
    """Return an anchor with its items, which come in order, bound to the name of the collection."""
    folds = folded(collect.folds, [combined((anchor, item)) for item in items], anchor, history)
    group = combined(items or [anchor]).changed(parts={}, variables={}, fields=folds)
    return anchor.changed(
        identity=(anchor.identity, tuple(item.identity for item in items)),
        rests_on=anchor.rests_on | frozenset().union(*(item.rests_on for item in items)),
        parts={**anchor.parts, collect.name: group},
    )


def _distinct(distinct: Distinct, history: History) -> list[Instance]:
    def identity(found: Instance) -> object:
        if distinct.by is None:
            return (found.start, found.end, found.rests_on)
        scope = history.scope(found)
        return tuple(values.key_of(evaluate(expression, scope)) for expression in distinct.by)

    return [group[0] for group in groups(_in_order(distinct.pattern, history), identity)]
