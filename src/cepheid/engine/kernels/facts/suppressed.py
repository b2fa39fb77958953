"""Which suppressions kernels can run: their keys are columns, and sums with their spans are numbers."""

from cepheid.algebra.expressions import Expr
from cepheid.algebra.patterns import Suppress
from cepheid.engine.kernels.facts.declining import Declined, readable
from cepheid.engine.kernels.facts.time_bounds import LONGEST


def key_of(suppress: Suppress, *, variables: bool = False) -> tuple[Expr, ...]:
    """Return by what a suppression keeps matches apart; `variables`: those of runs can be read."""
    if suppress.apart > LONGEST:
        raise Declined("a span is too long to compute with")
    for expression in suppress.by:
        readable(expression, hull=False, variables=variables)
    return suppress.by
