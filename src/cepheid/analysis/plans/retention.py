"""What a join with a choice, or a chain, may forget although it can still become part of a match.

Of two instances that agree on the key, the choice would never take the worse one where every partner to come that can
take it can also take the better one. That needs a relation that says no more than "after", or under `recent` that both
overlap, with windows that favour what the choice favours, and no condition on candidates.

Of two runs of a chain that nobody can tell apart any more, the one that started last is the match, where the window
lets it go on at least as long.
"""

from collections.abc import Iterable, Mapping

from cepheid.algebra.expressions import Expr, Field, IsBound, Moment
from cepheid.algebra.patterns import Chain, Join
from cepheid.algebra.policies import Choice
from cepheid.algebra.relations import Axis, Difference, Edge, Relation, after
from cepheid.algebra.traversal import named_parts, walk
from cepheid.analysis.closures.sizes import Lengths
from cepheid.analysis.plans.plan import Retention

SEQUENCES = (after("$1", "$0"), after("$1", "$0", Axis.ARRIVAL))


def retention_of(join: Join, *, favours_windows: bool) -> Retention:
    """Return what an operator for this join must keep; `favours_windows`: what it prefers fits where others do."""
    if join.candidate is not None or not keys_are_one_sided(join):
        return Retention.EVERYTHING
    windows = [difference for difference in join.relation if difference not in (*SEQUENCES, *overlapping(join))]
    if not all(is_window(difference) for difference in windows):
        return Retention.EVERYTHING
    if windows and not favours_windows:
        return Retention.EVERYTHING
    if join.policy.choice not in (Choice.LATEST_START, Choice.RECENT):
        return Retention.EVERYTHING
    if any(difference in SEQUENCES for difference in join.relation):
        return Retention.EVERYTHING if overlapping(join) else Retention.QUEUE
    return Retention.BEST if not windows or limits_whole_hull(windows) else Retention.EVERYTHING


def overlapping(join: Join) -> Relation:
    """Return what a relation says of two that overlap: that each ends after the other one starts, and how long each is.

    What ends later under `recent` then fits wherever something fits that ended earlier. It has started before all
    partners to come end, where it must itself be as long as it must have started before that.
    """
    if join.policy.choice is not Choice.RECENT:
        return ()
    long = {one.later.part: one.low or 0 for one in join.relation if _is_length(one)}
    return tuple(one for one in join.relation if _is_length(one) or _is_overlap(one, long))


def _is_length(one: Difference) -> bool:
    """Say whether a difference only says how long an instance is at least."""
    return one.later.part == one.earlier.part and _is_span(one)


def _is_overlap(one: Difference, long: Mapping[str, int]) -> bool:
    """Say whether one part ends so long after the other one starts that this is so of all that are `long` enough."""
    return _is_span(one) and (one.low or 0) <= max(long.get(one.earlier.part, 0), 0)


def _is_span(one: Difference) -> bool:
    """Say whether a difference says how long it is at least from the start of a part to the end of one."""
    if {one.later.axis, one.earlier.axis} != {Axis.TIME} or not {one.later.part, one.earlier.part} <= {"$0", "$1"}:
        return False
    edges = (one.later.edge, one.earlier.edge)
    return edges == (Edge.END, Edge.START) and one.low is not None and one.high is None


def chain_retention(chain: Chain, lengths: Lengths) -> Retention:
    """Return what an operator for this chain must keep of runs that are alike in all that can still be observed."""
    are_points = lengths.chain_record(Axis.TIME) == 0
    favours_later = all(_favours_later(difference, are_points) for difference in chain.window)
    return Retention.LAST if favours_later and not chain.reads_support else Retention.EVERYTHING


def _favours_later(difference: Difference, are_points: bool) -> bool:
    """Say whether a window that has room for a run has room for one whose first record is later in the order."""
    first, last = difference.earlier, difference.later
    in_order = are_points or first.edge is Edge.END or first.axis is Axis.POSITION
    return (last.part, first.part) == ("$last", "$first") and difference.low is None and in_order


def keys_are_one_sided(join: Join) -> bool:
    """Say whether every key expression reads one part only, so that an instance knows its own share of the key."""
    expressions = [*join.policy.per, *(side for pair in join.equal for side in pair)]
    return all(side_of(expression, join) is not None for expression in expressions)


def side_of(expression: Expr, join: Join) -> int | None:
    """Return the part of a join that an expression reads; None if it reads several, or none."""
    read = parts_read((expression,))
    sides = [number for number, part in enumerate(join.parts) if read & set(named_parts(part))]
    known = {name for part in join.parts for name in named_parts(part)}
    return sides[0] if len(sides) == 1 and read <= known else None


def parts_read(expressions: Iterable[Expr]) -> set[str]:
    """Return the names of the parts that some expressions read."""
    read = set()
    for expression in expressions:
        for node in walk(expression):
            match node:
                case Field(part, _):
                    read.add(part)
                case Moment(endpoint):
                    read.add(endpoint.part)
                case IsBound(name):
                    read.add(name)
                case _:
                    pass
    return read


def is_window(difference: Difference) -> bool:
    """Say whether a difference only limits how long the hull is."""
    if {difference.later.axis, difference.earlier.axis} != {Axis.TIME}:
        return False
    edges = (difference.later.edge, difference.earlier.edge)
    hulls = {difference.later.part, difference.earlier.part} <= {"$0", "$1"}
    return hulls and edges == (Edge.END, Edge.START) and difference.low is None and (difference.high or 0) >= 0


def limits_whole_hull(windows: list[Difference]) -> bool:
    """Say whether the windows are those of one limit on the hull of unordered parts: every end from every start."""
    pairs = {(difference.later.part, difference.earlier.part) for difference in windows}
    return len(pairs) == 4 and len({difference.high for difference in windows}) == 1
