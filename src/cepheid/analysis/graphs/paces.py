"""How many values run along each wire of a graph, as far as that can be told from what flows into it.

A wire counts by its bases: inputs, sources, and outputs of what gives nobody knows how many. Two inputs of a front keep
pace where they count by the same base.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from cepheid.algebra.graphs.layout import INPUT, Graph, Wire
from cepheid.algebra.graphs.operations import Source
from cepheid.analysis.bounds.tallies import EACH, NONE, Tally, most_ahead, resampled, shortened, slowest
from cepheid.analysis.graphs.costs import Cost, Gives

_LONGEST_TABLE: Final = 4096


@dataclass(frozen=True, slots=True)
class Pace:
    """At least and at most so many values, by the number of values of something else."""

    low: Tally
    high: Tally


@dataclass(frozen=True, slots=True)
class Flow:
    """The number of values of a wire: its paces, and how many there are in all, if that is limited.

    What comes from endless sources alone is read when somebody waits for it.
    """

    paces: Mapping[Wire, Pace]
    most: int | None = None
    is_on_demand: bool = False


ITSELF: Final = Pace(EACH, EACH)


def flows_of(graph: Graph, costs: Sequence[Cost]) -> dict[Wire, Flow]:
    """Return what is known about the number of values of every wire."""
    flows = {Wire(INPUT, place): Flow({Wire(INPUT, place): ITSELF}) for place in range(graph.inputs)}
    for place, (node, cost) in enumerate(zip(graph.nodes, costs, strict=True)):
        wires = [Wire(place, output) for output in range(node.operation.outputs)]
        front = _front([flows[wire] for wire in dict.fromkeys(node.inputs)])
        flow = _given(front, cost.gives) if node.inputs else Flow({})
        if wires and (not node.inputs or cost.gives.may_drop or not cost.gives.known):
            # What nobody can tell is counted by itself; several outputs of one node keep pace with the first.
            flow = replace(flow, paces={**flow.paces, wires[0]: ITSELF})
        endless = isinstance(node.operation, Source) and node.operation.is_endless
        waits = all(flows[wire].is_on_demand for wire in node.inputs) if node.inputs else endless
        flows |= dict.fromkeys(wires, replace(flow, is_on_demand=waits))
    return flows


def ahead_of(one: Flow, other: Flow) -> int | None:
    """Return how many values one can be ahead of another at most; None where nothing is known that limits it."""
    common = [base for base in one.paces if base in other.paces]
    known = [most_ahead(one.paces[base].high, other.paces[base].low) for base in common]
    limits = [ahead for ahead in (*known, one.most) if ahead is not None]
    return min(limits, default=None)


def on_demand(flow: Flow) -> int | None:
    """Return how many values wait at most on a wire that is read on demand: what one value more makes at once."""
    bursts = [most_ahead(_one_later(pace.high), pace.low) for pace in flow.paces.values()]
    return min((burst for burst in bursts if burst is not None), default=None)


def per_input(flow: Flow) -> int | None:
    """Return how many values of a wire one value of an input makes at most; None where nobody knows."""
    gains = [-(-one.high.gain // one.high.period) for base, one in flow.paces.items() if base.node == INPUT]
    return min(gains, default=None)


def _one_later(tally: Tally) -> Tally:
    return Tally(lambda count: tally.at(count + 1), tally.begin, tally.period, tally.gain)


def _front(inputs: Sequence[Flow]) -> Flow:
    """Return the number of fronts: as many as the slowest input has values."""
    if not inputs:
        return Flow({})
    if len(inputs) == 1:
        return inputs[0]
    paces = {}
    for base in dict.fromkeys(base for one in inputs for base in one.paces):
        known = [one.paces[base] for one in inputs if base in one.paces]
        low = _least([pace.low for pace in known]) if len(known) == len(inputs) else NONE
        paces[base] = Pace(low, _least([pace.high for pace in known]))
    return Flow(paces, min((one.most for one in inputs if one.most is not None), default=None))


def _least(tallies: list[Tally]) -> Tally:
    different = list({id(tally): tally for tally in tallies}.values())
    return different[0] if len(different) == 1 else tabled(slowest(different))


def _given(front: Flow, gives: Gives) -> Flow:
    if not gives.known:
        return Flow({})
    if gives == Gives():
        return front
    most = None if front.most is None else _high(EACH, gives).at(front.most)
    if gives.left.limit is not None:
        limit = gives.left.limit * gives.left.copies + gives.before + gives.after
        most = limit if most is None else min(most, limit)
    return Flow({base: Pace(_low(one.low, gives), _high(one.high, gives)) for base, one in front.paces.items()}, most)


def _low(tally: Tally, gives: Gives) -> Tally:
    if gives.may_drop:
        return NONE
    left = resampled(shortened(tally, gives.late) if gives.late else tally, gives.left)
    return tabled(_begun(left, gives.before)) if gives.before else tabled(left)


def _high(tally: Tally, gives: Gives) -> Tally:
    left = resampled(tally, gives.left)
    more = gives.before + gives.after
    return tabled(Tally(lambda count: left.at(count) + more, left.begin, left.period, left.gain) if more else left)


def _begun(tally: Tally, before: int) -> Tally:
    return Tally(
        lambda count: tally.at(count) + before if tally.at(count) else 0, tally.reaches(1), tally.period, tally.gain
    )


def tabled(tally: Tally) -> Tally:
    """Return the same tally with its values written down, so that one made of many is asked in one step."""
    last = tally.begin + tally.period
    if last > _LONGEST_TABLE:
        return tally
    return Tally(
        partial(_looked_up, tuple(map(tally.at, range(last + 1))), tally.period, tally.gain),
        tally.begin,
        tally.period,
        tally.gain,
    )


def _looked_up(values: tuple[int, ...], period: int, gain: int, count: int) -> int:
    if count < len(values):
        return values[count]
    rounds = -(-(count - len(values) + 1) // period)
    return values[count - rounds * period] + rounds * gain
