"""One interpreter for every kind of physical operator."""

from collections.abc import Mapping

from cepheid.analysis.plans.plan import Kind, Operator
from cepheid.engine.operators.absence import Absence
from cepheid.engine.operators.chain import Chains
from cepheid.engine.operators.choice import ChoiceJoin
from cepheid.engine.operators.gather import Gather
from cepheid.engine.operators.instants import Latest, Suppressing, Unique
from cepheid.engine.operators.interpreter import Interpreter
from cepheid.engine.operators.join import JoinAll
from cepheid.engine.operators.plain import Filter, Points, Scan, Union
from cepheid.engine.operators.runs import Runs
from cepheid.engine.operators.skipping import Skipping

__all__ = ["Interpreter", "interpreter_of"]

INTERPRETERS: Mapping[Kind, type[Interpreter]] = {
    Kind.SCAN: Scan,
    Kind.POINTS: Points,
    Kind.UNION: Union,
    Kind.FILTER: Filter,
    Kind.JOIN: JoinAll,
    Kind.CHOICE: ChoiceJoin,
    Kind.LATEST: Latest,
    Kind.ABSENCE: Absence,
    Kind.GATHER: Gather,
    Kind.RUNS: Runs,
    Kind.CHAIN: Chains,
    Kind.DISTINCT: Unique,
    Kind.SKIP: Skipping,
    Kind.SUPPRESS: Suppressing,
}


def interpreter_of(operator: Operator) -> Interpreter:
    """Return an operator at work, with nothing in it yet."""
    return INTERPRETERS[operator.kind](operator)
