"""What the steps of a chain ask of records, as code: of a record alone, of numbers, of keys, or of the algebra itself.

What an atom asks of a record alone is a mask. What it asks of a record and the variables of a run is compared in the
kernel where both are numbers whose sums are exact, or where one must equal, or differ from, the other. Where that is
not certain, or more is asked, there is doubt, and somebody else must say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from cepheid.algebra.expressions import Call, Expr, Field, IsBound, Literal, Variable, conjuncts
from cepheid.algebra.patterns import Atom
from cepheid.algebra.programs import EVENT
from cepheid.algebra.traversal import walk
from cepheid.engine.kernels.columns.exact_numbers import EXACT, number_of
from cepheid.engine.kernels.columns.key_numbers import MARKED
from cepheid.engine.kernels.facts.prefilters import MOST_TERMS, OPPOSITE, Comparison, NoNumber
from cepheid.engine.kernels.stages.stages import of_event

Coded = tuple[Expr, bool]
"""An expression over a record whose value has a number as a key; and whether it is for an equality."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What an atom asks: of the record alone, what may be true of it and a run, and when that is in doubt.

    `equal` are the variables that something of the record must equal, with the place of its column of keys.
    """

    alone: tuple[Expr, ...]
    may_be: str
    doubt: str
    equal: Mapping[str, int]


@dataclass
class Conditions:
    """Code for conditions over a record `i` and the node `q`; what it reads of records, and its constants.

    `variables` are in the order in which nodes have them; `coded` are those whose values have numbers as keys, and
    `summed` those that were read as numbers so far.
    """

    variables: Sequence[str]
    coded: frozenset[str]
    codes: list[Coded] = field(default_factory=list)
    numbers: list[Expr] = field(default_factory=list)
    constants: list[float] = field(default_factory=lambda: [float("nan")])
    summed: set[str] = field(default_factory=set)

    def asked(self, atom: Atom | None) -> Asked:
        """Return what an atom asks; no atom asks nothing."""
        alone, code, doubt, equal = list[Expr](), list[str](), list[str](), dict[str, int]()
        for one in conjuncts(None if atom is None else atom.where):
            assert atom is not None
            if is_alone(one, atom.name):
                alone.append(of_event(one, atom.name))
                continue
            try:
                true, unsure = self._condition(one, atom.name)
            except NoNumber:
                true, unsure = "True", "True"
            code.append(true)
            doubt.append(unsure)
            equal |= self._equality(one, atom.name)
        return Asked(tuple(alone), _joined(code, "and", "True"), _joined(doubt, "or", "False"), equal)

    def let(self, variable: str, value: Expr, name: str) -> list[str]:
        """Return the lines that bind a variable at a new node."""
        place = self.variables.index(variable)
        if is_alone(value, name):
            own, lines = of_event(value, name), list[str]()
            if variable not in self.coded or variable in self.summed:
                lines.append(f"value[{place}, q] = numbers[{self._number(own)}, i]")
            if variable in self.coded:
                lines.append(f"code[{place}, q] = codes[{self._code(own, equal=False)}, i]")
            return lines
        try:
            told = self._sum(value, name, MOST_TERMS)
        except NoNumber:
            return [f"value[{place}, q] = constant[0]"]
        return [f"told_ = {told}", f"value[{place}, q] = told_ if abs(told_) < {float(EXACT)} else constant[0]"]

    def _equality(self, condition: Expr, name: str) -> dict[str, int]:
        match condition:
            case Call("==", (Variable(variable), other)) | Call("==", (other, Variable(variable))):
                if variable in self.coded and is_alone(other, name):
                    return {variable: self._code(of_event(other, name), equal=True)}
        return {}

    def _condition(self, condition: Expr, name: str) -> tuple[str, str]:
        """Return code that says whether a condition may be true, and whether that is in doubt."""
        match condition:
            case Call(operator, (left, right)) if operator in OPPOSITE:
                one, other = self._sum(left, name, MOST_TERMS), self._sum(right, name, MOST_TERMS)
                compared = Comparison(condition, one, OPPOSITE[operator], other)
                return compared.may_be_true, compared.doubt
            case Call("==", (Variable() as one, other)) | Call("==", (other, Variable() as one)):
                key, bound = self._keys(one, other, name, equal=True)
                return f"({key} >= 0 and {key} == {bound})", "False"
            case Call("!=", (Variable() as one, other)) | Call("!=", (other, Variable() as one)):
                key, bound = self._keys(one, other, name, equal=False)
                odd = f"(spaces[{key}] == {MARKED} or spaces[{bound}] == {MARKED})"
                differ = f"({key} != {bound} and spaces[{key}] == spaces[{bound}])"
                return f"({key} >= 0 and {bound} >= 0 and ({odd} or {differ}))", odd
            case Call("is_null", (Variable(variable),)) if variable in self.coded:
                return f"{self._key_of(variable)} < 0", "False"
            case Call("not", (Call("is_null", (Variable(variable),)),)) if variable in self.coded:
                return f"{self._key_of(variable)} >= 0", "False"
            case Call("or", some):
                each, unsure = zip(*(self._condition(one, name) for one in some), strict=True)
                return _joined(each, "or", "False"), _joined(unsure, "or", "False")
            case _:
                raise NoNumber

    def _keys(self, variable: Variable, other: Expr, name: str, *, equal: bool) -> tuple[str, str]:
        if variable.name not in self.coded or not is_alone(other, name):
            raise NoNumber
        return f"codes[{self._code(of_event(other, name), equal=equal)}, i]", self._key_of(variable.name)

    def _key_of(self, variable: str) -> str:
        return f"code[{self.variables.index(variable)}, q]"

    def _sum(self, expression: Expr, name: str, terms: int) -> str:
        match expression:
            case Variable(variable) if variable in self.variables:
                self.summed.add(variable)
                return f"value[{self.variables.index(variable)}, q]"
            case Literal(value) if not np.isnan(number_of(value)):
                self.constants.append(number_of(value))
                return f"constant[{len(self.constants) - 1}]"
            case Field() if is_alone(expression, name):
                return f"numbers[{self._number(of_event(expression, name))}, i]"
            case Call("+" | "-" as sign, (left, right)) if terms > 1:
                return f"({self._sum(left, name, terms - 1)} {sign} {self._sum(right, name, terms - 1)})"
            case _:
                raise NoNumber

    def _number(self, expression: Expr) -> int:
        if expression not in self.numbers:
            self.numbers.append(expression)
        return self.numbers.index(expression)

    def _code(self, expression: Expr, *, equal: bool) -> int:
        """Return which line the keys are in; in the first one are those that the rule is detected by."""
        if (expression, equal) not in self.codes:
            self.codes.append((expression, equal))
        return 1 + self.codes.index((expression, equal))


def compares_keys(node: object, variable: str) -> bool:
    """Say whether it is asked if a variable equals something, or is null."""
    calls = (one for one in walk(node) if isinstance(one, Call) and one.function in ("==", "!=", "is_null"))
    return any(Variable(variable) in call.arguments for call in calls)


def is_alone(expression: Expr, name: str) -> bool:
    """Say whether an expression reads nothing but the record of that name; what is not there is null."""
    for node in walk(expression):
        if isinstance(node, Variable | IsBound) or (isinstance(node, Field) and node.part not in (name, EVENT)):
            return False
    return True


def _joined(code: Sequence[str], word: str, nothing: str) -> str:
    known = [one for one in code if one != nothing]
    return "(" + f" {word} ".join(known) + ")" if known else nothing
