"""Which candidates of a join count."""

from dataclasses import dataclass
from enum import Enum

from cepheid.algebra.expressions import Expr


class Choice(Enum):
    """How many of the candidates are taken, and which.

    ALL            every one
    LATEST_START   per end instant: the one with the latest start
    RECENT         per completing match (the later one in order): the opposite match before it that ended last
    CHRONOLOGICAL  per completing match, in order: the opposite one that started first and is not consumed; both
                   are consumed
    NEXT           per left match: the first right candidate in order
    STRICT         the right match starts at the position after the left one's last
    """

    ALL = "all"
    LATEST_START = "latest-start"
    RECENT = "recent"
    CHRONOLOGICAL = "chronological"
    NEXT = "next"
    STRICT = "strict"


@dataclass(frozen=True, slots=True)
class Policy:
    """A choice, made separately for every value of `per` (null is no value: nothing is chosen for it).

    Among candidates that the choice cannot tell apart the one with the greatest `tie` is taken; these expressions
    read the candidate as `$candidate` or by its own names. The total order decides what is left. With `by_arrival`
    starts and ends are compared by the arrivals that they are, not by their times.
    """

    choice: Choice
    per: tuple[Expr, ...] = ()
    tie: tuple[Expr, ...] = ()
    by_arrival: bool = False


ALL = Policy(Choice.ALL)
LATEST_START = Policy(Choice.LATEST_START)
