"""Which of two runs the rules of a detector: what takes events directly, or the interpreter, which can do everything.

Both have the same state in different forms. An event that comes in order is taken directly. Whoever wants to look into
operators, or to do what only the interpreter can, has the state handed over first; after some events it is handed back.
"""

from collections.abc import Sequence

from cepheid.analysis import Plan
from cepheid.engine.clock.settled import Settled
from cepheid.engine.direct import DirectGear, Uncounted, direct_gear, is_counted
from cepheid.engine.interpreter.rule_runner import RuleRunner
from cepheid.engine.interpreter.sharing import completed
from cepheid.events import Event

WORTH = 8
"""To hand over so many partial matches takes about as long as to have one event interpreted."""


class Gears:
    """The runners of the interpreter and what may stand in for them; `direct` is None while the interpreter has it."""

    def __init__(self, direct: DirectGear, runners: Sequence[RuleRunner]) -> None:
        self.direct: DirectGear | None = direct
        self._model, self._runners, self._stays = direct, runners, 0
        self._no_way_back = False

    def for_event(self, event: Event, frontier: int) -> DirectGear | None:
        """Return what takes an event directly, None where the interpreter must; so far the input has come before it."""
        if self.direct is not None and is_counted(event):
            return self.direct
        # An event without a number may stay in the state, where what takes events directly could not place it.
        self._no_way_back = self._no_way_back or not is_counted(event)
        if self._stays > 0 or self._no_way_back:
            self._stays -= 1
            return None
        try:
            states = completed([runner.state() for runner in self._runners], self._model.plan)
            self.direct = self._model.restored(states, frontier)
        except Uncounted:
            self._no_way_back = True
            return None
        for runner in self._runners:
            runner.clear()
        return self.direct

    @property
    def for_held(self) -> DirectGear | None:
        """What takes events directly that waited for their order; None where numbers do not say what that is."""
        return None if self._no_way_back else self.direct

    def hand_over(self, settled: Settled) -> bool:
        """Let the interpreter have the state, and say whether it had it not before."""
        if self.direct is None:
            return False
        settled.derived.update(dict.fromkeys(settled.derived, min(settled.sources.values())))
        for runner, state in zip(self._runners, self.direct.states(), strict=True):
            runner.restore(state, settled)
        self.direct = None
        self._stays = sum(sum(runner.entries()) for runner in self._runners) // WORTH
        return True


def gears_for(plan: Plan, runners: Sequence[RuleRunner], most: int | None) -> Gears | None:
    """Return the gears for a plan, None where only the interpreter can run it."""
    direct = direct_gear(plan, most)
    return None if direct is None else Gears(direct, runners)
