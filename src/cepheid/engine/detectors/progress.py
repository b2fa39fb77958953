"""How far matches have come that are not complete: what of them was found, and what is still missing.

Whatever waits in an operator is part of a match that may still come. Of a join that takes everything, the parts wait
one by one, so what was found of its matches is put together when somebody asks. Chains are not looked into.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice

from cepheid.algebra.instances import Instance, combined
from cepheid.analysis.plans.sharing import below_operator
from cepheid.engine.detectors.detector import Detector
from cepheid.engine.interpreter.machine import Machine
from cepheid.engine.interpreter.partial_joins import partial_joins, waits_for_any
from cepheid.engine.interpreter.remaining_steps import Found, is_of_the_match, steps_of
from cepheid.engine.interpreter.rule_runner import RuleRunner
from cepheid.engine.interpreter.sharing import renamed
from cepheid.engine.operators.absence import Absence
from cepheid.engine.operators.choice import ChoiceJoin
from cepheid.engine.operators.gather import Gather
from cepheid.engine.operators.interpreter import Interpreter
from cepheid.engine.operators.join import JoinAll
from cepheid.engine.operators.runs import Runs
from cepheid.events import EventId

MOST = 1000

Waiting = tuple[Instance, Found]


@dataclass(frozen=True, slots=True)
class Progress:
    """A match of a rule that is not complete.

    `share` is how much of it is there, from 0 to 1. `found` are the ids of the input events that each part rests on,
    `missing` says what has still to come, or must not come. `start` and `end` are those of what was found.
    """

    rule: str
    share: float
    start: int
    end: int
    found: Mapping[str, tuple[EventId, ...]]
    missing: tuple[str, ...]


def progress(detector: Detector, rule: str | None = None, most: int = MOST) -> tuple[Progress, ...]:
    """Return matches that are not complete, those first that have come furthest; of each rule at most so many."""
    runners = [runner for runner in detector.runners if rule in (None, runner.rule.name)]
    every = {runner.rule.name: runner for runner in detector.runners}
    found = [one for runner in runners for one in islice(_of_rule(runner, every), most)]
    return tuple(sorted(found, key=lambda one: (-one.share, one.end, one.start, one.rule)))


def _of_rule(runner: RuleRunner, every: Mapping[str, RuleRunner]) -> Iterator[Progress]:
    pattern = runner.rule.pattern
    for hull, found in chain(_own(runner), _taken(runner, every)):
        steps = steps_of(pattern, found)
        parts = {name: part.evidence for name, part in hull.parts.items()}
        yield Progress(runner.rule.name, steps.share, hull.start, hull.end, parts, steps.missing)


def _own(runner: RuleRunner) -> Iterator[Waiting]:
    """Yield what waits in the operators of a rule."""
    for machine in runner.machines.values():
        for each in machine.interpreters:
            if is_of_the_match(runner.rule.pattern, each.operator.path):
                yield from _waiting(each, machine, runner)


def _taken(runner: RuleRunner, every: Mapping[str, RuleRunner]) -> Iterator[Waiting]:
    """Yield what waits in the operators of other rules that detect something for this one."""
    for number, shared in () if runner.shares is None else runner.shares.takes.items():
        owner = every[shared.rule]
        if is_of_the_match(runner.rule.pattern, runner.plan.operators[number].path):
            for machine in owner.machines.values():
                for below in sorted(below_operator(owner.plan, shared.number)):
                    for hull, _ in _waiting(machine.interpreters[below], machine, owner):
                        yield from _plain([renamed(hull, shared.names)])


def _waiting(each: Interpreter, machine: Machine, runner: RuleRunner) -> Iterator[Waiting]:
    """Yield what waits in an operator for something that can still come."""
    inputs = [machine.interpreters[number] for number in each.operator.inputs]
    match each:
        case JoinAll():
            yield from _plain(partial_joins(each, inputs, runner.tables))
        case ChoiceJoin():
            for side, store in enumerate(each.stores):
                held = [instance for place, instance in each.buffer.held() if place == side]
                yield from _plain(one for one in (*store, *held) if waits_for_any(each.operator, {side: one}, inputs))
        case Absence():
            yield from _plain(each.waiting)
        case Gather():
            yield from _plain(each.anchors)
        case Runs():
            yield from _runs(each)


def _plain(instances: Iterable[Instance]) -> Iterator[Waiting]:
    return ((instance, Found(frozenset(instance.parts))) for instance in instances)


def _runs(each: Runs) -> Iterator[Waiting]:
    name = each.repeat.name
    for run in (run for runs in each.open.values() for run in runs):
        hull = combined(run.items)
        yield hull.changed(parts={name: hull}), Found(frozenset(), {name: len(run.items)})
