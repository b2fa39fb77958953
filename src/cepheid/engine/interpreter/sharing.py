"""Results that rules take from each other within a turn, where both would detect the same."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cepheid.algebra.instances import Instance
from cepheid.analysis.plans.plan import Plan
from cepheid.analysis.plans.sharing import Shared, below_operator, shared_operators

Place = tuple[str, int]


@dataclass(slots=True)
class Board:
    """What operators gave in this turn, for the rules that come after theirs."""

    given: dict[Place, Sequence[Instance]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Shares:
    """What one rule gives to others, and what it takes from them; `idle` are the operators that it need not run."""

    rule: str
    board: Board
    gives: frozenset[int] = frozenset()
    takes: Mapping[int, Shared] = field(default_factory=dict)
    idle: frozenset[int] = frozenset()

    def give(self, number: int, found: Sequence[Instance]) -> None:
        """Let others have what an operator gave."""
        if number in self.gives:
            self.board.given[self.rule, number] = found

    def take(self, number: int) -> list[Instance]:
        """Return what another rule found for an operator, with the names of this rule."""
        shared = self.takes.get(number)
        if shared is None:
            return []
        return [renamed(one, shared.names) for one in self.board.given.get((shared.rule, shared.number), ())]


def shares_of(plan: Plan, board: Board) -> dict[str, Shares]:
    """Return what each rule of a plan gives and takes."""
    taken = shared_operators(plan)
    given: dict[str, set[int]] = {}
    for shared in (shared for some in taken.values() for shared in some.values()):
        given.setdefault(shared.rule, set()).add(shared.number)
    shares = {}
    for rule in plan.rules:
        name = rule.rule.name
        takes = taken.get(name, {})
        idle = frozenset(number for root in takes for number in below_operator(rule, root))
        if takes or name in given:
            shares[name] = Shares(name, board, frozenset(given.get(name, ())), takes, idle)
    return shares


def completed(states: Sequence[object], plan: Plan) -> list[object]:
    """Return the states of the rules of a plan for whoever runs all operators, with what the idle ones would hold."""
    rules = {rule.rule.name: (rule, _machine(state)) for rule, state in zip(plan.rules, states, strict=True)}
    for name, takes in shared_operators(plan).items():
        rule, its = rules[name]
        for root, shared in takes.items():
            owner, owned = rules[shared.rule]
            places = zip(sorted(below_operator(rule, root)), sorted(below_operator(owner, shared.number)), strict=True)
            for number, same in places if its and owned else ():
                its[number] = _as_called(owned[same], shared.names)
    return list(states)


def _machine(state: object) -> list[object]:
    """Return the states of the operators of a rule that has no keys, none if nothing has come for it."""
    assert isinstance(state, list)
    for key, (_, states) in state[1]:
        if key == ():
            return states  # type: ignore[no-any-return]  # one for each operator
    return []


def _as_called(state: object, names: Mapping[str, str]) -> object:
    """Return what an operator holds that another rule calls otherwise: it is a join, or holds nothing."""
    if state is None:
        return None
    assert isinstance(state, list)
    return [[renamed(one, names) for one in some] for some in state]


def renamed(instance: Instance, names: Mapping[str, str]) -> Instance:
    """Return an instance whose parts are called otherwise."""
    return instance.changed(parts={names[name]: part for name, part in instance.parts.items()})
