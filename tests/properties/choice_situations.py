"""Joins of two or three atoms under a policy, and the same as items for the machine that decides incrementally."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from cepheid.algebra.expressions import Call, Expr, Field, Moment
from cepheid.algebra.instances import Instance
from cepheid.algebra.patterns import Atom, Join
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.relations import start
from cepheid.events import Event, Value, order_key, sort_events
from tests.oracles.incremental_choices import Item, Taken, chosen
from tests.properties.interval_lowering import RELATIONS

OPERATORS: dict[str, Callable[[Item, Item], bool]] = {
    "SEQ": lambda left, right: left.end < right.start,
    "AND": lambda _left, _right: True,
    "PAR": lambda left, right: max(left.start, right.start) < min(left.end, right.end),
}
GROWING = Call("<", (Field("x", "v"), Field("y", "v")))
TIES: dict[str, tuple[Expr, ...]] = {
    "none": (),
    "by value": (Field("x", "v"), Field("y", "v"), Field("z", "v")),
    "shorter": (Moment(start("$candidate")),),
}


@dataclass(frozen=True)
class Situation:
    """A join of two atoms: the types of its sides, the operator, whether keys must agree, what decides ties, and
    whether only a smaller value before a greater one is a candidate.
    """

    left: str
    right: str
    operator: str
    keyed: bool
    tie: str
    growing: bool = False

    def join(self, choice: str) -> Join:
        """Return the join of an `x` and a `y` under a policy."""
        return Join(
            (Atom("x", frozenset(self.left)), Atom("y", frozenset(self.right))),
            RELATIONS[self.operator],
            ((Field("x", "k"), Field("y", "k")),) if self.keyed else (),
            GROWING if self.growing else None,
            Policy(Choice(choice), tie=TIES[self.tie]),
        )

    def items(self, types: str, trace: Sequence[Event]) -> list[Item]:
        """Return the events of some types as items."""
        return [
            Item(
                event.start,
                event.end,
                position,
                position,
                (order_key(event),),
                str(event.id),
                event.get("k") if self.keyed else (),
                self.tie_of(event),
                _number(event.get("v")),
            )
            for position, event in enumerate(sort_events(trace))
            if event.type in types
        ]

    def tie_of(self, event: Event) -> int:
        value = _number(event.get("v"))
        return {"none": 0, "by value": -1 if value is None else value, "shorter": event.start}[self.tie]

    def related(self, left: Item, right: Item) -> bool:
        """Are two items candidates?"""
        grows = left.value is not None and right.value is not None and left.value < right.value
        return OPERATORS[self.operator](left, right) and (grows or not self.growing)

    def taken(self, choice: str, trace: Sequence[Event]) -> Taken:
        """Return the pairs that the machine takes."""
        lefts, rights = self.items(self.left, trace), self.items(self.right, trace)
        return chosen(choice, lefts, rights, self.related)


def _number(value: Value) -> int | None:
    return value if isinstance(value, int) else None


SIDES = st.sampled_from(["a", "ab", "b"])
SITUATIONS = st.builds(
    Situation,
    SIDES,
    SIDES,
    st.sampled_from(["SEQ", "SEQ", "AND", "PAR"]),
    st.sampled_from([False, False, True]),
    st.sampled_from(["none", "by value", "by value", "shorter"]),
    st.sampled_from([False, False, True]),
)


def joined(pair: tuple[Item, Item]) -> Item:
    """Return a pair that was taken as an item for the join above."""
    left, right = pair
    order = tuple(sorted({*left.order, *right.order}, reverse=True))
    name = f"{left.name} {right.name}"
    lowest, highest = min(left.low, right.low), max(left.high, right.high)
    return Item(min(left.start, right.start), max(left.end, right.end), lowest, highest, order, name)


def named(pairs: Taken) -> list[str]:
    return sorted(joined(pair).name for pair in pairs)


def bound(found: Sequence[Instance]) -> list[str]:
    return sorted(" ".join(str(one.parts[name].identity) for name in sorted(one.parts)) for one in found)
