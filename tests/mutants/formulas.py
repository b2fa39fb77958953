"""Plausible wrong evaluators of temporal formulas; `pipes.py` lists them with those of pipes."""

from tests.mutants.catalogue import Mutant

_FORMULAS = "cepheid.algebra.formula_semantics"

FORMULA_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "a condition beyond the end is false",
        "Holds",
        _FORMULAS,
        """    if position >= len(seen):
        return None
    return holds(""",
        """    if position >= len(seen):
        return False
    return holds(""",
    ),
    Mutant(
        "a null condition is unknown for ever",
        "Holds",
        _FORMULAS,
        "return holds(condition, _here(seen, position, scope))",
        "return values.not_(values.not_(evaluate(condition, _here(seen, position, scope))))",
    ),
    Mutant(
        "an unknown verdict is negated to true",
        "Not",
        _FORMULAS,
        "return values.not_(verdict(inner, seen, position, scope))",
        "return not verdict(inner, seen, position, scope)",
    ),
    Mutant(
        "a conjunction of false and unknown is unknown",
        "And",
        _FORMULAS,
        "return values.and_(verdict(left, seen, position, scope), verdict(right, seen, position, scope))",
        """one, other = verdict(left, seen, position, scope), verdict(right, seen, position, scope)
            return None if one is None or other is None else one and other""",
    ),
    Mutant(
        "a disjunction is a conjunction",
        "Or",
        _FORMULAS,
        "return values.or_(verdict(left, seen, position, scope), verdict(right, seen, position, scope))",
        "return values.and_(verdict(left, seen, position, scope), verdict(right, seen, position, scope))",
    ),
    Mutant(
        "an implication is turned round",
        "Implies",
        _FORMULAS,
        "Or(Not(left), right)",
        "Or(left, Not(right))",
    ),
    Mutant(
        "next means here",
        "Next",
        _FORMULAS,
        "return verdict(inner, seen, position + 1, scope)",
        "return verdict(inner, seen, position, scope)",
    ),
    Mutant(
        "always starts at the next position",
        "Globally",
        _FORMULAS,
        "return _all(_along(inner, seen, position, within, scope))",
        "return _all(_along(inner, seen, position + 1, within, scope))",
    ),
    Mutant(
        "always is true at the end of what was seen",
        "Globally",
        _FORMULAS,
        "return _all(_along(inner, seen, position, within, scope))",
        "return _all(_along(inner, seen, position, within, scope)[: len(seen) - position])",
    ),
    Mutant(
        "finally is false at the end of what was seen",
        "Eventually",
        _FORMULAS,
        "return _any(_along(inner, seen, position, within, scope))",
        "return _any(_along(inner, seen, position, within, scope)[: len(seen) - position])",
    ),
    Mutant(
        "finally looks one value less far",
        "Eventually",
        _FORMULAS,
        "return _any(_along(inner, seen, position, within, scope))",
        "return _any(_along(inner, seen, position, within and within - 1, scope))",
    ),
    Mutant(
        "a bound of n looks at n + 1 values",
        "Globally",
        _FORMULAS,
        "position + within - 1",
        "position + within",
    ),
    Mutant(
        "until ignores what must hold",
        "Until",
        _FORMULAS,
        "goes_on = values.and_(verdict(hold, seen, index, scope), result)",
        "goes_on = result",
    ),
    Mutant(
        "until is weak: the goal need not come",
        "Until",
        _FORMULAS,
        "goes_on = values.and_(verdict(hold, seen, index, scope), result)",
        "goes_on = verdict(hold, seen, index, scope)",
    ),
    Mutant(
        "until needs its condition at the goal too",
        "Until",
        _FORMULAS,
        "result = values.or_(verdict(goal, seen, index, scope), goes_on)",
        """aim = values.or_(verdict(goal, seen, index, scope), result)
        result = values.and_(verdict(hold, seen, index, scope), aim)""",
    ),
    Mutant(
        "until is refuted by the end of what was seen",
        "Until",
        _FORMULAS,
        "result: Known = None",
        "result: Known = False",
    ),
    Mutant(
        "for all means for some",
        "ForAll",
        _FORMULAS,
        "return _all(verdicts) if isinstance(formula, ForAll) else _any(verdicts)",
        "return _any(verdicts)",
    ),
    Mutant(
        "for some means for all",
        "Exists",
        _FORMULAS,
        "return _all(verdicts) if isinstance(formula, ForAll) else _any(verdicts)",
        "return _all(verdicts)",
    ),
    Mutant(
        "a quantifier looks at the first element only",
        "ForAll",
        _FORMULAS,
        "for element in elements]",
        "for element in elements[:1]]",
    ),
    Mutant(
        "a quantified variable stands for the whole collection",
        "Exists",
        _FORMULAS,
        "_bound(scope, formula.variable, element)",
        "_bound(scope, formula.variable, elements)",
    ),
    Mutant(
        "a quantifier beyond the end ranges over nothing",
        "ForAll",
        _FORMULAS,
        """    if position >= len(seen):
        return None
    elements""",
        """    if position >= len(seen):
        return isinstance(formula, ForAll)
    elements""",
    ),
)
