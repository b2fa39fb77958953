"""The Python builder: patterns, queries and programs, written with Python's own operators and checked by its types.

    a, b = event("A"), event("B")
    rise = query((a >> b).within("1 s").where(b.value > a.value), name="Rise", values={"delta": b.value - a.value})
    rise.run([{"type": "A", "time": 1, "value": 3}, {"type": "B", "time": 2, "value": 5}])

What is built are nodes of the algebra, and nothing is evaluated before a query runs.
"""

from typing import TYPE_CHECKING

from cepheid.on_demand import names_on_demand

if TYPE_CHECKING:
    from cepheid.algebra.builder.aggregates import (
        avg,
        count,
        first,
        last,
        list_of,
        maximum,
        minimum,
        sum,  # noqa: A004  # users write `c.agg.sum`
    )
    from cepheid.algebra.builder.calls import (
        TermFunction,
        bound,
        coalesce,
        function,
        greatest,
        if_,
        least,
        lookup,
        variable,
    )
    from cepheid.algebra.builder.chains import ChainStep, chain, step
    from cepheid.algebra.builder.declarations import declare, table
    from cepheid.algebra.builder.events import EventPart, GroupPart, InstantPart, any_event, event
    from cepheid.algebra.builder.formulas import (
        Claim,
        Item,
        always,
        eventually,
        for_every,
        for_some,
        here,
        holds,
        next_,
    )
    from cepheid.algebra.builder.groups import collect, repeat
    from cepheid.algebra.builder.instants import daily, every, instant, weekly
    from cepheid.algebra.builder.patterns import Part, both, either, pattern_of, then
    from cepheid.algebra.builder.pipes import (
        Trace,
        choose,
        collate,
        detections,
        stream,
        total,
        transition,
        yield_,
    )
    from cepheid.algebra.builder.queries import Query, QueryProgram, program, query
    from cepheid.algebra.builder.records import Extent, Record, hull
    from cepheid.algebra.builder.relations import (
        after,
        contains,
        during,
        equals,
        finished_by,
        finishes,
        meets,
        met_by,
        overlapped_by,
        overlaps,
        par,
        started_by,
        starts,
    )
    from cepheid.algebra.builder.runners import add_runner
    from cepheid.algebra.builder.sequences import SequenceItem, no, sequence, take
    from cepheid.algebra.builder.terms import Operand, Term, constant

__all__ = [
    "ChainStep",
    "Claim",
    "EventPart",
    "Extent",
    "GroupPart",
    "InstantPart",
    "Item",
    "Operand",
    "Part",
    "Query",
    "QueryProgram",
    "Record",
    "SequenceItem",
    "Term",
    "TermFunction",
    "Trace",
    "add_runner",
    "after",
    "always",
    "any_event",
    "avg",
    "both",
    "bound",
    "chain",
    "choose",
    "coalesce",
    "collate",
    "collect",
    "constant",
    "contains",
    "count",
    "daily",
    "declare",
    "detections",
    "during",
    "either",
    "equals",
    "event",
    "eventually",
    "every",
    "finished_by",
    "finishes",
    "first",
    "for_every",
    "for_some",
    "function",
    "greatest",
    "here",
    "holds",
    "hull",
    "if_",
    "instant",
    "last",
    "least",
    "list_of",
    "lookup",
    "maximum",
    "meets",
    "met_by",
    "minimum",
    "next_",
    "no",
    "overlapped_by",
    "overlaps",
    "par",
    "pattern_of",
    "program",
    "query",
    "repeat",
    "sequence",
    "started_by",
    "starts",
    "step",
    "stream",
    "sum",
    "table",
    "take",
    "then",
    "total",
    "transition",
    "variable",
    "weekly",
    "yield_",
]

__getattr__, __dir__ = names_on_demand(
    __name__,
    {
        "cepheid.algebra.builder.aggregates": ("avg", "count", "first", "last", "list_of", "maximum", "minimum", "sum"),
        "cepheid.algebra.builder.calls": (
            "TermFunction",
            "bound",
            "coalesce",
            "function",
            "greatest",
            "if_",
            "least",
            "lookup",
            "variable",
        ),
        "cepheid.algebra.builder.chains": ("ChainStep", "chain", "step"),
        "cepheid.algebra.builder.declarations": ("declare", "table"),
        "cepheid.algebra.builder.events": ("EventPart", "GroupPart", "InstantPart", "any_event", "event"),
        "cepheid.algebra.builder.formulas": (
            "Claim",
            "Item",
            "always",
            "eventually",
            "for_every",
            "for_some",
            "here",
            "holds",
            "next_",
        ),
        "cepheid.algebra.builder.groups": ("collect", "repeat"),
        "cepheid.algebra.builder.instants": ("daily", "every", "instant", "weekly"),
        "cepheid.algebra.builder.patterns": ("Part", "both", "either", "pattern_of", "then"),
        "cepheid.algebra.builder.pipes": (
            "Trace",
            "choose",
            "collate",
            "detections",
            "stream",
            "total",
            "transition",
            "yield_",
        ),
        "cepheid.algebra.builder.sequences": ("SequenceItem", "no", "sequence", "take"),
        "cepheid.algebra.builder.queries": ("Query", "QueryProgram", "program", "query"),
        "cepheid.algebra.builder.records": ("Extent", "Record", "hull"),
        "cepheid.algebra.builder.relations": (
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
        "cepheid.algebra.builder.runners": ("add_runner",),
        "cepheid.algebra.builder.terms": ("Operand", "Term", "constant"),
    },
)
