"""How rules that have no key in common are split into stages, each with a key of its own.

    Suspicious by `card`   ==>   Mule by `account`, over Suspicious and Transfer

Rules that feed each other in a circle stay together, and so do rules whose work can be split by one key. A stage comes
after all that feed it. Where no stage has both a key and something to remember, nothing is gained, and there is one.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.programs import Rule
from cepheid.algebra.traversal import event_types
from cepheid.analysis.keys.common_keys import common_key
from cepheid.analysis.keys.keys import Dealing
from cepheid.analysis.plans.plan import Kind, Plan

_MEMORYLESS = frozenset((Kind.SCAN, Kind.FILTER, Kind.UNION))


@dataclass(frozen=True, slots=True)
class Stage:
    """Some rules of the `whole`, with a plan for themselves, that run after all stages of a lower `level`.

    `takes` are the types that it reads and that rules of other stages emit; `hands` are the types that its own rules
    emit and that other stages read.
    """

    whole: Plan
    plan: Plan
    level: int = 0
    takes: frozenset[str] = frozenset()
    hands: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Part:
    level: int
    rules: tuple[Rule, ...]

    @property
    def reads(self) -> frozenset[str]:
        return event_types(self.rules)

    @property
    def emits(self) -> frozenset[str]:
        return frozenset(rule.emits for rule in self.rules)


def stages_of(plan: Plan) -> tuple[Stage, ...]:
    """Return the stages of a plan, each after those that feed it."""
    parts, among = list[_Part](), plan.program.rules
    for group in plan.groups:
        parts = _with(parts, tuple(one.rule for one in group), among)
    remembering = {one.rule.name for one in plan.rules if any(each.kind not in _MEMORYLESS for each in one.operators)}
    if not any(_names(part.rules) & remembering and common_key(part.rules, among) for part in parts):
        parts = [_Part(0, among)]
    return tuple(_stage(plan, part, parts) for part in sorted(parts, key=lambda part: part.level))


def stage_with(plan: Plan, names: Sequence[str]) -> Stage | None:
    """Return the stage of a plan that has these rules, None where its rules are not split like this."""
    return next((one for one in stages_of(plan) if _names(one.plan.program.rules) == set(names)), None)


def _with(parts: list[_Part], rules: tuple[Rule, ...], among: Sequence[Rule]) -> list[_Part]:
    """Return the parts with some more rules: with the last of those that feed them, if one key serves all, or after."""
    feeders = [part for part in parts if part.emits & event_types(rules)]
    if not feeders:
        return [*parts, _Part(0, rules)]
    level = max(part.level for part in feeders)
    nearest = [part for part in feeders if part.level == level]
    together = tuple(rule for part in nearest for rule in part.rules) + rules
    if _belong_together([*(part.rules for part in nearest), rules], together, among):
        return [*(part for part in parts if part not in nearest), _Part(level, together)]
    return [*parts, _Part(level + 1, rules)]


def _belong_together(apart: Sequence[tuple[Rule, ...]], together: tuple[Rule, ...], among: Sequence[Rule]) -> bool:
    """Say whether rules have one key together, for which nothing goes everywhere, or none even apart."""
    if common_key(together, among, Dealing.BY_ROLE) is not None:
        return True
    return all(common_key(rules, among) is None for rules in apart)


def _stage(plan: Plan, part: _Part, parts: Sequence[_Part]) -> Stage:
    names, others = _names(part.rules), [other for other in parts if other is not part]
    rules = tuple(rule for rule in plan.program.rules if rule.name in names)
    groups = tuple(group for group in plan.groups if group[0].rule.name in names)
    takes = part.reads & frozenset().union(*(other.emits for other in others))
    hands = part.emits & frozenset().union(*(other.reads for other in others))
    own = replace(plan, program=replace(plan.program, rules=rules), groups=groups)
    return Stage(plan, own, part.level, takes, hands)


def _names(rules: Sequence[Rule]) -> set[str]:
    return {rule.name for rule in rules}
