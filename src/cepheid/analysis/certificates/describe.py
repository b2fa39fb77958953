"""What the analysis found, as text for a person: what follows from the conditions, the plan, and its bounds."""

from collections.abc import Iterator, Mapping, Sequence

from cepheid.algebra.patterns import Suppress
from cepheid.algebra.pipes import Pipe
from cepheid.algebra.relations import Axis, Edge
from cepheid.analysis.bounds.arrivals import Rates
from cepheid.analysis.bounds.bounds import NOTHING, spoken_time
from cepheid.analysis.bounds.wording import called, told_apart
from cepheid.analysis.certificates.certified_rule import Promise
from cepheid.analysis.certificates.pipe_state import arrival_buffer, processor_states
from cepheid.analysis.certificates.pipe_tree import kind_of, pipe_called, processors
from cepheid.analysis.closures.facts import Facts, facts_about
from cepheid.analysis.closures.tree import Path, below, name_of, positive
from cepheid.analysis.counts.counts import Counts
from cepheid.analysis.counts.state import OperatorState, entry_buffer, operator_states
from cepheid.analysis.plans.plan import Forbidding, Kind, Operator, Plan, Reach, Retention, RulePlan
from cepheid.analysis.plans.sharing import Shared, below_operator, shared_operators

KEPT = {
    Retention.QUEUE: "keeps the best, and later ones that only some partners can take",
    Retention.BEST: "keeps only the best of each side",
    Retention.LAST: "keeps of runs that are equal only the one that started last",
}


def describe_closure(plan: Plan) -> str:
    """Return what follows from the conditions of every rule about the distances of its parts.

    >>> from cepheid.languages.cep import read_program
    >>> from cepheid.analysis.plans.planner import plan_of
    >>> print(describe_closure(plan_of(read_program("rule r: (a: A then b: B within 5 s) emits R"))))
    rule `r`
      a match is 1 us to 5 s long
      `b` ends 1 us to 5 s after `a`
    """
    return "\n\n".join("\n".join(_closure(plan, rule)) for rule in plan.rules)


def describe_plan(plan: Plan) -> str:
    """Return the operators of every rule, with what each reads and how long things wait in it, and of every pipe."""
    pipes = ["\n".join(_pipe(name, pipe)) for name, pipe in plan.program.pipes.items()]
    shared = shared_operators(plan)
    rules = ["\n".join(_plan(rule, shared.get(rule.rule.name, {}))) for rule in plan.rules]
    return "\n\n".join([*rules, *pipes])


def describe_bounds(plan: Plan, disorder: int = 0) -> str:
    """Return what operators and processors hold at most, as a formula and as a number where arrivals are declared.

    >>> from cepheid.languages.cep import read_program
    >>> from cepheid.analysis.plans.planner import plan_of
    >>> print(describe_bounds(plan_of(read_program("rule r: (a: A then b: B within 5 s) emits R"))))
    rule `r`
      2 join holds `A`: arrivals(A, 5 s)
    """
    allowed = max([disorder, *(stream.disorder for stream in plan.program.streams)])
    pipes = ["\n".join(_pipe_bounds(plan, name, pipe, allowed)) for name, pipe in plan.program.pipes.items()]
    return "\n\n".join([*("\n".join(_bounds(plan, rule, allowed)) for rule in plan.rules), *pipes])


def _closure(plan: Plan, rule: RulePlan) -> Iterator[str]:
    yield f"rule `{rule.rule.name}`"
    clash = rule.facts.clash()
    if clash:
        yield f"  can never match: {'; '.join(clash)}"
        return
    yield f"  a match is {_range(rule.facts, (), Edge.START, (), Edge.END)} long"
    parts = list(_named(rule))
    for number, (name, path) in enumerate(parts):
        for earlier, other in parts[:number]:
            yield f"  `{name}` ends {_after(rule.facts, other, path)} `{earlier}`"
    if rule.facts.simplified:
        yield "  (there are too many cases, so some of what would follow is left out)"
    if rule.counts_records:
        yield from _records(facts_about(rule.rule.pattern, plan.lengths, Axis.POSITION), parts)


def _named(rule: RulePlan) -> Iterator[tuple[str, Path]]:
    def inside(path: Path) -> Iterator[tuple[str, Path]]:
        node = rule.rule.pattern
        for number in path:
            node = below(node)[number]
        name = name_of(node)
        if name is not None:
            yield name, path
        for number, _ in enumerate(positive(node)):
            yield from inside((*path, number))

    yield from inside(())


def _range(facts: Facts, earlier: Path, first: Edge, later: Path, last: Edge) -> str:
    high = facts.distance(later, last, earlier, first).high
    back = facts.distance(earlier, first, later, last).high
    low = None if back is None else -back
    return "of any length" if high is None and not low else _spoken(low or 0, high)


def _spoken(low: int, high: int | None) -> str:
    if high is None:
        return f"{spoken_time(low)} or more"
    return spoken_time(low) if low == high else f"{spoken_time(low)} to {spoken_time(high)}"


