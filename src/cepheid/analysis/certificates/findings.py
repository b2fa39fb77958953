"""What there is to complain about before a rule runs: it keeps something for ever, or it can never match."""

from collections.abc import Iterator, Sequence

from cepheid.algebra.patterns import Atom, Chain, Distinct, Pattern, Repeat, Suppress
from cepheid.algebra.pipes import Fold, Pipe, Slice, Verdict
from cepheid.analysis.bounds.advice import OfRule
from cepheid.analysis.bounds.bounds import Bound, Unbounded
from cepheid.analysis.bounds.wording import ALLOW_MORE_TIME, called
from cepheid.analysis.certificates.pipe_state import ProcessorState
from cepheid.analysis.counts.state import OperatorState
from cepheid.analysis.plans.plan import RulePlan
from cepheid.diagnostics import Diagnostic, Label


def endless(
    rule: RulePlan, states: Sequence[OperatorState], entry: Bound, sizes: Sequence[Bound]
) -> Iterator[Diagnostic]:
    """Yield what a rule keeps for ever, each reason once; `sizes` are the bytes of what each operator holds."""
    told: set[str] = set()
    kept = [(_kept(state, held.pattern), held.bound) for state in states for held in state.held]
    kept += [(f"every {called(state.operator.pattern)} that waits for its instant", state.waiting) for state in states]
    kept += [(f"all that belongs to {called(s.operator.pattern)}", size) for s, size in zip(states, sizes, strict=True)]
    kept += [("how many records each key had", state.counters) for state in states]
    for what, bound in [*kept, ("every event that waits for its instant", entry)]:
        for gap in bound.gaps:
            if gap.reason not in told:
                told.add(gap.reason)
                yield _unbounded(OfRule(f"`{rule.rule.name}` keeps {what} for ever"), gap)


def _kept(state: OperatorState, pattern: Pattern) -> str:
    match pattern, state.operator.pattern:
        case _, Distinct():
            return "what it has seen"
        case _, Suppress():
            return "the end of the last match of each key"
        case Repeat() | Chain(), _ if pattern is state.operator.pattern:
            return f"runs of {called(pattern)}"
        case Atom(), _:
            return f"every {called(pattern)} event"
        case _:
            return f"every match of {called(pattern)}"


def endless_in_pipe(name: str, states: Sequence[ProcessorState], buffer: Bound) -> Iterator[Diagnostic]:
    """Yield what a pipe keeps for ever, each reason once."""
    told: set[str] = set()
    kept = [(_kept_by(state.pipe), state.entries) for state in states]
    for what, bound in [*kept, ("what waits for its instant", buffer)]:
        for gap in bound.gaps:
            if gap.reason not in told:
                told.add(gap.reason)
                yield _unbounded(f"pipe `{name}` keeps {what} for ever", gap)


def _kept_by(pipe: Pipe) -> str:
    match pipe:
        case Slice():
            return "a slice for every key"
        case Verdict():
            return "values or claims that a verdict depends on"
        case Fold(inputs=(_,)):
            return "all that it accumulates"
        case _:
            return "values that wait for others"


def _unbounded(message: str, gap: Unbounded) -> Diagnostic:
    labels = (Label(gap.place, gap.reason),) if gap.place is not None else ()
    notes = () if labels else (gap.reason,)
    return Diagnostic("unbounded-state", message, labels, hints=(gap.hint, *gap.more), notes=notes)


def never_matches(rule: RulePlan, clash: Sequence[str]) -> Diagnostic:
    """Return that a rule can never match, and which of its conditions contradict each other."""
    reasons = tuple(clash)
    place = rule.rule.pattern.span
    said = "these conditions contradict each other" if len(reasons) > 1 else "this condition contradicts itself"
    labels = (Label(place, said),) if place is not None else ()
    limited = any("<=" in reason for reason in reasons)
    hint = ALLOW_MORE_TIME if limited else "leave one of them out"
    message = OfRule(f"`{rule.rule.name}` can never match")
    return Diagnostic("never-matches", message, labels, hints=(hint,), notes=reasons)
