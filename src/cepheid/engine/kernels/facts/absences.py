"""Recognise what must be absent: single events of the same key, in one span of time that ends with the match."""

from dataclasses import replace

from cepheid.algebra.expressions import Expr, Field
from cepheid.algebra.patterns import Select, Unless
from cepheid.algebra.programs import EVENT
from cepheid.algebra.relations import Edge
from cepheid.algebra.traversal import transform
from cepheid.analysis.plans.plan import RulePlan
from cepheid.analysis.plans.retention import parts_read
from cepheid.engine.kernels.facts.declining import Declined, readable
from cepheid.engine.kernels.facts.shapes import AbsenceShape, Part
from cepheid.engine.kernels.facts.time_bounds import TimeBounds
from cepheid.engine.kernels.facts.wrappers import Around, named_points, place_of, plain_atom


def rule_keys(plan: RulePlan, name: str) -> tuple[Expr, ...]:
    """Return what the rule is detected by, read from the event of that name."""
    for one in plan.rule.per:
        readable(_renamed(one, name), hull=False)
    return tuple(_renamed(one, name) for one in plan.rule.per)


def _renamed(expression: Expr, name: str) -> Expr:
    def renamed(node: object) -> object:
        return replace(node, part=name) if isinstance(node, Field) and node.part == EVENT else node

    return transform(expression, renamed)


def absences_of(plan: RulePlan, around: Around, parts: list[Part], keys: int) -> tuple[AbsenceShape, ...]:
    """Return what must be absent around parts, which come in the order of time and share so many keys.

    What could only come at no time at all is always absent.
    """
    found = (_absence(plan, unless, parts, keys) for unless in around.absences)
    return tuple(one for one in found if one.lower != one.upper or one.low <= one.high)


def _absence(plan: RulePlan, unless: Unless, parts: list[Part], keys: int) -> AbsenceShape:
    if unless.where is not None:
        raise Declined("what must be absent has a condition on the match")
    atom = plain_atom(unless.absent, chosen=True)
    names = tuple(part.name for part in parts)
    own = _absent_keys(unless, atom.name, parts, keys)
    if isinstance(unless.absent, Select) and (set(unless.absent.policy.per) != set(own) or unless.absent.policy.tie):
        raise Declined("what must be absent is chosen under other keys")
    places = named_points((*names, atom.name))
    places |= {("$pattern", Edge.START): 0, ("$pattern", Edge.END): len(names) - 1}
    places |= {("$absent", edge): len(names) for edge in Edge}
    bounds = TimeBounds(len(names) + 1)
    for one in unless.relation:
        bounds.limit(*place_of(one, places), one.low, one.high)
    return _interval(bounds, Part(atom.name, atom.types, atom.where, (*rule_keys(plan, atom.name), *own)))


def _interval(bounds: TimeBounds, part: Part) -> AbsenceShape:
    """Return when the absent event must not come, in distances from the parts."""
    absent = bounds.count - 1
    uppers = [(i, high) for i in range(absent) if (high := bounds.most[i][absent]) is not None]
    lows = [(i, -back) for i in range(absent) if (back := bounds.most[absent][i]) is not None]
    beside = any(bounds.most[i][j] is not None for i in range(absent) for j in range(absent) if i != j)
    if len(uppers) != 1 or len(lows) != 1 or uppers[0][1] > 0 or beside:
        raise Declined("what must be absent may come after the match, or at more than one distance")
    return AbsenceShape(part, *lows[0], *uppers[0])


def _absent_keys(unless: Unless, name: str, parts: list[Part], keys: int) -> tuple[Expr, ...]:
    """Return what the absent event must have in common with the match: all of the common key, in the same order."""
    own = [part.keys[len(part.keys) - keys :] for part in parts]
    found: dict[int, Expr] = {}
    for left, right in unless.equal:
        mine, other = (left, right) if parts_read((left,)) == {name} else (right, left)
        places = [number for number in range(keys) if any(share[number] == other for share in own)]
        if parts_read((mine,)) != {name} or len(places) != 1 or places[0] in found:
            raise Declined("what must be absent agrees with the match on something else than its key")
        found[places[0]] = mine
    if len(found) != keys:
        raise Declined("what must be absent is not of the same key")
    return tuple(found[number] for number in range(keys))
