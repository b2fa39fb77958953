"""Rules that feed each other: their turn is over when nothing new comes, instant after instant.

What they will still emit ends no earlier than what is still to come from outside the cycle, and than what they
hold back. That is the frontier of their own types. It moves only when all that lies before it has been told.
"""

from collections.abc import Sequence

from cepheid.engine.rule_runner import RuleRunner, Told
from cepheid.engine.settled import Settled
from cepheid.engine.turn import Record
from cepheid.events import MAX_TIME, MIN_TIME


class Cycle:
    """The rules of one group; `beside` are rules outside it that emit the same types."""

    def __init__(self, group: Sequence[RuleRunner], runners: Sequence[RuleRunner]) -> None:
        self.group = group
        self.own = frozenset(runner.rule.emits for runner in group)
        self.beside = [each for each in runners if each.rule.emits in self.own and each not in group]
        # What is dated back may be dated back again by every turn of the cycle, so it can lie anywhere.
        self.dates_back = any(runner.plan.trails is None or runner.plan.trails > 0 for runner in group)

    def turn(self, records: list[Record], settled: Settled) -> list[Told]:
        """Return the matches that are new and certain, and add the events they are to the records."""
        outside = self._outside(settled)
        every: list[Told] = []
        news = list(records)
        while True:
            told = [(runner, one) for runner in self.group for one in runner.turn(news, settled, outside)]
            news = [runner.record(one) for runner, one in told]
            records += news
            every += [one for _, one in told]
            if not news and not self._moves(settled, outside):
                return every

    def _outside(self, settled: Settled) -> int:
        """Return how far all is settled that can set the cycle going."""
        read = [
            settled.least(None if runner.sees_all else runner.types - self.own, runner.derived - self.own)
            for runner in self.group
        ]
        emitted = [each.emitted_frontier() for each in self.beside]
        return min([*read, *emitted, *(settled.given(name) for name in self.own)])

    def _moves(self, settled: Settled, outside: int) -> bool:
        """Move the frontier of the cycle's own types as far as it goes, and say whether it did move."""
        old = min(settled.derived[name] for name in self.own)
        new = min([outside, *(runner.held_back() for runner in self.group)])
        if self.dates_back and outside < MAX_TIME:
            new = MIN_TIME
        if outside == MAX_TIME and new <= old:
            # At the end of the input, what waits for itself waits in vain.
            new = MAX_TIME
        settled.derived.update(dict.fromkeys(self.own, max(old, new)))
        return new > old
