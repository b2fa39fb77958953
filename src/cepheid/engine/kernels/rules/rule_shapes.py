"""What kernels make of every rule of a plan: one of the shapes of points in time, stages, or nothing.

A rule that stands alone has a shape of its own where there is one. Rules that feed each other run as stages, all of
them or none: whoever finds the events that others read must be where these are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from cepheid.algebra.policies import Choice
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.strata import feeds_itself, readers, strata
from cepheid.algebra.traversal import walk
from cepheid.analysis.plans.plan import Plan, RulePlan
from cepheid.engine.kernels.facts.arrival_order import is_made
from cepheid.engine.kernels.facts.distances import hindrance
from cepheid.engine.kernels.facts.recognition import shape_of
from cepheid.engine.kernels.facts.shapes import Shape, is_whole
from cepheid.engine.kernels.plans.pattern_stages import (
    CombinationShape,
    FilterShape,
    NeverShape,
    PairShape,
    ScanShape,
    StagedShape,
    StageShape,
    UnionShape,
    every,
)
from cepheid.engine.kernels.rules.stage_recognition import stages_of

Found = Shape | StagedShape | str


@ByIdentity
def shapes_of(plan: Plan) -> tuple[Found, ...]:
    """Return the shape of every rule of a plan, or why it has none."""
    found: dict[str, Found] = {}
    for chain in _chains(plan):
        if len(chain) == 1 and not feeds_itself([chain[0].rule]):
            found[chain[0].rule.name] = _alone(chain[0], plan)
        else:
            found |= _chained(chain, points=plan.lengths.default == 0)
    return tuple(found[one.rule.name] for one in plan.rules)


def _chains(plan: Plan) -> list[list[RulePlan]]:
    """Return the rules in groups that do not feed each other, each in the order of the plan."""
    feeds = readers([one.rule for one in plan.rules])
    group = {name: number for number, name in enumerate(feeds)}
    for name, read_by in feeds.items():
        for other in read_by:
            old, new = group[other], group[name]
            group = {one: new if number == old else number for one, number in group.items()}
    return [[one for one in plan.rules if group[one.rule.name] == number] for number in sorted(set(group.values()))]


def _alone(plan: RulePlan, whole: Plan) -> Found:
    if reason := hindrance(plan, is_read=False):
        return reason
    shape = shape_of(plan, points=whole.lengths.default == 0, derived=frozenset())
    return shape if isinstance(shape, Shape) else stages_of(plan, points=whole.lengths.default == 0)


def _chained(chain: Sequence[RulePlan], *, points: bool) -> dict[str, Found]:
    """Return the stages of rules that feed each other; where one of them has none, nobody has."""
    recursive = {rule.name for group in strata([one.rule for one in chain]) if feeds_itself(group) for rule in group}
    found: dict[str, Found] = {}
    read_by = readers([one.rule for one in chain])
    for one in chain:
        reason = hindrance(one, is_read=bool(read_by[one.rule.name]))
        found[one.rule.name] = reason or _stages(one, is_recursive=one.rule.name in recursive, points=points)
    found |= _without_arrivals(chain, found)
    reasons = {name: reason for name, reason in found.items() if isinstance(reason, str)}
    if not reasons:
        return _beside_all(found)
    other = next(iter(reasons))
    return {name: reasons.get(name, f"it is chained to `{other}`, which is interpreted") for name in found}


def _beside_all(found: Mapping[str, Found]) -> dict[str, Found]:
    """Return the stages of rules that feed each other, where one of them looks at all given events noted as such."""
    stages = {name: one for name, one in found.items() if isinstance(one, StagedShape)}
    beside_all = any(one.looks_at_all for one in stages.values())
    return {name: replace(one, beside_all=beside_all) for name, one in stages.items()}


def _without_arrivals(chain: Sequence[RulePlan], found: Mapping[str, Found]) -> dict[str, str]:
    """Return the rules that ask when events arrived which nobody gave, and which do not end with what they rest on."""
    emitted = {one.rule.emits for one in chain if not _arrives(one)}
    asking = [one for one in chain if isinstance(shape := found[one.rule.name], StagedShape) and shape.by_arrival]
    reason = "events of one time follow each other, and some are emitted by rules that date or group them"
    return {one.rule.name: reason for one in asking if one.reads_derived & emitted}


def _arrives(plan: RulePlan) -> bool:
    """Say whether what a rule emits begins and ends with given events that it rests on."""
    return is_whole(plan.rule) and not any(map(is_made, walk(plan.rule.pattern)))


def _stages(plan: RulePlan, *, is_recursive: bool, points: bool) -> StagedShape | str:
    """Return the stages of one rule of a chain; one that feeds itself must give at once what it emits."""
    stages = stages_of(plan, points=points)
    if isinstance(stages, str):
        return stages
    if is_recursive and stages.looks_at_all:
        return "it feeds itself, and looks at all events"
    if is_recursive and (stages.repeats or not is_whole(plan.rule) or not all(map(_is_at_once, every(stages.root)))):
        return "it feeds itself, and what it emits is not there at once"
    return stages


def _is_at_once(shape: StageShape) -> bool:
    """Say whether a stage gives all that ends with what it gets, and waits for nothing."""
    if isinstance(shape, PairShape):
        return shape.choice is Choice.ALL and not shape.by_arrival
    return isinstance(shape, ScanShape | UnionShape | FilterShape | CombinationShape | NeverShape)
