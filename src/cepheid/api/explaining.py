"""Explain a query stage by stage, and an error by its code."""

from typing import Literal, TypeAlias, get_args

from cepheid.algebra.programs import Program
from cepheid.analysis import Plan, describe_bounds, describe_closure, describe_plan
from cepheid.api.texts import QueryText
from cepheid.diagnostics import CepheidError, Diagnostic, close_match, explain
from cepheid.languages import language_named

__all__ = ["STAGES", "Stage", "described", "explain"]

Stage: TypeAlias = Literal["parsed", "algebra", "rewritten", "closure", "plan", "bounds", "json"]
STAGES: tuple[Stage, ...] = get_args(Stage)


def described(
    stage: str, text: QueryText | None, program: Program, rewritten: Program, plan: Plan, disorder: int
) -> str:
    """Return what a query is at a stage; what was built in Python was never parsed, so its algebra is shown."""
    match stage:
        case "parsed" if text is not None:
            return text.described()
        case "parsed" | "algebra":
            return language_named("cep").show(program)
        case "rewritten":
            return language_named("cep").show(rewritten)
        case "closure":
            return describe_closure(plan)
        case "plan":
            return f"{describe_plan(plan)}\n\n{_engine(plan)}"
        case "bounds":
            return describe_bounds(plan, disorder)
        case "json":
            return language_named("json").show(program)
        case _:
            raise _unknown_stage(stage)


def _engine(plan: Plan) -> str:
    """Return what runs each rule, where kernels may."""
    from cepheid.engine import tiers_of  # the engine is heavy, and other stages do without

    return "\n".join(f"rule `{tier.rule}` runs {tier}" for tier in tiers_of(plan))


def _unknown_stage(stage: str) -> CepheidError:
    closest = close_match(stage, STAGES)
    hint = f"did you mean `{closest}`?" if closest else f"the stages are {', '.join(f'`{one}`' for one in STAGES)}"
    return CepheidError(Diagnostic("unknown-stage", f"a query has no stage `{stage}`", hints=(hint,)))
