"""When an event can be dealt with quickly: where it only moves the clock on, or where all comes in order."""

from collections.abc import Mapping, Sequence

from cepheid.analysis.keys.stages import Stage
from cepheid.engine.clock.settled import ANYWHERE
from cepheid.engine.interpreter.rule_runner import RuleRunner
from cepheid.events import Disorder


def may_pass(runners: Sequence[RuleRunner], arrivals: Mapping[str, Disorder], stage: Stage, *, cycles: bool) -> bool:
    """Say whether events that no rule reads change nothing but how far the input has come."""
    one = list(arrivals) == [ANYWHERE] and not arrivals[ANYWHERE].identified
    # What is dated ahead moves a frontier further than the input has come.
    behind = all(runner.plan.trails is None or runner.plan.trails >= 0 for runner in runners)
    asleep = not any(runner.sees_all or runner.always for runner in runners)
    return one and behind and asleep and not cycles and not stage.takes and not stage.hands


def is_alone(arrivals: Mapping[str, Disorder], stage: Stage) -> bool:
    """Say whether all that rules read comes from the one source, and here."""
    return list(arrivals) == [ANYWHERE] and not stage.takes and not stage.hands
