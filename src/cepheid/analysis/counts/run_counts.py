"""Repetitions: how many runs can end in a span, and how many can be open."""

from collections.abc import Callable

from cepheid.algebra.patterns import Atom, Repeat
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Edge
from cepheid.analysis.bounds.bound_algebra import ONE, product, subsets, total
from cepheid.analysis.bounds.bounds import Bound, Unbounded
from cepheid.analysis.bounds.spans import Margin
from cepheid.analysis.bounds.wording import ADD_A_WINDOW, LIMIT_THE_RUN, called
from cepheid.analysis.plans.plan import Operator, Plan

Items = Callable[[Margin], Bound]


def run_results(operator: Operator, items: Items, plan: Plan) -> Bound:
    """Return how many runs end in a span; `items` counts items in it, or from so long before.

    Greedy runs begin with different items. Under `all`, a run is a last item with some of those before it.
    """
    repeat = operator.pattern
    assert isinstance(repeat, Repeat)
    length = extent(operator, items_most=repeat.most)
    if repeat.choice is not Choice.ALL:
        return items(Margin(0, 0)) if takes_everything(repeat, plan) else items(length)
    earlier = None if repeat.most is None else repeat.most - 1
    return product(items(Margin(0, 0)), total(ONE, subsets(items(length), earlier)))


def extent(operator: Operator, items_most: int | None) -> Margin:
    """Return how far the last item of a run of so many items can end after its first."""
    gap, window = operator.reach[0, 0], operator.reach[1, 0]
    return Margin(
        _shorter(window.ends, _times(gap.ends, items_most)),
        _shorter(window.records, _times(gap.records, items_most)),
        endless_run(operator),
    )


def endless_run(operator: Operator) -> Unbounded:
    repeat = operator.pattern
    assert isinstance(repeat, Repeat)
    hint = ADD_A_WINDOW if repeat.choice is Choice.ALL else LIMIT_THE_RUN
    return Unbounded(f"nothing ends the runs of {called(repeat.item)}", repeat.span, hint)


def takes_everything(repeat: Repeat, plan: Plan) -> bool:
    """Say whether an open run always takes the next item of its key, so that there is never a second one.

    Neighbours must be free to be as close as items come: at one instant, or apart where items are never simultaneous.
    """
    if repeat.link is not None or not isinstance(repeat.item, Atom):
        return False
    lows = [one for one in repeat.gap if one.low is not None and one.low > _always(one.later.axis)]
    plain = all(_is_after(one.later.edge, one.earlier.edge, one.low, one.later.axis) for one in lows)
    apart = _never_together(repeat.item, plan)
    points = plan.lengths.of_atom(repeat.item) == 0
    windows = all(one.low is None or one.low <= 0 for one in repeat.window)
    return windows and points and (not lows or (plain and apart))


def _always(axis: Axis) -> int:
    """Return the distance that two items in order have anyway: one is a later record, but perhaps of the same time."""
    return 1 if axis is Axis.POSITION else 0


def _is_after(later: Edge, earlier: Edge, low: int | None, axis: Axis) -> bool:
    return (later, earlier, low, axis) == (Edge.START, Edge.END, 1, Axis.TIME)


def _never_together(atom: Atom, plan: Plan) -> bool:
    """Say whether two events of an atom never share an instant: one type, of which one comes at a time."""
    rates = {stream.name: stream.arrival for stream in plan.program.streams}
    known = [rates.get(name) for name in atom.types]
    derived = {rule.rule.emits for rule in plan.rules}
    return (
        len(known) == 1
        and not atom.types & derived
        and known[0] is not None
        and (known[0].spaced or known[0].count == 1)
    )


def _times(gap: int | None, items: int | None) -> int | None:
    return None if gap is None or items is None else max(gap, 0) * max(items - 1, 0)


def _shorter(one: int | None, other: int | None) -> int | None:
    known = [length for length in (one, other) if length is not None]
    return max(min(known), 0) if known else None