def _after(facts: Facts, earlier: Path, later: Path) -> str:
    """Return when one part ends, seen from the end of another."""
    high = facts.distance(later, Edge.END, earlier, Edge.END).high
    back = facts.distance(earlier, Edge.END, later, Edge.END).high
    if high is None and back is None:
        return "any time before or after"
    if high is not None and high < 0:
        return f"{_spoken(-high, back)} before"
    if back is not None and back <= 0:
        return f"{_spoken(-back, high)} after"
    before = "any time" if back is None else f"up to {spoken_time(back)}"
    after = "any time" if high is None else f"up to {spoken_time(high)}"
    return f"{before} before to {after} after"


def _records(facts: Facts, parts: list[tuple[str, Path]]) -> Iterator[str]:
    for number, (name, path) in enumerate(parts):
        for earlier, other in parts[:number]:
            high = facts.distance(path, Edge.END, other, Edge.END).high
            if high is not None:
                yield f"  `{name}` is at most {high} records after `{earlier}`"


def _plan(rule: RulePlan, shared: Mapping[int, Shared]) -> Iterator[str]:
    yield f"rule `{rule.rule.name}`"
    if rule.counts_records:
        yield "  its events are put in order first, because their places count"
    idle = {number for root in shared for number in below_operator(rule, root)} - shared.keys()
    for operator in (one for one in rule.operators if one.number not in idle):
        if operator.number in shared:
            owner, what = shared[operator.number], called(operator.pattern)
            yield f"  {operator.number} as {owner.number} of rule `{owner.rule}`, which detects it: {what}"
            continue
        yield f"  {operator.number} {_operator(operator)}"
        yield from (f"      {said}" for said in _waits(operator))
    yield f"  a match is certain {_late(rule.root.delay)}"


def _operator(operator: Operator) -> str:
    reads = f" of {', '.join(str(number) for number in operator.inputs)}" if operator.inputs else ""
    return f"{operator.kind.value}{reads}: {called(operator.pattern)}"


def _waits(operator: Operator) -> Iterator[str]:
    parts = told_apart(below(operator.pattern))
    if operator.kind not in (Kind.RUNS, Kind.CHAIN):
        for (one, other), reach in sorted(operator.reach.items()):
            yield f"{parts[one]} waits {_wait(reach)} for {parts[other]}"
    if operator.retention in KEPT:
        yield KEPT[operator.retention]
    if operator.successive:
        yield f"{parts[1]} starts no earlier than any {parts[0]} ended, so that two of these are enough"
    if operator.forbidding is not None:
        yield _forbids(operator.forbidding, parts)
    if isinstance(operator.pattern, Suppress):
        yield f"keeps for {spoken_time(operator.pattern.apart)} the end of the last match of each key"
    if operator.orders:
        yield "sees an instant when it is complete"


def _forbids(rule: Forbidding, parts: Sequence[str]) -> str:
    if rule.after is not None:
        return f"keeps of {parts[1]} only the first to end after each left part of {parts[0]} that waits"
    return f"keeps of {parts[1]} only the latest, and those that some matches to come are too early for"


def _wait(reach: Reach) -> str:
    if not reach.possible or (reach.ends is not None and reach.ends < 0):
        return "not at all"
    if reach.ends is not None:
        return spoken_time(reach.ends)
    return "for ever" if reach.records is None else f"{reach.records} records"


def _late(delay: int | None) -> str:
    if delay is None:
        return "when the input ends"
    return "at once" if delay == 0 else f"{spoken_time(delay)} after its end"


def _bounds(plan: Plan, rule: RulePlan, disorder: int) -> Iterator[str]:
    counts, rates = Counts(plan), Rates.of(plan.program)
    yield f"rule `{rule.rule.name}`"
    entry = entry_buffer(counts, rule, disorder)
    if entry != NOTHING:
        yield f"  events that wait for their instant: {Promise.of(entry, rates)}"
    for state in operator_states(counts, rule, disorder):
        yield from (f"  {said}" for said in _state(state, rates))


def _state(state: OperatorState, rates: Rates) -> Iterator[str]:
    name = f"{state.operator.number} {state.operator.kind.value}"
    for held in state.held:
        if held.bound != NOTHING:
            because = "".join(f" ({gap.reason})" for gap in held.bound.gaps[:1])
            yield f"{name} holds {called(held.pattern)}: {Promise.of(held.bound, rates)}{because}"
    if state.waiting != NOTHING:
        yield f"{name} puts in order: {Promise.of(state.waiting, rates)}"


def _pipe(name: str, pipe: Pipe) -> Iterator[str]:
    yield f"pipe `{name}`"
    yield from (
        f"  {number} {type(one).__name__.lower()}: {pipe_called(one)}" for number, one in enumerate(processors(pipe))
    )


def _pipe_bounds(plan: Plan, name: str, pipe: Pipe, disorder: int) -> Iterator[str]:
    counts, rates = Counts(plan), Rates.of(plan.program)
    yield f"pipe `{name}`"
    for number, state in enumerate(processor_states(counts, pipe)):
        if state.entries != NOTHING:
            because = "".join(f" ({gap.reason})" for gap in state.entries.gaps[:1])
            yield f"  {number} {kind_of(state.pipe)} holds: {Promise.of(state.entries, rates)}{because}"
    yield f"  what waits for its instant: {Promise.of(arrival_buffer(counts, pipe, disorder), rates)}"
