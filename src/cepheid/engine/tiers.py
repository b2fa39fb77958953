"""Which rules run in kernels and which in the interpreter, and a detector that has both.

The answers are the same; only the speed is not. A rule that others read is left to the interpreter, which hands its
events on.
"""

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum

from cepheid.algebra.matches import Match
from cepheid.algebra.traversal import event_types
from cepheid.analysis import Certificate, Plan
from cepheid.engine.detector import Detector
from cepheid.engine.kernels import CompiledDetector, Shape, demand_shapes, is_available, is_of_kernels, shapes_of
from cepheid.engine.premises import Excess, Premises
from cepheid.engine.promises import Usage
from cepheid.events import MAX_TIME, Arrival, Event

_MAGIC = b"cepheid-tiers\n"


class Engine(Enum):
    """How a query runs.

    AUTO         in kernels where there are some, otherwise in the interpreter
    INTERPRETER  in the interpreter
    KERNELS      in kernels, or not at all
    """

    AUTO = "auto"
    INTERPRETER = "interpreter"
    KERNELS = "kernels"


@dataclass(frozen=True, slots=True)
class Tier:
    """What runs a rule: a kernel for a shape, or the interpreter for a reason."""

    rule: str
    shape: Shape | None
    reason: str = ""

    def __str__(self) -> str:
        return f"compiled: {self.shape.core.value}" if self.shape is not None else f"interpreted: {self.reason}"


def tiers_of(plan: Plan) -> tuple[Tier, ...]:
    """Return what runs each rule of a plan where kernels may."""
    read = {name for rule in plan.rules for name in event_types(rule.rule.pattern)}
    found = []
    for rule, shape in zip(plan.rules, shapes_of(plan), strict=True):
        reason = shape if isinstance(shape, str) else _hindrance(plan, rule.rule.emits in read)
        kept = None if reason or isinstance(shape, str) else shape
        found.append(Tier(rule.rule.name, kept, reason))
    return tuple(found)


def _hindrance(plan: Plan, is_read: bool) -> str:
    if plan.program.pipes:
        return "the program has pipes"
    if any(stream.sources for stream in plan.program.streams):
        return "its events come from named sources"
    if is_read:
        return "other rules read what it emits"
    return "" if is_available() else "Numba is not installed"


@dataclass(frozen=True, slots=True)
class _Given:
    """What both kinds of detectors are made with."""

    evidence: bool
    identified: bool
    disorder: int
    certificate: Certificate | None
    on_excess: Excess

    def interpreted(self, plan: Plan, state: bytes | None) -> Detector:
        return Detector(
            plan,
            state=state,
            evidence=self.evidence,
            identified=self.identified,
            disorder=self.disorder,
            certificate=self.certificate,
            on_excess=self.on_excess,
        )

    def compiled(self, plan: Plan, state: bytes | None, premised: bool) -> CompiledDetector:
        return CompiledDetector(
            plan,
            state=state,
            evidence=self.evidence,
            identified=self.identified,
            disorder=self.disorder,
            certificate=self.certificate,
            on_excess=self.on_excess,
            premised=premised,
        )


