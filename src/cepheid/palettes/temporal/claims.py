"""Verdicts on whole formulas: `verdict(c.always(c.holds(c.here.watts < 100)))`.

What a formula says is the algebra's `formula_semantics`, over any object; only what it still demands is kept.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from cepheid.algebra.builder.formulas import Claimed, formula_of
from cepheid.algebra.evaluation import Scope
from cepheid.algebra.formula_semantics import verdict as verdict_of
from cepheid.algebra.formulas import Formula
from cepheid.algebra.graphs.evaluation import evaluate
from cepheid.algebra.graphs.meaning import Trace, World, ends, means
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.operation import Operation
from cepheid.algebra.graphs.processors import Atom, Processor
from cepheid.algebra.text import show
from cepheid.analysis.bounds.bounds import Number
from cepheid.analysis.bounds.formula_sizes import most_demanded, positions
from cepheid.analysis.graphs.costs import EACH, SOME, BodyCost, Cost, Gives, costs


@dataclass(frozen=True, slots=True, eq=False)
class Verdict(Operation):
    """The verdict of each position, in order, as soon as it is known."""

    formula: Formula

    def text(self, *bodies: str) -> str:
        return f"verdict({show(self.formula)})"


@dataclass(frozen=True, slots=True, eq=False)
class Knowledge(Operation):
    """After each value, what is known about the first position."""

    formula: Formula

    def text(self, *bodies: str) -> str:
        return f"knowledge({show(self.formula)})"


def verdict(claim: Claimed) -> Processor:
    """Of each position: is the claim true there? It is emitted in order, as soon as it is known."""
    return Atom(Verdict(formula_of(claim)))


def knowledge(claim: Claimed) -> Processor:
    """After each value, what is known about the claim at the first position: True, False or None."""
    return Atom(Knowledge(formula_of(claim)))


def scope_of(names: Thing) -> Scope:
    """Return what a formula sees: the names of a context, and expressions over any object."""
    return Scope(variables=names, evaluation=_computed)


def _computed(expression: Thing, scope: Scope) -> Thing:
    return evaluate(expression, (scope.variables.get("$0"),), scope.variables)


@means(Verdict)
def _verdict(operation: Verdict, inputs: Sequence[Trace], world: World) -> list[Trace]:
    seen, scope = inputs[0].values, scope_of(world.names)
    verdicts: list[Thing] = []
    for place in range(len(seen)):
        known = verdict_of(operation.formula, seen, place, scope)
        if known is None:
            break
        verdicts.append(known)
    return [Trace(verdicts, ends(inputs))]


@means(Knowledge)
def _knowledge(operation: Knowledge, inputs: Sequence[Trace], world: World) -> list[Trace]:
    seen, scope = inputs[0].values, scope_of(world.names)
    told = [verdict_of(operation.formula, seen[: place + 1], 0, scope) for place in range(len(seen))]
    return [Trace(told, ends(inputs))]


@costs(Verdict)
def _cost_of_verdict(operation: Verdict, bodies: Sequence[BodyCost]) -> Cost:
    looks_at = positions(operation.formula)
    if looks_at is None:
        why = "a verdict that depends on all that comes is kept until it is known"
        return Cost(SOME, None, why, "say how far the formula looks: `c.eventually(c.holds(c.arg(0)), within=10)`")
    return Cost(Gives(late=looks_at - 1), looks_at - 1)


@costs(Knowledge)
def _cost_of_knowledge(operation: Knowledge, bodies: Sequence[BodyCost]) -> Cost:
    most = most_demanded(operation.formula)
    if isinstance(most, Number):
        return Cost(EACH, most.number)
    return Cost(EACH, None, "a quantifier may bind ever more values", "say how far the formula looks: `within=10`")
