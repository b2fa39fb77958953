"""Where on a cycle events are dated otherwise than as their match, every turn must still lead on.

    rule Path: p: Path then e: Edge emits Path to start($pattern)     refused: the same edge is there again, and again
    rule Path: p: Path then e: Edge emits Path to end(e)              allowed: every turn ends later

Every turn ends no earlier than what it came from, and some turn later; or every turn starts no later, and some earlier.
Then a finite history is used up at last. Events that are dated as their match do so in one way or the other.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from cepheid.algebra.expressions import Call, Expr, Literal, Moment
from cepheid.algebra.patterns import Atom, Join, Pattern
from cepheid.algebra.programs import HULL, Rule
from cepheid.algebra.relations import Difference, Edge, Endpoint
from cepheid.algebra.strata import has_cycle, reach_of, readers
from cepheid.algebra.validation.finding import finding
from cepheid.algebra.validation.names import below, visible
from cepheid.diagnostics import Diagnostic

Names = frozenset[str]


class Step(Enum):
    """How the emitted event lies to one that it came from: beyond it, at least as far, or nobody knows."""

    BEYOND = 2
    LEVEL = 1
    UNKNOWN = 0


@dataclass(frozen=True, slots=True)
class Read:
    """An event of the cycle in a rule, and the parts that must lie strictly before and after it."""

    rule: Rule
    atom: Atom
    before: Names
    after: Names


def circular_dates(rules: Sequence[Rule]) -> Iterator[Diagnostic]:
    """Yield a finding for every cycle that may date its events back to where they came from."""
    reach, reported = reach_of(readers(rules)), set[str]()
    for rule in rules:
        group = [one for one in rules if one.name in reach[rule.name] and rule.name in reach[one.name]]
        if group and rule.name not in reported and not all(_is_wide(one) for one in group):
            reported |= {one.name for one in group}
            if not any(_leads_on(group, step) for step in (_forward, _backward)):
                message = f"`{rule.emits}` feeds itself and may be dated back to where it came from, again and again"
                yield finding("forbidden-cycle", message, rule.pattern, "end it with its match: `to end($pattern)`")


def _is_wide(rule: Rule) -> bool:
    return (rule.start, rule.end) == (Moment(Endpoint(HULL, Edge.START)), Moment(Endpoint(HULL, Edge.END)))


def _leads_on(group: Sequence[Rule], step: Callable[[Read], Step]) -> bool:
    """Say whether every turn of the cycles of some rules is a step in one direction, and no cycle stays in place."""
    types = frozenset(rule.emits for rule in group)
    steps = [(read, step(read)) for rule in group for read in _reads(rule, rule.pattern, types)]
    level = {
        rule.name: frozenset(
            read.rule.name for read, one in steps if one is Step.LEVEL and rule.emits in read.atom.types
        )
        for rule in group
    }
    return all(one is not Step.UNKNOWN for _, one in steps) and not has_cycle(level)


def _reads(
    rule: Rule, pattern: Pattern, types: Names, before: Names = frozenset(), after: Names = frozenset()
) -> Iterator[Read]:
    if isinstance(pattern, Atom) and pattern.types & types:
        yield Read(rule, pattern, before, after)
    for number, inner in enumerate(below(pattern)):
        beside = _beside(pattern, number) if isinstance(pattern, Join) else (frozenset(), frozenset())
        yield from _reads(rule, inner, types, before | beside[0], after | beside[1])


def _beside(join: Join, number: int) -> tuple[Names, Names]:
    """Return the names in the parts of a join that lie strictly before, and strictly after, one of them."""
    pairs = {pair for difference in join.relation if (pair := _strictly(join, difference)) is not None}
    names = [visible(part) for part in join.parts]
    found = []
    for earlier, later in ((1, 0), (0, 1)):
        reached, ahead = set[int](), {number}
        while ahead:
            ahead = {pair[later] for pair in pairs if pair[earlier] in ahead} - reached
            reached |= ahead
        found.append(frozenset().union(*(names[one] for one in reached)))
    return found[0], found[1]


def _strictly(join: Join, difference: Difference) -> tuple[int, int] | None:
    """Return the part that ends before another starts, and that other; None if a difference says something else."""
    edges = (difference.later.edge, difference.earlier.edge)
    if edges != (Edge.START, Edge.END) or difference.low is None or difference.low < 1:
        return None
    places = [_part(join, end.part) for end in (difference.earlier, difference.later)]
    return None if None in places or places[0] == places[1] else (places[0] or 0, places[1] or 0)


def _part(join: Join, name: str) -> int | None:
    for number, part in enumerate(join.parts):
        if name == f"${number}" or name in visible(part):
            return number
    return None


def _forward(read: Read) -> Step:
    """Say whether the emitted event ends later than the one it came from."""
    return _step(read.rule.end, Edge.END, "max", "+", read.atom.name, read.after)


def _backward(read: Read) -> Step:
    """Say whether the emitted event starts earlier than the one it came from."""
    return _step(read.rule.start, Edge.START, "min", "-", read.atom.name, read.before)


def _step(date: Expr, edge: Edge, outer: str, away: str, own: str, beyond: Names) -> Step:
    match date:
        case Moment(Endpoint(part=part)) if part in beyond:
            return Step.BEYOND
        case Moment(Endpoint(part=part, edge=at)) if part == HULL and at is edge:
            return Step.BEYOND if beyond else Step.LEVEL
        case Moment(Endpoint(part=part, edge=at)) if part == own and at is edge:
            return Step.LEVEL
        case Call(function, (inner, Literal(int() as moved))) if function == away and moved >= 0:
            return _step(inner, edge, outer, away, own, beyond)
        case Call(function, arguments) if function == outer:
            steps = [_step(argument, edge, outer, away, own, beyond) for argument in arguments]
            return max(steps, key=lambda one: one.value)
        case _:
            return Step.UNKNOWN
