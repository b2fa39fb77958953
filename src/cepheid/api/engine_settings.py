"""What a detector is made of, and which engine it runs on: kernels take tables, the interpreter single events."""

from dataclasses import dataclass, field

from cepheid.analysis import Certificate, Plan
from cepheid.connectors import Reading, can_be_columns
from cepheid.diagnostics import CepheidError, Diagnostic
from cepheid.engine import (
    Detector,
    Engine,
    Excess,
    Limits,
    TieredDetector,
    demand_kernels,
    has_points,
    is_of_kernels,
    tiers_of,
)
from cepheid.events import MIN_TIME

WORTH = 512
"""From so many rows of a first table on, a detector runs in kernels where there are some, and waits for them."""

AnyEngine = Detector | TieredDetector


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What a detector is made of."""

    plan: Plan
    certificate: Certificate
    disorder: int
    evidence: bool
    on_excess: Excess
    limits: Limits = field(default_factory=dict)
    max_matches: int | None = None
    engine: Engine = Engine.AUTO
    intervals: bool = False

    def detector(self, state: bytes | None, *, identified: bool) -> AnyEngine:
        """Return the engine that a detector begins with; a state goes on where it was written."""
        if state is not None and is_of_kernels(state):
            return self.kernels(state, identified=identified)
        if self.engine is Engine.KERNELS and state is None:
            self._demand_kernels()
            return self.kernels(None, identified=identified)
        return Detector(
            self.plan,
            state=state,
            evidence=self.evidence,
            identified=identified,
            disorder=self.disorder,
            certificate=self.certificate,
            on_excess=self.on_excess,
            limits=self.limits,
            max_matches=self.max_matches,
        )

    def kernels(self, state: bytes | None, *, identified: bool) -> TieredDetector:
        return TieredDetector(
            self.plan,
            state=state,
            evidence=self.evidence,
            identified=identified,
            disorder=self.disorder,
            certificate=self.certificate,
            on_excess=self.on_excess,
        )

    def for_table(self, rows: int, now: AnyEngine, reading: Reading) -> AnyEngine:
        """Return the engine that takes a table of so many rows: before anything came, that may be another one."""
        if rows < WORTH or isinstance(now, TieredDetector) or self.engine is Engine.INTERPRETER:
            return now
        is_fresh = not now.closed and all(one.bound == MIN_TIME for one in now.arrivals.values())
        if not is_fresh or not can_be_columns(reading) or not self._takes_tables():
            return now
        return self.kernels(None, identified=False)

    def _takes_tables(self) -> bool:
        """Say whether kernels run all rules, and everything that was asked for; points of time come in steps."""
        asked = self.limits or self.max_matches is not None or self.on_excess is Excess.WAIT
        return not asked and not has_points(self.plan) and all(tier.shape is not None for tier in tiers_of(self.plan))

    def _demand_kernels(self) -> None:
        demand_kernels(self.plan, call="detector")
        if self.limits or self.max_matches is not None or self.on_excess is Excess.WAIT:
            message = '`on_excess="wait"`, `limits` and `max_matches` are for detectors that run in the interpreter'
            raise CepheidError(Diagnostic("conflicting-options", message, hints=('query.detector(engine="auto")',)))


def interpreted(engine: AnyEngine, call: str) -> Detector:
    """Return the interpreter that a detector runs on, or refuse to look into kernels."""
    if isinstance(engine, Detector):
        return engine
    message = f"`{call}` looks into the interpreter, and this detector runs in kernels"
    raise CepheidError(Diagnostic("needs-interpreter", message, hints=('query.detector(engine="interpreter")',)))
