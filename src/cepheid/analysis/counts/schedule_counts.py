"""How many points of a schedule can lie in a span."""

from cepheid.algebra.expressions import Call, Literal
from cepheid.algebra.patterns import Instant
from cepheid.analysis.bounds.bounds import ONE, Bound, Number, Unbounded
from cepheid.analysis.bounds.spans import Span
from cepheid.analysis.bounds.wording import ADD_A_WINDOW
from cepheid.events import Duration

DAY = Duration.days(1).ticks
# Between two days the offset of a zone can change, once from one edge of the world's offsets to the other.
MOST_CHANGE_OF_OFFSET = Duration.hours(26).ticks


def most_points(instant: Instant, span: Span) -> Bound:
    """Return the most points of a schedule in any such span.

    >>> every = Call("every", (Literal(10), Literal(0)))
    >>> str(most_points(Instant("t", every), Span(25)))
    '3'
    """
    match instant.schedule:
        case Call("at", _):
            return ONE
        case _ if span.ticks is None:
            return span.gap or Unbounded(
                f"nothing limits how many points `{instant.name}` has", instant.span, ADD_A_WINDOW
            )
        case Call("every", (Literal(int() as period), _)):
            return Number(span.ticks // period + 1)
        case Call("daily" | "weekly" as name, arguments):
            period = DAY if name == "daily" else 7 * DAY
            moved = 0 if arguments[-1] == Literal("UTC") else MOST_CHANGE_OF_OFFSET
            return Number((span.ticks + moved) // period + 1)
        case _:
            raise AssertionError(f"not a schedule: {instant.schedule!r}")
