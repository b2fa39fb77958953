"""After a match: matches wait until all that began before them are there, and then count one after the other."""

from collections.abc import Hashable, Sequence

from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Skip
from cepheid.algebra.skipping import Resumption, counted, first_record, turn_of
from cepheid.analysis.plans.plan import Operator
from cepheid.engine.clock.certainty import not_before, past_at
from cepheid.engine.clock.turn import Turn
from cepheid.engine.operators.interpreter import Interpreter, News
from cepheid.engine.state.deadlines import FOREVER, Deadline, deadline, is_past
from cepheid.engine.state.store import HoldingStore


class Skipping(Interpreter):
    """Matches that wait for their turn, and from where on the next ones count."""

    def __init__(self, operator: Operator) -> None:
        super().__init__(operator)
        assert isinstance(operator.pattern, Skip)
        self.skip, self.reach = operator.pattern, operator.reach[0, 0]
        self.waiting = HoldingStore(0)
        self.resumptions: dict[Hashable, Resumption] = {}

    def turn(self, news: News, inputs: Sequence[Interpreter], turn: Turn) -> list[Instance]:
        [below] = inputs
        for instance in news[0]:
            self.waiting.add(instance, deadline(self.reach, instance))
        ready = self._ready(below)
        certain = self._certainties(ready, below, turn)
        found = counted(self.skip, ready, turn.tables, self.resumptions)
        self._forget(below)
        self.frontier = self.held([below.frontier])
        self.place = min(below.place, self.waiting.first_place())
        return [one.certain_at(not_before(one.known, certain[id(one)])) for one in found]

    def _ready(self, below: Interpreter) -> list[Instance]:
        """Return in their turn the matches before which nothing can begin any more that is still to come."""
        if below.frontier == FOREVER:
            ready, self.waiting = list(self.waiting), HoldingStore(0)
            return sorted(ready, key=turn_of)
        ready = self.waiting.expire(below.frontier, below.place)
        last = max(map(first_record, ready), default=None)
        if last is not None:
            # Records that last may be ready before others that began earlier, which are all there then.
            earlier = [(number, one) for number, one in self.waiting.numbered() if first_record(one) < last]
            for number, _ in earlier:
                self.waiting.remove(number)
            ready += [one for _, one in earlier]
        return sorted(ready, key=turn_of)

    def _certainties(self, ready: Sequence[Instance], below: Interpreter, turn: Turn) -> dict[int, int | None]:
        """Return when each is certain: when all is there that began before it, or before one that began later."""
        found: dict[int, int | None] = {}
        least: int | None = None
        for one in reversed(ready):
            own = past_at(deadline(self.reach, one), below.operator.lag, turn)
            least = own if least is None else least if own is None else min(own, least)
            found[id(one)] = least
        return found

    def _forget(self, below: Interpreter) -> None:
        """Evict what no match to come can begin before."""
        over = [key for key, one in self.resumptions.items() if is_past(self._over(one), below.frontier, below.place)]
        for key in over:
            del self.resumptions[key]

    def _over(self, one: Resumption) -> Deadline:
        """Return after which end, in time or in records, a match began too late to be skipped."""
        longest, records = self.reach.ends, self.reach.records
        time = FOREVER if longest is None or one.place > one.high + 1 else one.end + longest
        return time, FOREVER if records is None else one.place - 1 + records

    def entries(self) -> int:
        return len(self.waiting) + len(self.resumptions)

    def held(self, below: Sequence[int], *, buffered: bool = True) -> int:
        return min(below[0], self.waiting.first_end())

    def wake(self) -> int:
        return min([self.waiting.next_time(), *(self._over(one)[0] for one in self.resumptions.values())])

    def state(self) -> object:
        going_on = [(key, one.place, one.end, one.high) for key, one in self.resumptions.items()]
        return [list(self.waiting), going_on]

    def restore(self, state: object, turn: Turn) -> None:
        assert isinstance(state, list)
        for instance in state[0]:
            self.waiting.add(instance, deadline(self.reach, instance))
        self.resumptions = {key: Resumption(*rest) for key, *rest in state[1]}
