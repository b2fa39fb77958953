"""The operators of one rule at work on one key: a turn goes through them once, children first."""

from collections.abc import Sequence
from dataclasses import replace

from cepheid.algebra.instances import Instance
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.turn import Turn
from cepheid.engine.interpreter.sharing import Shares
from cepheid.engine.limits.too_many import TooManyMatches, most_on_the_way
from cepheid.engine.operators import Interpreter, interpreter_of
from cepheid.engine.state.deadlines import FOREVER


class Machine:
    """Interpreters in the order of the plan, and the number of records they have seen."""

    def __init__(self, operators: Sequence[Operator], records: int = 0) -> None:
        self.interpreters: list[Interpreter] = [interpreter_of(operator) for operator in operators]
        self.inputs = [[self.interpreters[number] for number in operator.inputs] for operator in operators]
        self.keeping = [each for each in self.interpreters if each.keeps]
        self.records = records
        self.sizes = [0] * (len(operators) + 1)

    def turn(self, turn: Turn, shares: Shares | None = None) -> list[Instance]:
        """Return the instances of the whole pattern that are new and certain; `shares` are with other rules."""
        if shares is not None:
            return self._shared_turn(turn, shares)
        outputs: list[list[Instance]] = []
        inner = turn if turn.most is None else replace(turn, most=most_on_the_way(turn.most))
        for each, inputs in zip(self.interpreters, self.inputs, strict=True):
            its = turn if each is self.interpreters[-1] else inner
            outputs.append(each.turn([outputs[number] for number in each.operator.inputs], inputs, its))
            if turn.most is not None and inner.most is not None and len(outputs[-1]) > inner.most:
                raise TooManyMatches(turn.most, partial=inner.most)
        return outputs[-1]

    def _shared_turn(self, turn: Turn, shares: Shares) -> list[Instance]:
        """Take a turn in which some operators only move their frontiers, because another rule finds what they would."""
        outputs: list[list[Instance]] = []
        turn = replace(turn, most=None)
        quiet = replace(turn, records=())
        for number, each in enumerate(self.interpreters):
            inputs = [self.interpreters[one] for one in each.operator.inputs]
            if number in shares.idle:
                each.turn([()] * len(inputs), inputs, quiet)
                outputs.append(shares.take(number))
            else:
                outputs.append(each.turn([outputs[one] for one in each.operator.inputs], inputs, turn))
            shares.give(number, outputs[-1])
        return outputs[-1]

    def held(self, *, buffered: bool = True) -> int:
        """Return the least end of what will still be given although nothing new comes."""
        held: list[int] = []
        for each in self.interpreters:
            held.append(each.held([held[number] for number in each.operator.inputs], buffered=buffered))
        return held[-1]

    def wake(self) -> int:
        """Return the greatest frontier at which a turn without news changes nothing."""
        return min([each.wake() for each in self.keeping], default=FOREVER)

    def grown(self) -> list[int]:
        """Return how much more each operator holds than when last asked, and at the end how much more is buffered."""
        before = self.sizes
        buffered = sum([each.buffered() for each in self.keeping])
        self.sizes = [*(each.entries() for each in self.interpreters), buffered]
        return [now - then for now, then in zip(self.sizes, before, strict=True)]

    @property
    def idle(self) -> bool:
        """Does nothing wait here? Then it need not be kept."""
        return all(each.idle for each in self.keeping)

    def state(self) -> object:
        return [self.records, [each.state() for each in self.interpreters]]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        self.records, states = state
        for each, its in zip(self.interpreters, states, strict=True):
            each.restore(its, turn)
