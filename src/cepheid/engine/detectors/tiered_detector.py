"""A detector with both tiers: some rules in kernels, the others in the interpreter.

A rule that others read is left to the interpreter, which hands its events on. A state goes on where it was written.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from cepheid.algebra.matches import Match
from cepheid.algebra.remembering import ByIdentity
from cepheid.analysis import Certificate, Plan
from cepheid.analysis.keys.stages import Stage
from cepheid.connectors import EventColumns
from cepheid.engine.clock.output_order import in_output_order
from cepheid.engine.clock.settled import ANYWHERE
from cepheid.engine.detectors.detector import Detector
from cepheid.engine.detectors.tiers import Engine, tiers_of
from cepheid.engine.kernels import CompiledDetector, Found, demand_shapes, is_of_kernels, no_kernel
from cepheid.engine.kernels.compiling.typed_arrays import Mask
from cepheid.engine.limits.premises import Excess, Premises
from cepheid.engine.state.sealing import sealed, unsealed
from cepheid.engine.watching.promises import Usage
from cepheid.events import MAX_TIME, MIN_TIME, Arrival, Disorder, Event

_MAGIC = b"cepheid-tiers\n"


@dataclass(frozen=True, slots=True)
class Given:
    """What detectors of every kind are made with."""

    evidence: bool
    identified: bool
    disorder: int
    certificate: Certificate | None
    on_excess: Excess
    stage: Stage | None = None
    max_matches: int | None = None
    ids: bool = True

    def tiered(self, plan: Plan, engine: Engine) -> "TieredDetector":
        return TieredDetector(
            plan,
            engine,
            evidence=self.evidence,
            identified=self.identified,
            disorder=self.disorder,
            certificate=self.certificate,
            on_excess=self.on_excess,
            ids=self.ids,
        )

    def interpreted(self, plan: Plan, state: bytes | None) -> Detector:
        return Detector(
            plan,
            state=state,
            evidence=self.evidence,
            identified=self.identified,
            disorder=self.disorder,
            certificate=self.certificate,
            on_excess=self.on_excess,
            stage=self.stage,
            max_matches=self.max_matches,
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
            ids=self.ids,
        )


def demand_kernels(plan: Plan, stage: Stage | None = None, call: str = "run") -> None:
    """Refuse what cannot run in kernels alone, and say why; a stage is left to the interpreter."""
    if stage is not None:
        raise no_kernel(f"`{plan.rules[0].rule.name}` runs apart from rules that it reads, or that read it", call)
    demand_shapes(plan, call)


class TieredDetector:
    """A plan at work, some of its rules in kernels; what it is told and what it tells is as `Detector` has it.

    A `stage` is left to the interpreter: its rules read what others emit, or others read what they emit.
    """

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
        stage: Stage | None = None,
        ids: bool = True,
    ) -> None:
        if engine is Engine.KERNELS:
            demand_kernels(plan, stage)
        self.plan, self.disorder = plan, disorder
        chosen = _engine_of(state, engine) if stage is None else Engine.INTERPRETER
        compiled, interpreted = _split(plan, chosen)
        compiled_state, interpreted_state = _states(state)
        given = Given(evidence, identified, disorder, certificate, on_excess, stage, ids=ids)
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

    def clock(self, source: str = ANYWHERE) -> int:
        """Return how far a source has come: every event still to come from it ends there or later."""
        return self._parts[0].clock(source)

    def latest(self, source: str = ANYWHERE) -> int:
        """Return the greatest end that a source has brought."""
        return self._parts[0].latest(source)

    def so_far(self, source: str = ANYWHERE) -> tuple[int, int | None]:
        """Return how far a source has come, and the time that it is measured by, None where nothing came yet."""
        bound = self.clock(source)
        return bound, None if bound == MIN_TIME else self.latest(source)

    def push(self, event: Event, source: str = ANYWHERE) -> list[Match]:
        """Take in an event and return the matches that are certain now."""
        return self.push_all((event,), source)

    def push_all(self, events: Sequence[Event], source: str = ANYWHERE) -> list[Match]:
        """Take in events of a source and return the matches that are certain now."""
        slow = self.interpreted
        found = [] if slow is None else [one for event in events for one in slow.push(event, source)]
        if self.compiled is not None:
            found += self.compiled.push_all(events)
            if self.interpreted is not None:
                self.compiled.late.clear()
                self.compiled.duplicates.clear()
        return in_output_order(found, self.plan)

    def push_numbered(self, event: Event, source: str = ANYWHERE) -> list[Match]:
        """Take in an event that is called by its position, as those of columns are, and return what is certain now."""
        assert self.compiled is not None
        self.compiled.clock(source)
        return self.compiled.push_events((event,), by_position=True).matches()

    @property
    def takes_columns(self) -> bool:
        """Whether all of it runs in kernels, to which columns can be given."""
        return self.interpreted is None

    @property
    def is_watchful(self) -> bool:
        """Whether it looks at events to see if they come as was declared."""
        premises = self.premises
        return bool(premises.declared or premises.keys.most)

    def push_columns(self, events: EventColumns) -> Found | list[Match]:
        """Take in events that were read by column; return the matches that are certain now, in columns if they can be.

        Where events may break what was declared, they are looked at one by one.
        """
        assert self.compiled is not None
        found = self.take_columns(events)
        return self.compiled.push_all(events.objects()) if found is None else found

    def take_columns(self, events: EventColumns) -> Found | None:
        """Take in events that were read by column; None, and nothing is taken, where they may break what was declared.

        `accepted` says which of them were taken.
        """
        assert self.compiled is not None
        return self.compiled.push_columns(events)

    @property
    def accepted(self) -> Mask | None:
        """Which events of the last batch were taken; None is all of them."""
        assert self.compiled is not None
        return self.compiled.run.accepted

    def push_events(self, events: Sequence[Event], *, by_position: bool) -> Found:
        """Take in events; return the matches that are certain now in columns.

        `by_position`: events are called by their positions, which order simultaneous ones too.
        """
        assert self.compiled is not None
        return self.compiled.push_events(events, by_position=by_position)

    def advance_columns(self, time: int) -> Found:
        """Promise that every event still to come ends at `time` or later; return what is certain by that in columns."""
        assert self.compiled is not None
        return self.compiled.advance_columns(time)

    def close_columns(self) -> Found:
        """End the input, and return what was still waiting in columns."""
        assert self.compiled is not None
        return self.compiled.close_columns()

    def advance(self, time: int, source: str = ANYWHERE) -> list[Match]:
        """Promise that every event still to come ends at `time` or later; return what becomes certain by that."""
        return in_output_order([one for part in self._parts for one in part.advance(time, source)], self.plan)

    def end(self, source: str = ANYWHERE) -> list[Match]:
        """End the only source: nothing comes from it any more."""
        return self.advance(MAX_TIME, source)

    def behind(self, sources: Iterable[str]) -> str:
        """Return that of some sources which has come the least far."""
        return min(sources, key=self.clock)

    @property
    def arrivals(self) -> dict[str, Disorder]:
        """What came from the only source, where kernels run everything."""
        assert self.compiled is not None
        return {ANYWHERE: self.compiled.run.admission.arrivals}

    @property
    def closed(self) -> bool:
        """Whether the input has ended."""
        return any(part.closed for part in self._parts)

    def close(self) -> list[Match]:
        """End the input: nothing will come any more, so everything that waits is decided."""
        return in_output_order([one for part in self._parts for one in part.close()], self.plan)

    def snapshot(self) -> bytes:
        """Return the whole state; a detector of the same plan goes on from it as if it had never stopped."""
        states = [part.snapshot() for part in self._parts]
        if len(states) == 1:
            return states[0]
        return sealed(_MAGIC, b"".join((json.dumps([len(one) for one in states]).encode(), b"\n", *states)))

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
    head, _, rest = unsealed(_MAGIC, state, "snapshot of a detector").partition(b"\n")
    first, _ = json.loads(head)
    return rest[first:], rest[:first]


def _split(plan: Plan, engine: Engine) -> tuple[Plan | None, Plan | None]:
    """Return the part of a plan that kernels run, and the one that the interpreter runs."""
    return (None, plan) if engine is Engine.INTERPRETER else _in_tiers(plan)


@ByIdentity
def _in_tiers(plan: Plan) -> tuple[Plan | None, Plan | None]:
    # Parts that are the same each time are looked into once, however many detectors are made.
    chosen = {tier.rule for tier in tiers_of(plan) if tier.shape is not None}
    rest = {rule.name for rule in plan.program.rules} - chosen
    if not chosen:
        return None, plan
    return _only(plan, chosen), _only(plan, rest) if rest else None


def _only(plan: Plan, names: set[str]) -> Plan:
    rules = tuple(rule for rule in plan.program.rules if rule.name in names)
    groups = (tuple(one for one in group if one.rule.name in names) for group in plan.groups)
    return replace(plan, program=replace(plan.program, rules=rules), groups=tuple(group for group in groups if group))
