"""Which rules run in kernels, and which in the interpreter; the answers are the same, only the speed is not."""

from dataclasses import dataclass
from enum import Enum

from cepheid.analysis import Plan
from cepheid.diagnostics import Diagnostic, Severity
from cepheid.engine.kernels import Shape, StagedShape, is_available, shapes_of

NO_COMPILER = "Numba is not installed"


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
    shape: Shape | StagedShape | None
    reason: str = ""

    def __str__(self) -> str:
        return f"compiled: {self.shape.core.value}" if self.shape is not None else f"interpreted: {self.reason}"


def tiers_of(plan: Plan) -> tuple[Tier, ...]:
    """Return what runs each rule of a plan where kernels may."""
    found = []
    for rule, shape in zip(plan.rules, shapes_of(plan), strict=True):
        reason = shape if isinstance(shape, str) else _hindrance(plan)
        kept = None if reason or isinstance(shape, str) else shape
        found.append(Tier(rule.rule.name, kept, reason))
    return tuple(found)


def _hindrance(plan: Plan) -> str:
    if plan.program.pipes:
        return "the program has pipes"
    if any(stream.sources for stream in plan.program.streams):
        return "its events come from named sources"
    return "" if is_available() else NO_COMPILER


def not_compiled(plan: Plan) -> tuple[Diagnostic, ...]:
    """Return the warning that a plan would run in kernels if there were a compiler, in one line; none where it does."""
    if is_available() or all(tier.reason != NO_COMPILER for tier in tiers_of(plan)):
        return ()
    message = f"{NO_COMPILER}, so this runs without machine code, many times slower: `pip install numba`"
    return (Diagnostic("not-compiled", message, severity=Severity.WARNING),)
