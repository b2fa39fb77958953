"""Several matches as one: repetitions of an item, and everything that belongs to an anchor.

    runs = repeat(a, least=3, link=lambda previous, next: next.value > previous.value, values={"n": count()})
    query(runs.where(runs.n > 5))

Aggregates over the items become values of the group.
"""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from cepheid.algebra.builder.absence import Placement, placed
from cepheid.algebra.builder.conditions import Conditions, all_of, distances, equalities, terms
from cepheid.algebra.builder.events import GroupPart
from cepheid.algebra.builder.joins import choice_named
from cepheid.algebra.builder.names import new_name
from cepheid.algebra.builder.patterns import Part, draft_of
from cepheid.algebra.builder.records import Record
from cepheid.algebra.builder.terms import Operand, Term, expression_of
from cepheid.algebra.builder.times import Length, ticks
from cepheid.algebra.builder.windows import run_window
from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Collect, Repeat
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Difference, Relation, end, start

PREVIOUS, NEXT = Record("$previous"), Record("$next")

Neighbours: TypeAlias = Callable[[Record, Record], Term]
Gap: TypeAlias = Length | tuple[Length, Length] | Neighbours


def repeat(
    item: Part,
    *,
    least: int = 1,
    most: int | None = None,
    name: str | None = None,
    gap: Gap | None = None,
    link: Neighbours | None = None,
    within: Length | None = None,
    records: int | None = None,
    choose: str | Choice = Choice.NEXT,
    per: Conditions | None = None,
    values: Mapping[str, Operand] | None = None,
) -> GroupPart:
    """`item`, `least` to `most` times in order, as one part; `values` are aggregates over the items.

    `gap` bounds the time from the end of one item to the start of the next: at most so much, or from one length to
    another. `link` is a condition on neighbours. `next` takes maximal runs, `all` every subsequence.
    """
    own, folds = new_name(name, "run"), _folds(values)
    draft = Repeat(
        own,
        draft_of(item),
        least,
        most,
        () if gap is None else _gap(gap),
        None if link is None else all_of([link(PREVIOUS, NEXT)]),
        run_window(None if within is None else ticks(within), records),
        choice_named(choose),
        tuple(term.expression for term in terms(per)),
        folds,
    )
    return GroupPart(draft, _name=own, _folds=frozenset(folds))


def collect(
    anchor: Part,
    item: Part,
    *,
    relation: Placement = (),
    on: Conditions | None = None,
    where: Conditions | None = None,
    values: Mapping[str, Operand] | None = None,
    name: str | None = None,
) -> GroupPart:
    """The anchor, with `values` aggregated over all items that stand in `relation` to it.

    A function as `relation` is handed the extents of anchor and item.
    """
    own, folds = new_name(name, "group"), _folds(values)
    draft = Collect(
        own,
        draft_of(anchor),
        draft_of(item),
        placed(relation, "$anchor", "$item"),
        equalities(terms(on)),
        all_of(terms(where)),
        folds,
    )
    return GroupPart(draft, _name=own, _folds=frozenset(folds))


def _folds(values: Mapping[str, Operand] | None) -> dict[str, Expr]:
    return {name: expression_of(value) for name, value in (values or {}).items()}


def _gap(gap: Gap) -> Relation:
    if callable(gap):
        return distances([gap(PREVIOUS, NEXT)])
    low, high = gap if isinstance(gap, tuple) else (None, gap)
    shortest = None if low is None else ticks(low)
    return (Difference(start(NEXT._name), end(PREVIOUS._name), shortest, ticks(high)),)
