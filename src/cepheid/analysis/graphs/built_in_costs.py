"""What the built-in operations cost."""

from collections.abc import Sequence

from cepheid.algebra.graphs import operations as op
from cepheid.algebra.graphs.operation import Apply, Operation
from cepheid.algebra.pipes import Resample
from cepheid.analysis.graphs.costs import ANY, EACH, SOME, BodyCost, Cost, Gives, costs

Bodies = Sequence[BodyCost]


def _same(cost: Cost, *kinds: type[Operation]) -> None:
    for kind in kinds:
        costs(kind)(lambda operation, bodies: cost)


_same(Cost(), op.Passthrough, Apply, op.TurnInto, op.Fork, op.Choose, op.Collate)
_same(Cost(EACH, 1), op.Cumulate, op.Freeze, op.Yield)
_same(Cost(SOME), op.Filter, op.Where, op.RunOn)
_same(Cost(ANY), op.Unpack, op.Source)
_same(Cost(Gives(may_drop=True, after=1), 1), op.KeepLast)
_same(
    Cost(SOME, None, "a list goes on until the second input is True", "let something end it, such as `p.window`"),
    op.Pack,
)


@costs(op.Decimate)
def _decimate(operation: op.Decimate, bodies: Bodies) -> Cost:
    return Cost(Gives(Resample(every=operation.step), after=int(operation.last)), 2)


@costs(op.Trim)
def _trim(operation: op.Trim, bodies: Bodies) -> Cost:
    return Cost(Gives(Resample(skip=operation.count)), 1)


@costs(op.Prefix)
def _prefix(operation: op.Prefix, bodies: Bodies) -> Cost:
    return Cost(Gives(Resample(limit=operation.count)), 1)


@costs(op.Stutter)
def _stutter(operation: op.Stutter, bodies: Bodies) -> Cost:
    return Cost(Gives(Resample(copies=operation.count)))


@costs(op.Insert)
def _insert(operation: op.Insert, bodies: Bodies) -> Cost:
    return Cost(Gives(before=operation.count), 1)


@costs(op.Successive)
def _successive(operation: op.Successive, bodies: Bodies) -> Cost:
    return Cost(Gives(Resample(skip=operation.size - 1)), operation.size - 1)


@costs(op.Window)
def _window(operation: op.Window, bodies: Bodies) -> Cost:
    is_sure = bodies[0].gives_at(operation.size) >= operation.size
    return Cost(Gives(Resample(skip=operation.size - 1), may_drop=not is_sure), operation.size)


@costs(op.TimeWindow)
def _time_window(operation: op.TimeWindow, bodies: Bodies) -> Cost:
    is_sure = bodies[0].gives_at(1) >= 1
    why, hint = "any number of values may come in a length of time", 'declare how many do: `rates="100/s"`'
    return Cost(EACH if is_sure else SOME, None, why, hint)


@costs(op.Slice)
def _slice(operation: op.Slice, bodies: Bodies) -> Cost:
    return Cost(EACH, 0, "there is a slice for every key, and nobody says how many there are", "", per_key=1)


@costs(op.UserProcessor)
def _user(operation: op.UserProcessor, bodies: Bodies) -> Cost:
    why = f"`{operation.name}` does not say how much it keeps"
    return Cost(ANY, operation.keeps, why, "write `@p.processor(keeps=10)`")
