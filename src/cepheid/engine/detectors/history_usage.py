"""How much of each input waits in the joins, absences and collections of a detector."""

from collections.abc import Iterator
from dataclasses import dataclass

from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import named_parts
from cepheid.analysis.closures.tree import below
from cepheid.analysis.plans.plan import KEPT_APART, Operator
from cepheid.engine.detectors.detector import Detector
from cepheid.engine.interpreter.rule_runner import RuleRunner


@dataclass(frozen=True, slots=True)
class HistoryUsage:
    """How many entries of one input wait now, and how many may; `part` names its variables, None: nobody said."""

    rule: str
    part: str
    used: int
    promised: int | None


def histories(detector: Detector) -> tuple[HistoryUsage, ...]:
    """Return what waits in every history of a detector, over all keys."""
    return tuple(one for place, runner in enumerate(detector.runners) for one in _of_rule(detector, place, runner))


def _of_rule(detector: Detector, place: int, runner: RuleRunner) -> Iterator[HistoryUsage]:
    certified = None if detector.promises is None else detector.promises.rules[place]
    for operator in runner.plan.operators:
        if operator.kind in KEPT_APART:
            promised = None if certified is None else certified.operators[operator.number].histories
            for side, (part, used) in enumerate(zip(_parts(operator), _used(runner, operator), strict=True)):
                number = None if promised is None else promised[side].entries.number
                yield HistoryUsage(runner.rule.name, part, used, number)


@ByIdentity
def _parts(operator: Operator) -> tuple[str, ...]:
    return tuple(" with ".join(dict.fromkeys(named_parts(part))) for part in below(operator.pattern))


def _used(runner: RuleRunner, operator: Operator) -> list[int]:
    held = [machine.interpreters[operator.number].histories() for machine in runner.machines.values()]
    return [sum(sizes) for sizes in zip(*held, strict=True)] if held else [0] * len(operator.inputs)
