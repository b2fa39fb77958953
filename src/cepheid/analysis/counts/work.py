"""What one event costs: how many entries it is compared with, and one for itself.

An instance that waits is paid for by the event that brought it, so where many become certain together the cost is the
average over them.
"""

from dataclasses import dataclass

from cepheid.algebra.patterns import Repeat
from cepheid.algebra.policies import Choice
from cepheid.analysis.bounds.bound_algebra import NOTHING, ONE, product, total
from cepheid.analysis.bounds.bounds import Bound, Product, Sum
from cepheid.analysis.counts.state import OperatorState
from cepheid.analysis.plans.plan import Kind

_MULTIPLIED_OUT = 12
"""Joins of more parts say their work as `a(1 + b(1 + c))`: multiplied out, a hundred parts have a million factors."""


def work_per_event(states: list[OperatorState]) -> Bound:
    """Return the most comparisons that one event of the rule's stream needs, given what its operators hold."""
    return total(_Work(states).total(), ONE)


@dataclass(frozen=True, slots=True)
class _Work:
    states: list[OperatorState]

    def total(self) -> Bound:
        return total(*(self._compared(state) for state in self.states))

    def _compared(self, state: OperatorState) -> Bound:
        """Return how many entries all that one event brings to an operator is compared with."""
        inputs = state.operator.inputs
        if state.operator.kind is Kind.JOIN:
            return total(
                *(product(self._fresh(number), self._looked_at(state, side)) for side, number in enumerate(inputs))
            )
        if state.operator.kind is Kind.CHAIN:
            return total(*(held.bound if held.runs is None else held.runs.reached for held in state.held))
        brought = total(*(self._fresh(number) for number in inputs)) if inputs else ONE
        if state.operator.kind is Kind.SUPPRESS:
            return brought  # each with the last of its key
        return product(brought, state.instances)

    def _looked_at(self, state: OperatorState, side: int) -> Bound:
        """Return how many combinations are looked at for one new instance of a join: one part after the other."""
        others = [held.bound for number, held in enumerate(state.held) if number != side]
        if len(others) > _MULTIPLIED_OUT:
            return _nested(others)
        return total(*(product(*others[: count + 1]) for count in range(len(others))))

    def _fresh(self, number: int) -> Bound:
        """Return how many new instances of an operator one event makes."""
        state = self.states[number]
        inputs = [self._fresh(below) for below in state.operator.inputs]
        match state.operator.kind:
            case Kind.SCAN | Kind.POINTS:
                return ONE
            case Kind.CHAIN:
                return total(state.instances, ONE)
            case Kind.JOIN:
                bounds = [held.bound for held in state.held]
                return total(
                    *(
                        product(fresh, *(bound for other, bound in enumerate(bounds) if other != side))
                        for side, fresh in enumerate(inputs)
                    )
                )
            case Kind.RUNS if (
                isinstance(state.operator.pattern, Repeat) and state.operator.pattern.choice is Choice.ALL
            ):
                return product(inputs[0], total(state.instances, ONE))
            case Kind.ABSENCE | Kind.GATHER:
                return inputs[0]
            case _:
                return total(*inputs)


def _nested(bounds: list[Bound]) -> Bound:
    rest: Bound = NOTHING
    for bound in reversed(bounds):
        rest = Product((bound, Sum((ONE, rest))))
    return rest
