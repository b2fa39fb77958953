"""What a repetition means: runs of items in order, and the folds over them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from cepheid.algebra.choices import groups, key_under
from cepheid.algebra.evaluation import Scope, evaluate, holds, stands
from cepheid.algebra.expressions import Expr
from cepheid.algebra.history import History
from cepheid.algebra.instances import Instance, hull
from cepheid.algebra.patterns import Repeat
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Relation
from cepheid.events import Value


def folded(
    folds: Mapping[str, Expr], items: Sequence[Instance], around: Instance | None, history: History
) -> dict[str, Value]:
    """Return the value of every fold over `items`; what is `around` them can be read as well."""
    scopes = [history.scope(item) for item in items]
    outer = history.scope(around) if around else Scope(tables=history.tables)
    return {name: evaluate(fold, replace(outer, items=scopes)) for name, fold in folds.items()}


def repeated(repeat: Repeat, items: Sequence[Instance], history: History) -> list[Instance]:
    """Return every instance of a repetition of `items`, which come in order."""
    keyed = [(key, item) for item in items if (key := key_under(repeat.per, history.scope(item))) is not None]
    runs = _subsequences if repeat.choice is Choice.ALL else _greedy_runs
    return [
        group_of(repeat, run, history)
        for group in groups(keyed, lambda entry: entry[0])
        for run in runs(repeat, [item for _, item in group], history)
        if is_whole(repeat, run)
    ]


def is_whole(repeat: Repeat, run: Sequence[Instance]) -> bool:
    """Is `run` long enough, and do its first and last item stand in the window?"""
    return len(run) >= repeat.least and stands(repeat.window, Scope({"$first": run[0], "$last": run[-1]}))


def takes(repeat: Repeat, run: Sequence[Instance], item: Instance, history: History) -> bool:
    """Can `item` be the next of `run`?"""
    if repeat.most is not None and len(run) >= repeat.most:
        return False
    between = Scope({"$previous": _bare(run[-1]), "$next": _bare(item)}, tables=history.tables)
    across = Scope({"$first": run[0], "$last": item})
    return stands(repeat.gap, between) and holds(repeat.link, between) and stands(_reach(repeat), across)


def _reach(repeat: Repeat) -> Relation:
    """Return how far a run may grow; how long it must become is asked of the whole run only."""
    return tuple(
        replace(bound, low=None) if bound.later.part == "$last" else replace(bound, high=None)
        for bound in repeat.window
        if bound.later.part != bound.earlier.part
    )


def _bare(item: Instance) -> Instance:
    """Return `item` so that its fields can be read under a special name: those of its only part, if it is one event."""
    return next(iter(item.parts.values())) if len(item.parts) == 1 else item


def _subsequences(repeat: Repeat, items: Sequence[Instance], history: History) -> Iterator[list[Instance]]:
    open_runs: list[list[Instance]] = []
    for item in items:
        grown = [[*run, item] for run in open_runs if takes(repeat, run, item, history)]
        open_runs += [*grown, [item]]
    yield from open_runs


def _greedy_runs(repeat: Repeat, items: Sequence[Instance], history: History) -> Iterator[list[Instance]]:
    runs: list[list[Instance]] = []
    for item in items:
        takers = [run for run in runs if takes(repeat, run, item, history)]
        for run in takers:
            run.append(item)
        if not takers:
            runs.append([item])
    yield from runs


def group_of(repeat: Repeat, run: Sequence[Instance], history: History) -> Instance:
    """Return a run as one instance, with its folds bound to the name of the repetition."""
    whole = hull(run, {}, {}, ())
    group = whole.changed(fields=folded(repeat.folds, run, None, history))
    return whole.changed(parts={repeat.name: group})
