"""What stands in its final order as soon as it arrives, so that nobody waits until an instant is complete.

Where events of one time come one after the other, an input event has its place when it comes. So has whatever it
completes, unless that waits for something to be absent later, lies at another time, or rests on a point of time.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.expressions import Moment
from cepheid.algebra.patterns import Atom, Collect, Either, Instant, Join, Pattern, Sieve, Unless
from cepheid.algebra.programs import HULL, Rule
from cepheid.algebra.relations import Axis, Edge, Endpoint, end
from cepheid.algebra.traversal import named_parts
from cepheid.analysis.plans.plan import Operator

WHOLE = Moment(end(HULL))


@dataclass(frozen=True, slots=True)
class RulePromptness:
    """What is prompt in one rule, which reads these `derived` types; `is_prompt`: all that it reads is."""

    is_prompt: bool
    derived: frozenset[str]

    def of_operator(self, node: Pattern, lag: int | None, inputs: Sequence[Operator]) -> bool:
        """Say whether all that an operator looks at, and gives, is in its final order as it arrives."""
        if not self.is_prompt or lag != 0 or isinstance(node, Instant):
            return False
        return all(one.prompt for one in inputs)

    def is_one_arrival(self, node: Pattern) -> bool:
        """Say whether every instance begins and ends with one arrival: what rules emit may rest on several."""
        match node:
            case Atom(types=types):
                return bool(types) and types.isdisjoint(self.derived)
            case Sieve(inner):
                return self.is_one_arrival(inner)
            case Either(branches=branches):
                return all(map(self.is_one_arrival, branches))
            case _:
                return False


@dataclass(frozen=True, slots=True)
class Promptness:
    """Whether events of one time come one after the other, and which types are emitted by rules that wait."""

    by_arrival: bool
    waits: frozenset[str]

    def of_rule(self, derived: frozenset[str]) -> RulePromptness:
        return RulePromptness(self.by_arrival and self.waits.isdisjoint(derived), derived)

    def tells_at_once(self, rule: Rule) -> bool:
        """Say whether the events of a prompt rule end where its matches do, and no key begins with a fixed time."""
        return rule.end == WHOLE


def arriving_last(join: Join) -> frozenset[int]:
    """Return the parts of a join that arrive after all others, so that nothing that is still to come joins them."""
    later = {number: _arriving_after(number, join) for number in range(len(join.parts))}
    for _ in join.parts:
        later = {number: some.union(*(later[one] for one in some)) for number, some in later.items()}
    return frozenset(number for number, some in later.items() if len(some) == len(join.parts) - 1)


def _arriving_after(number: int, join: Join) -> frozenset[int]:
    """Return the parts that a relation says one arrives after."""
    named = {f"${one}": one for one in range(len(join.parts))}
    named |= {part.name: one for one, part in enumerate(join.parts) if isinstance(part, Atom)}
    found = {
        named.get(one.earlier.part)
        for one in join.relation
        if one.later.axis is Axis.ARRIVAL and one.low == 1 and one.earlier.edge is Edge.END
        if one.later.edge is Edge.START and named.get(one.later.part) == number
    }
    return frozenset(one for one in found if one is not None)


def ends_by_arrival(node: Unless | Collect) -> bool:
    """Say whether what is looked for has arrived no later than something in the match."""
    inner, whole = (node.absent, "$absent") if isinstance(node, Unless) else (node.item, "$item")
    own = {whole, *((inner.name,) if isinstance(inner, Atom) else ())}
    others = {whole, *named_parts(inner)}
    return any(
        one.later.axis is Axis.ARRIVAL
        and one.earlier == Endpoint(one.earlier.part, Edge.END, Axis.ARRIVAL)
        and one.earlier.part in own
        and one.later.part not in others
        for one in node.relation
    )
