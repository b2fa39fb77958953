"""How far before the end of a combination each of its parts can have ended, from the reaches between the parts."""

from cepheid.algebra.patterns import Pattern
from cepheid.analysis.bounds.spans import Margin
from cepheid.analysis.bounds.wording import endless_wait
from cepheid.analysis.closures.tree import below, has_position
from cepheid.analysis.plans.plan import Operator, Reach


def can_combine(operator: Operator) -> bool:
    """Say whether the parts of an operator can ever be together."""
    return all(reach.possible for reach in operator.reach.values())


def margins(operator: Operator) -> list[Margin]:
    """Return the margin of every part of a join."""
    parts = below(operator.pattern)
    return [_margin(operator, number, parts) for number in range(len(parts))]


def _margin(operator: Operator, part: int, parts: tuple[Pattern, ...]) -> Margin:
    others = [number for number in range(len(parts)) if number != part]
    ahead = [operator.reach[part, other] for other in others]
    behind = [operator.reach[other, part] for other in others]
    endless = next((other for other in others if operator.reach[part, other].ends is None), part)
    ticks = _width([reach.ends for reach in ahead], [reach.ends for reach in behind])
    records = _width([reach.records for reach in ahead], [reach.records for reach in behind])
    gap = endless_wait(parts[endless], operator.pattern) if ticks is None else None
    return Margin(ticks, records if has_position(parts[part]) else None, gap)


def _width(ahead: list[int | None], behind: list[int | None]) -> int | None:
    """Return how many places the end of a part has, given how far others end after it, and it after them."""
    if None in ahead:
        return None
    farthest = max([0, *(high for high in ahead if high is not None)])
    nearest = max([0, *(-high for high in behind if high is not None)])
    return max(farthest - nearest, 0)


def completes(operator: Operator, part: int) -> bool:
    """Say whether a part can be the last to end."""
    others = [number for number in range(len(operator.inputs)) if number != part]
    return all(_not_before(operator.reach[other, part]) for other in others)


def _not_before(reach: Reach) -> bool:
    return reach.possible and (reach.ends is None or reach.ends >= 0)
