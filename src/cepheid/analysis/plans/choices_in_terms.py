"""An expression in which a choice is made, `max`, `min`, `abs`, `if` or `coalesce`, as those that it chooses from.

    max(now(), 3) - q        now() - q, 3 - q           the greatest of them
    q + if(v > 1, 5, w)      q + 5, q + w               one of them

Which one it is follows from the record; until when a comparison can hold follows from all of them.
"""

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

from cepheid.algebra.expressions import TRUE, Call, Expr, Literal

NULL_OF_NULL: Final = ("+", "-", "neg", "floor", "ceil", "round", "int", "float", "*", "/", "//", "%")
"""Functions that are null where one of their arguments is."""


class Chosen(Enum):
    """Which of some values it is."""

    GREATEST = auto()
    LEAST = auto()
    ONE = auto()


@dataclass(frozen=True, slots=True)
class Choice:
    """The values, each with a condition that holds where it is taken, and which of them it is."""

    options: tuple[tuple[Expr, Expr], ...]
    chosen: Chosen

    def among(self, function: str, arguments: tuple[Expr, ...], place: int) -> "Choice":
        """Return the choice that is made in one of the arguments of a function."""
        options = [(when, (*arguments[:place], one, *arguments[place + 1 :])) for when, one in self.options]
        chosen = _FALLING[self.chosen] if function == "neg" or (function == "-" and place == 1) else self.chosen
        if function in ("*", "/", "//", "%"):
            chosen = Chosen.ONE  # which way it goes depends on a sign
        return Choice(tuple((when, Call(function, some)) for when, some in options), chosen)


_FALLING = {Chosen.GREATEST: Chosen.LEAST, Chosen.LEAST: Chosen.GREATEST, Chosen.ONE: Chosen.ONE}


def choice_in(expression: Expr) -> Choice | None:
    """Return the first choice that is made in an expression."""
    match expression:
        case Call("max", arguments):
            return Choice(tuple((TRUE, one) for one in arguments), Chosen.GREATEST)
        case Call("min", arguments):
            return Choice(tuple((TRUE, one) for one in arguments), Chosen.LEAST)
        case Call("abs", (inner,)):
            return Choice(((TRUE, inner), (TRUE, Call("neg", (inner,)))), Chosen.GREATEST)
        case Call("if", (condition, yes, no)):
            otherwise = Call("not", (Call("coalesce", (condition, Literal(False))),))
            return Choice(((condition, yes), (otherwise, no)), Chosen.ONE)
        case Call("coalesce", arguments):
            return Choice(tuple((TRUE, one) for one in arguments), Chosen.ONE)
        case Call(function, arguments) if function in NULL_OF_NULL:
            inside = ((place, choice_in(one)) for place, one in enumerate(arguments))
            found = next(((place, one) for place, one in inside if one is not None), None)
            return None if found is None else found[1].among(function, arguments, found[0])
        case _:
            return None
