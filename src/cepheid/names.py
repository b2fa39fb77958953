"""The names at the top of `cepheid`: what most queries need, and what they give. The others stand in namespaces.

Every name was at the top once, and is still found there by those who ask for it.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cepheid.on_demand import names_on_demand

if TYPE_CHECKING:
    from cepheid.algebra.builder import (
        add_runner,
        any_event,
        both,
        chain,
        collect,
        declare,
        either,
        event,
        repeat,
        sequence,
        step,
        take,
        then,
    )
    from cepheid.algebra.matches import Match
    from cepheid.api import (
        CompiledQuery,
        QueryDetector,
        Report,
        Run,
        Wait,
        check,
        compile,  # noqa: A004  # users write `cepheid.compile`
    )
    from cepheid.api.engine_runner import Query, QueryProgram, program, query
    from cepheid.diagnostics import CepheidError
    from cepheid.events import Duration, Event, interval, point

__all__ = [
    "CepheidError",
    "CompiledQuery",
    "Duration",
    "Event",
    "Match",
    "Query",
    "QueryDetector",
    "QueryProgram",
    "Report",
    "Run",
    "Wait",
    "add_runner",
    "any_event",
    "both",
    "chain",
    "check",
    "collect",
    "compile",
    "declare",
    "either",
    "event",
    "interval",
    "point",
    "program",
    "query",
    "repeat",
    "sequence",
    "step",
    "take",
    "then",
]

NAMESPACES: Final[Mapping[str, tuple[str, ...]]] = {
    "agg": ("avg", "count", "first", "last", "list_of", "maximum", "minimum", "sum"),
    "allen": (
        "after",
        "contains",
        "during",
        "equals",
        "finished_by",
        "finishes",
        "meets",
        "met_by",
        "overlapped_by",
        "overlaps",
        "par",
        "started_by",
        "starts",
    ),
    "dbapi": (),
    "esql": (),
    "ltl": ("Claim", "always", "eventually", "for_every", "for_some", "holds", "next_"),
    "parts": (
        "ChainStep",
        "EventPart",
        "GroupPart",
        "InstantPart",
        "Part",
        "SequenceItem",
        "daily",
        "every",
        "instant",
        "no",
        "pattern_of",
        "weekly",
    ),
    "pipes": ("Item", "Trace", "detections", "here", "stream", "total"),
    "terms": (
        "NEVER",
        "Extent",
        "Operand",
        "Record",
        "Term",
        "TermFunction",
        "bound",
        "coalesce",
        "constant",
        "function",
        "greatest",
        "hull",
        "if_",
        "least",
        "lookup",
        "register",
        "table",
        "variable",
    ),
}
"""The namespaces, each a module of its name, and what is in them; `pipes` has its own processors beside these."""

ONCE_AT_THE_TOP: Final[Mapping[str, tuple[str, ...]]] = {
    "cepheid.algebra.builder.pipes": ("choose", "collate", "transition", "yield_"),
}
"""Names that are in no namespace any more, and are still found at the top, by their modules."""

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "cepheid.algebra.builder": (
            "add_runner",
            "any_event",
            "both",
            "chain",
            "collect",
            "declare",
            "either",
            "event",
            "repeat",
            "sequence",
            "step",
            "take",
            "then",
        ),
        "cepheid.algebra.matches": ("Match",),
        "cepheid.api": ("CompiledQuery", "QueryDetector", "Report", "Run", "Wait", "check", "compile"),
        "cepheid.api.engine_runner": ("Query", "QueryProgram", "program", "query"),
        "cepheid.diagnostics": ("CepheidError",),
        "cepheid.events": ("Duration", "Event", "interval", "point"),
    },
)
