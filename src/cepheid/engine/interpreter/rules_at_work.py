"""The rules of a plan at work in the interpreter: they take turns, and what one tells is news to those after it."""

from collections.abc import Mapping, Sequence

from cepheid.algebra.matches import Match
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.strata import feeds_itself
from cepheid.analysis import Plan
from cepheid.analysis.keys.stages import Stage
from cepheid.analysis.plans.plan import RulePlan
from cepheid.engine.clock.settled import Settled
from cepheid.engine.clock.turn import Record
from cepheid.engine.interpreter.cycles import Cycle
from cepheid.engine.interpreter.pipe_runner import PipeRunner
from cepheid.engine.interpreter.rule_runner import RuleRunner, Told
from cepheid.engine.interpreter.sharing import Board, shares_of
from cepheid.events import MAX_TIME, MIN_TIME, Value


class RulesAtWork:
    """Rules in the order in which they feed each other, and the pipes that read them.

    `fed` says how far stages before this one are, by type; what those after it read is in `handed`, the caller's to
    empty.
    """

    def __init__(self, plan: Plan, stage: Stage, max_matches: int | None) -> None:
        self.plan = plan
        self.fed, self.hands = dict.fromkeys(stage.takes, MIN_TIME), stage.hands
        self.handed: list[Record] = []
        self.settled = Settled.of(stage.whole.program)
        tables = plan.program.tables
        derived = frozenset(one.rule.emits for one in stage.whole.rules)
        self.groups = [[RuleRunner(rule, tables, derived, max_matches) for rule in group] for group in plan.groups]
        self._runners = [runner for group in self.groups for runner in group]
        self.board = Board()
        self._share()
        self.pipes = {name: PipeRunner(pipe, tables) for name, pipe in plan.program.pipes.items()}
        self.read = self.hands.union(
            *(runner.types for runner in self._runners), *(runner.streams for runner in self.pipes.values())
        )
        self.settled.derived = dict.fromkeys(derived & self.read, MIN_TIME)
        self.cycles = [
            Cycle(runners, self._runners, self.fed) if _is_cycle(group) else None
            for group, runners in zip(plan.groups, self.groups, strict=True)
        ]
        self._steps = list(zip(self.groups, self.cycles, strict=True))

    @property
    def _sees_all(self) -> bool:
        """Whether somebody looks at events of every type."""
        return any(one.sees_all for one in self._runners) or any("" in one.streams for one in self.pipes.values())

    def settle(self, frontiers: Mapping[str, int]) -> None:
        """Note how far stages before this one are: all they will still emit of a type ends at its frontier or later."""
        for name, frontier in frontiers.items():
            self.fed[name] = max(self.fed[name], frontier)
            if not any(cycle is not None and name in cycle.own for cycle in self.cycles):
                self._settle(name)

    def handed_frontiers(self) -> dict[str, int]:
        """Return the frontier of each type that stages after this one read."""
        return {name: self.settled.derived[name] for name in sorted(self.hands)}

    def take(self, pipe: str) -> list[Value]:
        """Return what a pipe has given since the last time somebody asked."""
        given, self.pipes[pipe].given = self.pipes[pipe].given, []
        return given

    def _taken_by_rules(self, records: list[Record]) -> list[Match]:
        """Let all rules take their turn; what they emit is added to the records."""
        found: list[Match] = []
        given = len(records)
        if self.board.given:
            self.board.given.clear()
        for group, cycle in self._steps:
            told = self._plain(group, records) if cycle is None else cycle.turn(records, self.settled)
            found += [one.match for one in told]
        if self.hands:
            self.handed += [record for record in records[given:] if record.event.type in self.hands]
        if self.pipes:
            self._feed_pipes(records, found)
        return found

    def _share(self) -> None:
        """Let rules take from each other what both would detect."""
        shares = shares_of(self.plan, self.board)
        for runner in self._runners:
            runner.shares = shares.get(runner.rule.name)

    def _feed_pipes(self, records: Sequence[Record], found: Sequence[Match]) -> None:
        events = [record.event for record in records]
        frontiers = {runner.rule.name: runner.emitted_frontier() for runner in self._runners}
        for runner in self.pipes.values():
            runner.turn(events, found, self.settled, frontiers)

    def _plain(self, group: Sequence[RuleRunner], records: list[Record]) -> list[Told]:
        """Run rules that do not feed each other; what they tell is news to the groups after them."""
        every = []
        for runner in group:
            told = runner.turn(records, self.settled)
            if runner.rule.emits in self.read:
                records += [runner.record(one) for one in told]
                self._settle(runner.rule.emits)
            every += told
        return every

    def _settle(self, emits: str) -> None:
        """Move the frontier of a type with that of the rules, and of the other stages, that emit it."""
        emitted = [each.emitted_frontier() for each in self._runners if each.rule.emits == emits]
        self.settled.derived[emits] = min([self.fed.get(emits, MAX_TIME), *emitted])


@ByIdentity
def _is_cycle(group: tuple[RulePlan, ...]) -> bool:
    return feeds_itself([plan.rule for plan in group])
