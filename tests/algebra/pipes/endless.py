"""Temporal logic over words that never end: a stem, then a loop for ever. The exact truth, found by fixpoints.

A verdict over a prefix of such a word must never contradict this. Nothing here shares a line with the definition.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hypothesis import strategies as st

from cepheid.algebra.evaluation import Scope, evaluate
from cepheid.algebra.formulas import (
    And,
    Eventually,
    Exists,
    ForAll,
    Formula,
    Globally,
    Holds,
    Implies,
    Next,
    Not,
    Or,
    Until,
)
from cepheid.events import Value
from tests.algebra.pipes.pipe_strategies import VALUES

Truth = list[bool]
Bindings = Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Endless:
    """The word `stem loop loop loop ...`; its positions are those of the stem and of one loop."""

    stem: tuple[Value, ...]
    loop: tuple[Value, ...]

    @property
    def letters(self) -> tuple[Value, ...]:
        return self.stem + self.loop

    def after(self, position: int, steps: int = 1) -> int:
        beyond = position + steps - len(self.stem)
        return position + steps if beyond < 0 else len(self.stem) + beyond % len(self.loop)

    def first(self, count: int) -> list[Value]:
        return [self.letters[self.after(0, index)] for index in range(count)]


WORDS = st.builds(
    Endless,
    st.lists(VALUES, max_size=3).map(tuple),
    st.lists(VALUES, min_size=1, max_size=3).map(tuple),
)


def truth(formula: Formula, word: Endless, bound: Bindings) -> Truth:
    """Return at which positions of the word the formula is true."""

    def of(inner: Formula) -> Truth:
        return truth(inner, word, bound)

    match formula:
        case Holds(condition):
            return [evaluate(condition, _scope(bound, letter)) is True for letter in word.letters]
        case Not(inner):
            return [not known for known in of(inner)]
        case And(left, right):
            return [one and other for one, other in zip(of(left), of(right), strict=True)]
        case Or(left, right):
            return [one or other for one, other in zip(of(left), of(right), strict=True)]
        case Implies(left, right):
            return [other if one else True for one, other in zip(of(left), of(right), strict=True)]
        case ForAll() | Exists():
            return _quantified(formula, word, bound)
        case _:
            return _in_time(formula, word, of)


def _in_time(formula: Formula, word: Endless, of: Callable[[Formula], Truth]) -> Truth:
    places = range(len(word.letters))
    match formula:
        case Next(inner):
            here = of(inner)
            return [here[word.after(place)] for place in places]
        case Globally(inner, within):
            here, reach = of(inner), within or len(places) * 2
            return [all(here[word.after(place, step)] for step in range(reach)) for place in places]
        case Eventually(inner, within):
            here, reach = of(inner), within or len(places) * 2
            return [any(here[word.after(place, step)] for step in range(reach)) for place in places]
        case Until(hold, goal):
            return [_reached(word, place, of(hold), of(goal)) for place in places]
        case _:
            raise AssertionError(formula)


def _reached(word: Endless, place: int, hold: Truth, goal: Truth) -> bool:
    for _ in range(len(word.letters) * 2):
        if goal[place]:
            return True
        if not hold[place]:
            return False
        place = word.after(place)
    return False


def _quantified(formula: ForAll | Exists, word: Endless, bound: Bindings) -> Truth:
    combine = all if isinstance(formula, ForAll) else any
    result = []
    for place, letter in enumerate(word.letters):
        domain = evaluate(formula.domain, _scope(bound, letter))
        elements = domain if isinstance(domain, tuple) else () if domain is None else (domain,)
        inner = (truth(formula.formula, word, {**bound, formula.variable: element}) for element in elements)
        result.append(combine([known[place] for known in inner]))
    return result


def _scope(bound: Bindings, letter: Value) -> Scope:
    return Scope(variables={**bound, "$0": letter})
