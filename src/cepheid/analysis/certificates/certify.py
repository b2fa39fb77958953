"""From a plan to its certificate."""

from cepheid.algebra.pipes import Pipe
from cepheid.algebra.relations import Axis
from cepheid.algebra.traversal import named_parts
from cepheid.analysis.bounds.arrivals import Rates
from cepheid.analysis.bounds.bound_algebra import product, total
from cepheid.analysis.bounds.bounds import Bound
from cepheid.analysis.bounds.wording import called
from cepheid.analysis.certificates.certificate import Certificate
from cepheid.analysis.certificates.certified_pipe import PipeCertificate, ProcessorCertificate
from cepheid.analysis.certificates.certified_rule import (
    HistoryCertificate,
    OperatorCertificate,
    Promise,
    RuleCertificate,
)
from cepheid.analysis.certificates.findings import endless, endless_in_pipe, never_matches
from cepheid.analysis.certificates.pipe_state import ProcessorState, arrival_buffer, processor_states
from cepheid.analysis.certificates.pipe_tree import kind_of, pipe_called
from cepheid.analysis.closures.facts import facts_about
from cepheid.analysis.counts.chain_table import ChainRuns, words
from cepheid.analysis.counts.counts import Counts
from cepheid.analysis.counts.entry_sizes import EntrySizes
from cepheid.analysis.counts.state import Held, OperatorState, entry_buffer, operator_states
from cepheid.analysis.counts.work import work_per_event
from cepheid.analysis.keys.keys import PartitionKey, partition_key
from cepheid.analysis.plans.plan import KEPT_APART, Kind, Plan, RulePlan


def certify(plan: Plan, disorder: int = 0) -> Certificate:
    """Return what a plan needs at most, where `disorder` ticks are allowed to every source besides what is declared.

    >>> from cepheid.languages.cep import read_program
    >>> from cepheid.analysis.plans.planner import plan_of
    >>> query = "stream A rate 5 per 1 s  rule r: (a: A then b: B within 2 s) emits R"
    >>> str(certify(plan_of(read_program(query))).state)
    '15 = arrivals(A, 2 s)'
    """
    allowed = max([disorder, *(stream.disorder for stream in plan.program.streams)])
    rates = Rates.of(plan.program)
    rules = tuple(_certified(plan, rule, allowed, rates) for rule in plan.rules)
    pipes = tuple(_certified_pipe(plan, name, pipe, allowed, rates) for name, pipe in plan.program.pipes.items())
    return Certificate(rules, rates, allowed, pipes)


def _certified(plan: Plan, rule: RulePlan, disorder: int, rates: Rates) -> RuleCertificate:
    counts = Counts(plan)
    states = operator_states(counts, rule, disorder)
    entry = entry_buffer(counts, rule, disorder)
    clash, key = _clash(plan, rule), partition_key(rule.rule)
    sizes = [_size(EntrySizes(counts, rule), state) for state in states]
    findings = [never_matches(rule, clash)] if clash else list(endless(rule, states, entry, sizes))
    return RuleCertificate(
        rule.rule.name,
        clash,
        tuple(_operator(state, size, rates) for state, size in zip(states, sizes, strict=True)),
        Promise.of(entry, rates),
        None if key is None else Promise.of(_within(plan, rule, disorder, key), rates),
        Promise.of(work_per_event(states), rates),
        rule.root.delay,
        rule.root.back,
        rule.root.lag,
        key,
        tuple(findings),
    )


def _clash(plan: Plan, rule: RulePlan) -> tuple[str, ...]:
    """Return the conditions that contradict each other, none if the rule can match."""
    return rule.facts.clash() or facts_about(rule.rule.pattern, plan.lengths, Axis.POSITION).clash()


def _within(plan: Plan, rule: RulePlan, disorder: int, key: PartitionKey) -> Bound:
    """Return the state of one key alone."""
    states = operator_states(Counts(plan, within_key=key), rule, disorder)
    return total(*(state.entries for state in states))


def _size(sizes: EntrySizes, state: OperatorState) -> Bound:
    """Return the bytes of what an operator holds: runs and chains hold what they make, others what they are given."""
    operator = state.operator
    if operator.kind is Kind.SUPPRESS:
        return product(state.entries, sizes.of_key(operator.pattern))
    own = operator.kind in (Kind.RUNS, Kind.CHAIN)
    numbers = [operator.number] if own else operator.inputs
    return total(*(product(held.bound, sizes.of(number)) for held, number in zip(state.held, numbers, strict=False)))


def _operator(state: OperatorState, size: Bound, rates: Rates) -> OperatorCertificate:
    return OperatorCertificate(
        state.operator.number,
        state.operator.kind,
        called(state.operator.pattern),
        Promise.of(state.entries, rates),
        Promise.of(size, rates),
        Promise.of(state.waiting, rates),
        tuple(_history(held, rates) for held in state.held if state.operator.kind in KEPT_APART),
        next((_runs(held.runs, rates) for held in state.held if held.runs is not None), None),
    )


def _runs(runs: ChainRuns, rates: Rates) -> str:
    begun, every = Promise.of(runs.begun, rates), Promise.of(runs.every, rates)
    merged = "" if runs.merged is None else str(Promise.of(runs.merged, rates))
    return words(runs, str(begun), str(every) if every.bounded else "without bound", merged)


def _history(held: Held, rates: Rates) -> HistoryCertificate:
    return HistoryCertificate(" with ".join(dict.fromkeys(named_parts(held.pattern))), Promise.of(held.bound, rates))


def _certified_pipe(plan: Plan, name: str, pipe: Pipe, disorder: int, rates: Rates) -> PipeCertificate:
    counts = Counts(plan)
    states, buffer = processor_states(counts, pipe), arrival_buffer(counts, pipe, disorder)
    return PipeCertificate(
        name,
        tuple(_processor(number, state, rates) for number, state in enumerate(states)),
        Promise.of(buffer, rates),
        tuple(endless_in_pipe(name, states, buffer)),
    )


def _processor(number: int, state: ProcessorState, rates: Rates) -> ProcessorCertificate:
    entries = Promise.of(state.entries, rates)
    return ProcessorCertificate(number, kind_of(state.pipe), pipe_called(state.pipe), entries)
