"""The steps of a chain: what asks for their records, what sets their variables, and which types concern which."""

from collections import Counter
from collections.abc import Callable, Mapping

from cepheid.algebra.patterns import Chain
from cepheid.algebra.programs import Table
from cepheid.analysis.plans.step_limits import says_until_when
from cepheid.engine.direct.record_reading import Lets, reader, reads_fields
from cepheid.engine.direct.waiting_runs import Ask, WaitingRuns
from cepheid.events import Value

Looks = tuple[list[tuple[WaitingRuns, bool, bool]], bool]
"""The runs that a record of a type may concern: may it take them on, and end them; and whether it may begin one."""
Observable = Callable[[str, str, Mapping[str, Value]], tuple[str, ...]]


class ChainSteps:
    """What is made once of every step, and the places where runs wait between two of them."""

    def __init__(self, chain: Chain, tables: Mapping[str, Table], observable: Observable) -> None:
        self.chain, self._observable = chain, observable
        steps = chain.steps
        asks = {name: Ask(step.lead, tables) for name, step in steps.items()}
        avoids = {name: None if step.avoid is None else Ask(step.avoid, tables) for name, step in steps.items()}
        self.first = asks[chain.first]
        self.leads = {name: (step.lead.name,) for name, step in steps.items()}
        self.lets: dict[str, Lets] = {
            name: [(let, reader(value, step.lead.name, tables)) for let, value in step.lets.items()]
            for name, step in steps.items()
        }
        self.follows: dict[str, list[WaitingRuns]] = {
            name: [self._place(follow, name, asks[follow], avoids[name]) for follow in step.follow]
            for name, step in steps.items()
        }
        for places in self.follows.values():
            for place in places:
                place.then = self.follows[place.step]
        kinds = [ask.types for ask in (*asks.values(), *(one for one in avoids.values() if one is not None))]
        self.sees_any = not all(kinds)
        self.scans = frozenset().union(*kinds)
        self.looks = {kind: self._looks(kind) for kind in self.scans}
        self.other_looks = self._looks("") if self.sees_any else None

    def _place(self, step: str, after: str, lead: Ask, avoid: Ask | None) -> WaitingRuns:
        names = None if self.chain.observed is None else self._observable(step, after, {})
        steps = self.chain.steps
        only = names[0] if names is not None and len(names) == 1 else None
        return WaitingRuns(
            step, after, lead, avoid, not steps[step].follow, says_until_when(steps[step].lead), names, only
        )

    def _looks(self, kind: str) -> Looks:
        every = [place for places in self.follows.values() for place in places]
        concerns = [(one, one.lead.is_of(kind), one.avoid is not None and one.avoid.is_of(kind)) for one in every]
        return [one for one in concerns if one[1] or one[2]], self.first.is_of(kind)

    def plain_ends(self) -> frozenset[str]:
        """Return the last steps whose variables an event can set before anybody makes a record of it."""
        ends = [(name, step) for name, step in self.chain.steps.items() if not step.follow]
        return frozenset(
            name for name, step in ends if all(reads_fields(value, step.lead.name) for value in step.lets.values())
        )

    def apart_ends(self) -> frozenset[str]:
        """Return the last steps whose runs say different things, since those that would say the same have merged."""
        observed = self.chain.observed
        if observed is None:
            return frozenset()
        every = [place for places in self.follows.values() for place in places]
        steps = Counter(place.step for place in every)
        ends = [place for place in every if place.ends and steps[place.step] == 1 and not self.lets[place.step]]
        return frozenset(place.step for place in ends if place.names is not None and {*place.names} <= {*observed})
