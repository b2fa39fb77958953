"""A detector that begins in the interpreter and goes on in kernels: these are compiled meanwhile, and then catch up.

What kernels find while they catch up was told before. Where one of the two is a little ahead of the other, each match
is still told once.
"""

from collections import Counter
from collections.abc import Sequence

from cepheid.algebra.matches import Match
from cepheid.analysis import Plan
from cepheid.engine.clock.output_order import in_output_order
from cepheid.engine.clock.settled import ANYWHERE
from cepheid.engine.detectors.catching_up import CatchingUp, Step
from cepheid.engine.detectors.detector import Detector
from cepheid.engine.detectors.tiered_detector import Given, TieredDetector
from cepheid.engine.detectors.tiers import Engine, tiers_of
from cepheid.engine.limits.premises import Premises
from cepheid.engine.watching.promises import Usage
from cepheid.events import Event

WORTH, MOST_BEHIND, PORTION = 2_000, 200_000, 256
"""How many events make compiling worth it, how many may wait for kernels, and how many come between looks at these."""


class WarmingDetector:
    """A plan at work; what it is told and what it tells is as `Detector` has it. `current` is what runs it now."""

    def __init__(self, plan: Plan, given: Given) -> None:
        self.plan = plan
        self.current: Detector | TieredDetector = given.interpreted(plan, None)
        self.kernels = CatchingUp(lambda: given.tiered(plan, Engine.AUTO))
        self._events = 0
        self._told: Counter[str] = Counter()  # by the interpreter, and not yet found by kernels

    @property
    def late(self) -> list[Event]:
        """The events that came too late, the caller's to empty."""
        return self.current.late

    @property
    def duplicates(self) -> list[Event]:
        """The events that came again, the caller's to empty."""
        return self.current.duplicates

    @property
    def premises(self) -> Premises:
        """What was declared about the input, and how far it holds."""
        return self.current.premises

    def clock(self, source: str = ANYWHERE) -> int:
        """Return how far a source has come: every event still to come from it ends there or later."""
        return self.current.clock(source)

    def latest(self, source: str = ANYWHERE) -> int:
        """Return the greatest end that a source has brought."""
        return self.current.latest(source)

    def usage(self) -> tuple[Usage, ...]:
        """Return what is held now, beside what was promised."""
        return self.current.usage()

    def push(self, event: Event, source: str = ANYWHERE) -> list[Match]:
        """Take in an event and return the matches that are certain now."""
        return self.push_all((event,), source)

    def push_all(self, events: Sequence[Event], source: str = ANYWHERE) -> list[Match]:
        """Take in events of a source and return the matches that are certain now."""
        found, rest = [], events
        while rest:
            found += self._moved_on()
            if isinstance(self.current, TieredDetector):
                found += self._not_told(self.current.push_all(rest, source))
                break
            found += self._interpreted(self.current, rest[:PORTION], source)
            rest = rest[PORTION:]
        return in_output_order(found, self.plan)

    def advance(self, time: int, source: str = ANYWHERE) -> list[Match]:
        """Promise that every event still to come ends at `time` or later; return what becomes certain by that."""
        found = [*self._moved_on(), *self._not_told(self.current.advance(time, source))]
        if isinstance(self.current, Detector):
            self._note(found, lambda kernels: kernels.advance(time, source))
        return in_output_order(found, self.plan)

    def close(self) -> list[Match]:
        """End the input: nothing will come any more, so everything that waits is decided."""
        found = self._moved_on()
        self.kernels.give_up()
        return in_output_order([*found, *self._not_told(self.current.close())], self.plan)

    def _interpreted(self, detector: Detector, events: Sequence[Event], source: str) -> list[Match]:
        found = [match for event in events for match in detector.push(event, source)]
        self._events += len(events)
        self._note(found, lambda kernels: kernels.push_all(events, source))
        return found

    def _note(self, found: list[Match], step: Step) -> None:
        """Note what the interpreter has done, and let kernels be compiled when it is worth it."""
        if self.kernels.over:
            return
        self._told.update(match.id for match in found)
        self.kernels.add(step)
        if self._events >= MOST_BEHIND:
            self.kernels.wait()
        elif self._events >= WORTH and not self.kernels.began:
            self.kernels.begin()

    def _moved_on(self) -> list[Match]:
        """Go on in kernels once these have caught up, and return what they found and the interpreter did not."""
        done = self.kernels.done()
        if done is None:
            return []
        kernels, found = done
        kernels.late[:], kernels.duplicates[:] = self.current.late, self.current.duplicates
        self.current = kernels
        return self._not_told(found)

    def _not_told(self, found: list[Match]) -> list[Match]:
        """Return matches without those that the interpreter has told; each of these is found once more."""
        if isinstance(self.current, Detector) or not self._told:
            return found
        kept = []
        for match in found:
            if match.id in self._told:
                self._told -= Counter((match.id,))
            else:
                kept.append(match)
        return kept


def detector_for(
    plan: Plan, engine: Engine, given: Given, *, meanwhile: bool
) -> Detector | TieredDetector | WarmingDetector:
    """Return a detector for an engine; `meanwhile`: the interpreter does the work until there are kernels."""
    if engine is Engine.INTERPRETER or (engine is Engine.AUTO and all(one.shape is None for one in tiers_of(plan))):
        return given.interpreted(plan, None)
    return WarmingDetector(plan, given) if meanwhile and engine is Engine.AUTO else given.tiered(plan, engine)
