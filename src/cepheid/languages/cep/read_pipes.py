"""Read pipes and the formulas of temporal logic in them."""

from dataclasses import replace

from lark import Token, v_args

from cepheid.algebra.expressions import Expr
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
from cepheid.algebra.pipes import Detect, Fold, Gate, Map, Pipe, Resample, Slice, Source, Verdict, Window
from cepheid.languages.cep.lengths import Length
from cepheid.languages.cep.placed import PlacedReader


@v_args(inline=True)
class PipeReader(PlacedReader):
    """The rules of the grammar that make pipes."""

    def piped(self, *pipes: Pipe) -> Pipe:
        *inputs, stage = pipes
        return replace(stage, inputs=tuple(inputs))

    def stream_source(self, stream: str) -> Pipe:
        return Source(stream=stream)

    def events(self) -> Pipe:
        return Source(stream="")

    def body_input(self) -> Pipe:
        return Source()

    def detect(self, rule: str) -> Pipe:
        return Detect(rule=rule)

    def mapped(self, function: Expr) -> Pipe:
        return Map(function=function)

    def fold(self, step: Expr, initial: Expr, output: Expr | None) -> Pipe:
        return Fold(step=step, initial=initial, output=output)

    def resample(self, *changes: tuple[str, int]) -> Pipe:
        said = dict(changes)
        return Resample(
            skip=said.get("skip", 0),
            every=said.get("every", 1),
            limit=said.get("limit"),
            copies=said.get("copies", 1),
        )

    def resample_clause(self, name: str, number: Token) -> tuple[str, int]:
        return name, self.number_of(number)

    def resampling(self, token: Token) -> str:
        return str(token)

    def gate(self) -> Pipe:
        return Gate()

    def windowed(self, count: Token | None, length: Length | None, body: Pipe) -> Pipe:
        longest = None if length is None else self.in_time(length)
        return Window(body=body, count=None if count is None else self.number_of(count), length=longest)

    def sliced(self, key: Expr, gather: str, body: Pipe) -> Pipe:
        return Slice(body=body, key=key, gather=gather)

    def verdict(self, three_valued: Token | None, formula: Formula) -> Pipe:
        return Verdict(formula=formula, three_valued=three_valued is not None)


@v_args(inline=True)
class FormulaReader(PlacedReader):
    """The rules of the grammar that make formulas."""

    def implies(self, left: Formula, right: Formula) -> Formula:
        return Implies(left, right)

    def either_holds(self, left: Formula, right: Formula) -> Formula:
        return Or(left, right)

    def both_hold(self, left: Formula, right: Formula) -> Formula:
        return And(left, right)

    def until(self, hold: Formula, goal: Formula) -> Formula:
        return Until(hold, goal)

    def holds(self, condition: Expr) -> Formula:
        return Holds(condition)

    def fails(self, formula: Formula) -> Formula:
        return Not(formula)

    def next_holds(self, formula: Formula) -> Formula:
        return Next(formula)

    def always(self, within: Token | None, formula: Formula) -> Formula:
        return Globally(formula, None if within is None else self.number_of(within))

    def eventually(self, within: Token | None, formula: Formula) -> Formula:
        return Eventually(formula, None if within is None else self.number_of(within))

    def forall(self, variable: str, domain: Expr, formula: Formula) -> Formula:
        return ForAll(variable, domain, formula)

    def exists(self, variable: str, domain: Expr, formula: Formula) -> Formula:
        return Exists(variable, domain, formula)
