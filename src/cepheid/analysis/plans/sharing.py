"""Which parts of a plan are the same in several rules, so that they need be detected only once.

    rule one: (a: A then b: B) unless c: C inside      rule two: (x: A then y: B) unless d: D inside

What both wait for is the same but for its names. The rule that is evaluated first detects it, the other one takes what
was found, under names of its own. Only what tells a match at the very event that completes it is shared: joins that
take everything, over events and filters. A join of three parts has nothing to share with one of two, although its first
two may be the same: it keeps its parts one by one, because that is less than all their combinations.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cepheid.algebra.patterns import Atom
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.strata import feeds_itself
from cepheid.algebra.traversal import named_parts, rename
from cepheid.analysis.plans.plan import Kind, Operator, Plan, RulePlan

_IMMEDIATE = frozenset((Kind.SCAN, Kind.FILTER, Kind.UNION, Kind.JOIN))

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Shared:
    """An operator of another rule that gives the same; `names` are what its parts are called here."""

    rule: str
    number: int
    names: Mapping[str, str]


@ByIdentity
def shared_operators(plan: Plan) -> dict[str, dict[int, Shared]]:
    """Return, for every rule that need not detect all by itself, the operators whose results it takes from others."""
    known: dict[Key, tuple[str, Operator]] = {}
    found: dict[str, dict[int, Shared]] = {}
    for group in plan.groups:
        for rule in group:
            if rule.rule.per or rule.counts_records or feeds_itself([one.rule for one in group]):
                continue
            taken = dict(_taken(rule, known))
            if taken:
                found[rule.rule.name] = taken
            for operator in _own(rule, taken):
                known.setdefault(_key(rule, operator), (rule.rule.name, operator))
    return found


def below_operator(rule: RulePlan, number: int) -> frozenset[int]:
    """Return the numbers of an operator and of all operators that feed it."""
    inputs = rule.operators[number].inputs
    return frozenset({number}).union(*(below_operator(rule, one) for one in inputs))


def _taken(rule: RulePlan, known: Mapping[Key, tuple[str, Operator]]) -> Iterator[tuple[int, Shared]]:
    """Yield the largest parts of a rule that others detect already."""
    covered: set[int] = set()
    for operator in reversed(rule.operators):
        if operator.number in covered or not _is_worth_it(rule, operator):
            continue
        key = _key(rule, operator)
        if key in known:
            owner, same = known[key]
            names = dict(zip(named_parts(same.pattern), named_parts(operator.pattern), strict=True))
            covered |= below_operator(rule, operator.number)
            yield operator.number, Shared(owner, same.number, names)


def _own(rule: RulePlan, taken: Mapping[int, Shared]) -> Iterator[Operator]:
    """Yield the operators that a rule runs by itself and that others may take from."""
    covered = {number for root in taken for number in below_operator(rule, root)}
    return (one for one in rule.operators if one.number not in covered and _is_worth_it(rule, one))


def _is_worth_it(rule: RulePlan, operator: Operator) -> bool:
    """Say whether an operator tells everything at once, and does more than looking at types."""
    every = [rule.operators[number] for number in below_operator(rule, operator.number)]
    immediate = all(one.kind in _IMMEDIATE and not one.has_points for one in every)
    filters = isinstance(operator.pattern, Atom) and operator.pattern.where is not None
    return immediate and (operator.kind is Kind.JOIN or filters)


def _key(rule: RulePlan, operator: Operator) -> Key:
    """Return what two operators are the same by: all that they and those below them do, whatever parts are called."""
    names = {name: f"part {place}" for place, name in enumerate(named_parts(operator.pattern))}
    every = sorted(below_operator(rule, operator.number))
    facts = tuple(_facts(rule.operators[number], names, every) for number in every)
    return (rename(operator.pattern, names), facts)


def _facts(operator: Operator, names: Mapping[str, str], every: list[int]) -> Key:
    inputs = tuple(every.index(number) for number in operator.inputs)
    reach = tuple((between, rename(reach, names)) for between, reach in sorted(operator.reach.items()))
    return (operator.kind, inputs, reach, operator.widths, operator.lag, operator.headway)
