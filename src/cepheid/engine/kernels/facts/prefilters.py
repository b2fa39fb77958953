"""Conditions on whole matches that a kernel can already look at: comparisons of sums of numbers.

A kernel leaves out what is certainly false, and tells the rest. Numbers are floats there: what is none, or is a whole
number that a sum of floats might round, is NaN, of which nothing is certain. Where a kernel met nothing of the kind,
all that it tells is true; else columns keep what is true.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from cepheid.algebra.expressions import Call, Expr, Field, Literal
from cepheid.algebra.remembering import ByIdentity
from cepheid.engine.kernels.columns.exact_numbers import number_of
from cepheid.engine.kernels.compiling.typed_arrays import Data
from cepheid.engine.kernels.facts.families import CONSTANTS, Family
from cepheid.engine.kernels.facts.shapes import Shape

# What is not so, if a comparison is false for certain: NaN makes every comparison false, and is kept.
OPPOSITE = {"<": ">=", "<=": ">", ">": "<=", ">=": "<"}
MOST_TERMS = 3


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition on matches as code: two sums, and how they stand to each other where it is false."""

    condition: Expr
    left: str
    opposite: str
    right: str

    @property
    def may_be_true(self) -> str:
        return f"not ({self.left} {self.opposite} {self.right})"

    @property
    def is_sure(self) -> str:
        """Return code that asks whether both are finite, so that what the comparison says is so."""
        return f"({self.left}) - ({self.left}) + (({self.right}) - ({self.right})) == 0.0"

    @property
    def doubt(self) -> str:
        """Return code that asks whether one of them is no finite number."""
        return f"not ({self.is_sure})"


class NoNumber(Exception):  # noqa: N818  # nothing went wrong
    """An expression is more than a sum of few numbers."""


@dataclass
class Prefilters:
    """Code for what may be true of a match in the rows `p0`, `p1` ...; the fields and the constants that it reads."""

    conditions: list[Comparison] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    constants: list[Literal] = field(default_factory=list)

    def _comparison(self, condition: Expr, names: Sequence[str]) -> Comparison:
        match condition:
            case Call(operator, (left, right)) if operator in OPPOSITE:
                one, other = self._sum(left, names, MOST_TERMS), self._sum(right, names, MOST_TERMS)
                return Comparison(condition, one, OPPOSITE[operator], other)
            case _:
                raise NoNumber

    def _sum(self, expression: Expr, names: Sequence[str], terms: int) -> str:
        match expression:
            case Field(part, name) if part == CONSTANTS:
                return f"constant[q, {name}]"
            case Field(part, name) if part in names:
                if name not in self.fields:
                    self.fields.append(name)
                return f"numbers[{self.fields.index(name)}, p{names.index(part)}]"
            case Literal(value) if not np.isnan(number_of(value)):
                self.constants.append(expression)
                return f"constant[0, {len(self.constants) - 1}]"
            case Call("+" | "-" as sign, (left, right)) if terms > 1:
                return f"({self._sum(left, names, terms - 1)} {sign} {self._sum(right, names, terms - 1)})"
            case _:
                raise NoNumber

    @property
    def may_be_true(self) -> list[str]:
        return [one.may_be_true for one in self.conditions]

    @property
    def doubt(self) -> str | None:
        """Return code that asks whether anything compared is no finite number, None if nothing is compared."""
        return " or ".join(one.doubt for one in self.conditions) or None

    def add(self, condition: Expr, names: Sequence[str]) -> None:
        """Add a condition if it is a comparison of sums of what parts of these names say."""
        fields, constants = list(self.fields), list(self.constants)
        try:
            self.conditions.append(self._comparison(condition, names))
        except NoNumber:
            self.fields, self.constants = fields, constants


@ByIdentity
def prefilters(shape: Shape) -> Prefilters:
    """Return what a kernel of this shape can look at."""
    found = Prefilters()
    if shape.collect is not None:
        found.fields += [] if shape.collect.summed is None else [shape.collect.summed]
        found.constants += [Literal(test.limit) for test in shape.collect.tests]
        return found
    for condition in shape.filters:
        found.add(condition, shape.names)
    return found


def constants_of(family: Family) -> Data:
    """Return the constants that a kernel reads, a row for each rule; what is no number is NaN, and says nothing."""
    if family.shape.family:
        rows = [[number_of(value) for value in values] for values in zip(*family.constants, strict=True)]
        return np.array(rows, np.float64).reshape(len(family.members), -1)
    literals = prefilters(family.shape).constants
    return np.array([[number_of(one.value) for one in literals]], np.float64).reshape(1, -1)
