"""Read lengths of time in expressions: a lone number beside one is in the unit of the text.

start(b) - end(a) <= 5        end(a) + 5        instant t: every(5)
"""

from lark import Token, v_args

from cepheid.algebra.expressions import Call, Expr, Literal
from cepheid.algebra.text.lengths import is_length
from cepheid.diagnostics import Source
from cepheid.events import Duration
from cepheid.languages.cep.placed import PlacedReader
from cepheid.languages.cep.surroundings import Surroundings

_SCHEDULES = ("at", "every")


@v_args(inline=True)
class LengthReader(PlacedReader):
    """The rules of the grammar that make lengths in expressions."""

    def __init__(self, source: Source, surroundings: Surroundings) -> None:
        super().__init__(source, surroundings)
        self._with_unit: list[Expr] = []

    def length(self, token: Token) -> Expr:
        found = Literal(Duration.parse(str(token), self.place_of(token)).ticks)
        self._with_unit.append(found)
        return found

    def infix(self, left: Expr, operator: str, right: Expr) -> Expr:
        call = Call(operator, (left, right))
        sides = (self._in_unit(side) if is_length(call, at) else side for at, side in enumerate(call.arguments))
        return Call(operator, tuple(sides))

    def scheduled(self, schedule: Expr) -> Expr:
        """Return when an instant is, where its lone numbers are times and lengths."""
        if isinstance(schedule, Call) and schedule.function in _SCHEDULES:
            return Call(schedule.function, tuple(map(self._in_unit, schedule.arguments)))
        return schedule

    def _in_unit(self, number: Expr) -> Expr:
        """Return a lone number in ticks; anything else is what it is."""
        match number:
            case Literal(bool()):
                return number
            case Literal(int() as count) if not any(number is one for one in self._with_unit):
                return Literal(count * self.surroundings.time_unit)
            case _:
                return number
