"""Input whose events of one time come one after the other must say in which order, where they may come otherwise."""

from typing import TYPE_CHECKING

from cepheid.algebra.programs import Program, Ties
from cepheid.diagnostics import CepheidError, Diagnostic

if TYPE_CHECKING:
    from cepheid.connectors import Columns


def demand_order(program: Program, columns: "Columns", disorder: int | None) -> None:
    """Refuse a stream in which an event may come before one that stands before it, without a column that tells."""
    if program.ties is not Ties.ARRIVAL or columns.order_by:
        return
    late = max([disorder or 0, *(stream.disorder for stream in program.streams)])
    sources = {source for stream in program.streams for source in stream.sources}
    if late or (columns.source is not None and disorder is not None) or len(sources) > 1:
        raise no_order("events may come out of order" if late else "events come from several sources")


def no_order(reason: str, hint: str = 'order_by=["offset"]') -> CepheidError:
    """Return that it is not known which event of one time comes first."""
    message = f"with ties by arrival {reason}, and nothing says which of one time comes first"
    hints = (f"name a column that counts them: `{hint}`", 'let none of them follow another: `ties="simultaneous"`')
    return CepheidError(Diagnostic("no-order", message, hints=hints))
