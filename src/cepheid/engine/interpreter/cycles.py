"""Rules that feed each other: their turn is over when nothing new comes, instant after instant.

What they will still emit ends no earlier than what is still to come from outside the cycle, and than what they
hold back. That is the frontier of their own types. It moves only when all that lies before it has been told.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cepheid.engine.clock.settled import Settled
from cepheid.engine.clock.turn import Record, Round
from cepheid.engine.interpreter.rule_runner import RuleRunner, Told
from cepheid.events import MAX_TIME, MIN_TIME


class Cycle:
    """The rules of one group; `beside` are rules outside it that emit the same types.

    `fed` are the frontiers of types that come from other stages, as far as those are.
    """

    def __init__(self, group: Sequence[RuleRunner], runners: Sequence[RuleRunner], fed: Mapping[str, int]) -> None:
        self.group, self.fed = group, fed
        self.own = frozenset(runner.rule.emits for runner in group)
        self.beside = [each for each in runners if each.rule.emits in self.own and each not in group]
        for runner in group:
            runner.in_cycle = True
        # What is dated back may be dated back again by every turn of the cycle, so it can lie anywhere.
        self.dates_back = any(runner.plan.trails is None or runner.plan.trails > 0 for runner in group)

    def turn(self, records: list[Record], settled: Settled) -> list[Told]:
        """Return the matches that are new and certain, and add the events they are to the records."""
        now = Round(self._outside(settled))
        every: list[Told] = []
        news = list(records)
        while True:
            told = [(runner, one) for runner in self.group for one in runner.turn(news, settled, now)]
            news = [runner.record(one) for runner, one in told]
            records += news
            every += [one for _, one in told]
            if not news:
                ripe = self._moved(settled, now)
                if ripe is None:
                    return every
                now = replace(now, ripe=ripe)

    def _outside(self, settled: Settled) -> int:
        """Return how far all is settled that can set the cycle going."""
        read = [
            settled.least(None if runner.sees_all else runner.types - self.own, runner.derived - self.own)
            for runner in self.group
        ]
        emitted = [each.emitted_frontier() for each in self.beside]
        fed = [self.fed.get(name, MAX_TIME) for name in self.own]
        return min([*read, *emitted, *fed, *(settled.given(name) for name in self.own)])

    def _moved(self, settled: Settled, now: Round) -> int | None:
        """Move the frontier of the cycle's own types, and return which instants are ripe; None if nothing moves."""
        old = min(settled.derived[name] for name in self.own)
        new = max(old, self._settled(now.outside))
        waits = min(runner.waiting() for runner in self.group)
        if now.ripe <= new == old < min(now.outside, waits):
            # What waits for nothing but the end of its instant, while all is there from outside, waits for itself.
            return new + 1
        if now.outside == MAX_TIME and new == old:
            new = MAX_TIME
        settled.derived.update(dict.fromkeys(self.own, new))
        return now.ripe if new > old else None

    def _settled(self, outside: int) -> int:
        if self.dates_back:
            return MAX_TIME if outside == MAX_TIME else MIN_TIME
        return min([outside, *(runner.held_back() for runner in self.group)])