class TieredDetector:
    """A plan at work, some of its rules in kernels; what it is told and what it tells is as `Detector` has it."""

    def __init__(
        self,
        plan: Plan,
        engine: Engine = Engine.AUTO,
        *,
        state: bytes | None = None,
        evidence: bool = True,
        identified: bool = False,
        disorder: int = 0,
        certificate: Certificate | None = None,
        on_excess: Excess = Excess.WARN,
    ) -> None:
        if engine is Engine.KERNELS:
            demand_shapes(plan)
        self.plan, self.disorder = plan, disorder
        compiled, interpreted = _split(plan, _engine_of(state, engine))
        compiled_state, interpreted_state = _states(state)
        given = _Given(evidence, identified, disorder, certificate, on_excess)
        self.interpreted = None if interpreted is None else given.interpreted(interpreted, interpreted_state)
        self.compiled = None if compiled is None else given.compiled(compiled, compiled_state, interpreted is None)

    @property
    def _parts(self) -> list[Detector | CompiledDetector]:
        return [part for part in (self.interpreted, self.compiled) if part is not None]

    @property
    def late(self) -> list[Event]:
        """The events that came too late, the caller's to empty."""
        return self._parts[0].late

    @property
    def duplicates(self) -> list[Event]:
        """The events that came again, the caller's to empty."""
        return self._parts[0].duplicates

    @property
    def frontier(self) -> int:
        """Every event still to come ends here or later."""
        return self._parts[0].frontier

    @property
    def counts(self) -> Counter[Arrival]:
        """How many events were in time, late and duplicate."""
        return self._parts[0].counts

    @property
    def premises(self) -> Premises:
        """What was declared about the input, and how far it holds."""
        return self._parts[0].premises

    def push(self, event: Event) -> list[Match]:
        """Take in an event and return the matches that are certain now."""
        return self.push_all((event,))

    def push_all(self, events: Sequence[Event]) -> list[Match]:
        """Take in events and return the matches that are certain now."""
        found = [] if self.interpreted is None else [one for event in events for one in self.interpreted.push(event)]
        if self.compiled is not None:
            found += self.compiled.push_all(events)
            if self.interpreted is not None:
                self.compiled.late.clear()
                self.compiled.duplicates.clear()
        return _ordered(found)

    def advance(self, time: int) -> list[Match]:
        """Promise that every event still to come ends at `time` or later; return what becomes certain by that."""
        return _ordered([one for part in self._parts for one in part.advance(time)])

    def close(self) -> list[Match]:
        """End the input: nothing will come any more, so everything that waits is decided."""
        return _ordered([one for part in self._parts for one in part.close()])

    def snapshot(self) -> bytes:
        """Return the whole state; a detector of the same plan goes on from it as if it had never stopped."""
        states = [part.snapshot() for part in self._parts]
        if len(states) == 1:
            return states[0]
        return b"".join((_MAGIC, json.dumps([len(one) for one in states]).encode(), b"\n", *states))

    def usage(self) -> tuple[Usage, ...]:
        """Return what is held now, beside what was promised."""
        return tuple(one for part in self._parts for one in part.usage())


def _engine_of(state: bytes | None, engine: Engine) -> Engine:
    """A state goes on where it was written."""
    if state is None:
        return engine
    return Engine.AUTO if state.startswith(_MAGIC) or is_of_kernels(state) else Engine.INTERPRETER


def _states(state: bytes | None) -> tuple[bytes | None, bytes | None]:
    """Return the state of the kernels and that of the interpreter."""
    if state is None or not state.startswith(_MAGIC):
        return (state, None) if state is not None and is_of_kernels(state) else (None, state)
    head, _, rest = state[len(_MAGIC) :].partition(b"\n")
    first, _ = json.loads(head)
    return rest[first:], rest[:first]


def _split(plan: Plan, engine: Engine) -> tuple[Plan | None, Plan | None]:
    """Return the part of a plan that kernels run, and the one that the interpreter runs."""
    if engine is Engine.INTERPRETER:
        return None, plan
    chosen = {tier.rule for tier in tiers_of(plan) if tier.shape is not None}
    rest = {rule.name for rule in plan.program.rules} - chosen
    if not chosen:
        return None, plan
    return _only(plan, chosen), _only(plan, rest) if rest else None


def _only(plan: Plan, names: set[str]) -> Plan:
    rules = tuple(rule for rule in plan.program.rules if rule.name in names)
    groups = (tuple(one for one in group if one.rule.name in names) for group in plan.groups)
    return replace(plan, program=replace(plan.program, rules=rules), groups=tuple(group for group in groups if group))


def _ordered(matches: list[Match]) -> list[Match]:
    return sorted(matches, key=lambda one: (MAX_TIME if one.known is None else one.known, one.end, one.id))
