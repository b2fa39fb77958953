"""What repetitions ask of neighbours, as code: comparisons of sums of numbers; all else must be asked."""

from functools import cache

from cepheid.algebra.expressions import Expr
from cepheid.engine.kernels.compiling.written import Flag
from cepheid.engine.kernels.facts.prefilters import Prefilters
from cepheid.engine.kernels.plans.run_bounds import NEXT, PREVIOUS


@cache
def linking(link: tuple[Expr, ...]) -> Prefilters:
    """Return what a kernel can look at of the conditions on neighbours."""
    found = Prefilters()
    for condition in link:
        found.add(condition, (PREVIOUS, NEXT))
    return found


@cache
def link_flags(link: tuple[Expr, ...]) -> dict[str, Flag]:
    """Return what differs in the kernel for runs whose neighbours satisfy some conditions."""
    if not link:
        return {"LINKED": False}
    found = linking(link)
    doubt = "True" if len(found.conditions) < len(link) else found.doubt
    return {
        "LINKED": True,
        "may_follow": _helper("may_follow", " and ".join(found.may_be_true) or "True"),
        "is_doubtful": _helper("is_doubtful", str(doubt)),
    }


def _helper(name: str, code: str) -> str:
    return f"def {name}(p0, p1, numbers, constant):\n    return {code}\n"
