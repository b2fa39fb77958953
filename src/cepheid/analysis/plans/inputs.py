"""What a program wants of its input: the types and the fields that it reads."""

from dataclasses import replace

from cepheid.algebra.expressions import TYPE, Field
from cepheid.algebra.patterns import Atom, Instant
from cepheid.algebra.pipes import INPUT, Source
from cepheid.algebra.programs import Program
from cepheid.algebra.remembering import ByIdentity
from cepheid.algebra.traversal import event_types, walk
from cepheid.analysis.plans.plan import Plan


def input_types(program: Program) -> frozenset[str]:
    """Return the types that rules and pipes read and that no rule emits."""
    piped = {node.stream for node in walk(program.pipes) if isinstance(node, Source)} - {INPUT, ""}
    return (event_types(program.rules) | piped) - {rule.emits for rule in program.rules}


@ByIdentity
def types_that_matter(plan: Plan) -> frozenset[str] | None:
    """Return the types that alone decide about the matches of finite input; None where all do.

    Those are the types that the rules read, unless one reads any event, counts events, or reads points of time, which
    lie between the first event of the input and the last.
    """
    if plan.program.pipes or any(rule.counts_records for rule in plan.rules):
        return None
    nodes = list(walk(plan.program.rules))
    if any(isinstance(node, Instant) or (isinstance(node, Atom) and not node.types) for node in nodes):
        return None
    return event_types(plan.program.rules)  # also those that a rule emits: the input may have such events too


@ByIdentity
def from_one_source(plan: Plan) -> Plan:
    """Return the plan for input that comes from one place, whatever sources its streams declare."""
    streams = tuple(replace(stream, sources=()) for stream in plan.program.streams)
    return replace(plan, program=replace(plan.program, streams=streams))


@ByIdentity
def fields_read(program: Program) -> frozenset[str] | None:
    """Return the names of the fields that a program reads; None where it may read any."""
    if program.pipes:
        return None
    read = {node.name for node in walk((program.rules, program.tables)) if isinstance(node, Field)}
    return frozenset(read - {TYPE})
