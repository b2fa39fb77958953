"""Plausible wrong evaluators of expressions, distances and tables."""

from tests.mutants.catalogue import Mutant

_EVALUATION = "cepheid.algebra.evaluation"

EXPRESSION_MUTANTS: tuple[Mutant, ...] = (
    Mutant(
        "a strict bound is loose",
        "Difference",
        _EVALUATION,
        "difference.low <= distance",
        "difference.low <= distance + 1",
    ),
    Mutant(
        "a closed window is open",
        "Difference",
        _EVALUATION,
        "distance <= difference.high",
        "distance < difference.high",
    ),
    Mutant(
        "a bound on what is unbound holds",
        "Difference",
        _EVALUATION,
        """    if later is None or earlier is None:
        return False
    distance""",
        """    if later is None or earlier is None:
        return True
    distance""",
    ),
    Mutant(
        "one distance of several is enough",
        "Difference",
        _EVALUATION,
        "return all(_differs(difference, scope) for difference in relation)",
        "return not relation or any(_differs(difference, scope) for difference in relation)",
    ),
    Mutant(
        "positions are times",
        "Endpoint",
        _EVALUATION,
        "if endpoint.axis is Axis.TIME:",
        "if endpoint.axis is not None:",
    ),
    Mutant(
        "the start of a part is its end",
        "Endpoint",
        _EVALUATION,
        "return part.start if endpoint.edge is Edge.START else part.end",
        "return part.end",
    ),
    Mutant(
        "the last position is the first",
        "Endpoint",
        _EVALUATION,
        "return part.low if endpoint.edge is Edge.START else part.high",
        "return part.low",
    ),
    Mutant(
        "a null condition counts as true",
        "condition",
        _EVALUATION,
        "computed(condition, scope) is True",
        "computed(condition, scope) is not False",
    ),
    Mutant(
        "null equals null",
        "equal",
        _EVALUATION,
        "values.equal(evaluate(left, scope), evaluate(right, scope)) is True",
        "evaluate(left, scope) == evaluate(right, scope)",
    ),
    Mutant(
        "null equals everything",
        "equal",
        _EVALUATION,
        "values.equal(evaluate(left, scope), evaluate(right, scope)) is True",
        "values.equal(evaluate(left, scope), evaluate(right, scope)) is not False",
    ),
    Mutant(
        "every name is bound",
        "IsBound",
        _EVALUATION,
        "return name in scope.parts or name in scope.variables",
        "return True",
    ),
    Mutant(
        "the last row of a table answers",
        "Lookup",
        _EVALUATION,
        "for row in table.rows:",
        "for row in table.rows[::-1]:",
    ),
    Mutant(
        "a key that no row has is there",
        "Lookup",
        _EVALUATION,
        "return False if column is None else None",
        "return True if column is None else None",
    ),
    Mutant(
        "the sum of nothing is zero",
        "Aggregate",
        _EVALUATION,
        "total: Value = present[0] if present else None",
        "total: Value = present[0] if present else 0",
    ),
    Mutant(
        "aggregates see nulls",
        "Aggregate",
        _EVALUATION,
        "if (value := evaluate(argument, item)) is not None]",
        "if (value := evaluate(argument, item)) is not Ellipsis]",
    ),
    Mutant(
        "the mean of some is that of all items",
        "Aggregate",
        _EVALUATION,
        "return AGGREGATES[function](present)",
        """if function == "avg":
        return arithmetic.divide(_sum(present), len(scope.items))
    return AGGREGATES[function](present)""",
    ),
)
