"""Processors over any kind of event: composed with `|`, run over traces, pushed into or pulled at.

>>> from cepheid import pipes as p
>>> average = p.cumulate(p.add) / (p.turn_into(1) | p.cumulate(p.add))
>>> p.window(average, 2).run([1, 2, 6])
[1.5, 4.0]
"""

from typing import TYPE_CHECKING

from cepheid.api import processors as processors
from cepheid.on_demand import names_on_demand

if TYPE_CHECKING:
    from cepheid.algebra.builder.formulas import Item, here
    from cepheid.algebra.builder.pipes import Trace, detections, stream, total
    from cepheid.algebra.graphs.built_in import (
        apply,
        choose,
        collate,
        constant,
        cumulate,
        decimate,
        filter,  # noqa: A004  # users write `p.filter`
        fork,
        freeze,
        insert,
        keep_last,
        pack,
        passthrough,
        prefix,
        run_on,
        slice,  # noqa: A004  # users write `p.slice`
        stutter,
        successive,
        trim,
        turn_into,
        unpack,
        where,
        window,
        yield_,
    )
    from cepheid.algebra.graphs.functions import (
        NOTHING,
        add,
        and_,
        divide,
        maximum,
        minimum,
        multiply,
        or_,
        subtract,
    )
    from cepheid.algebra.graphs.processors import Processor, beside, fan
    from cepheid.algebra.graphs.terms import arg, context, field, function, if_, list_of, number, record_of, x, y, z
    from cepheid.algebra.graphs.user_processors import processor

_PLACES = {
    "cepheid.algebra.builder.formulas": ("Item", "here"),
    "cepheid.algebra.builder.pipes": ("Trace", "detections", "stream", "total"),
    "cepheid.algebra.graphs.built_in": (
        "apply",
        "choose",
        "collate",
        "constant",
        "cumulate",
        "decimate",
        "filter",
        "fork",
        "freeze",
        "insert",
        "keep_last",
        "pack",
        "passthrough",
        "prefix",
        "run_on",
        "slice",
        "stutter",
        "successive",
        "trim",
        "turn_into",
        "unpack",
        "where",
        "window",
        "yield_",
    ),
    "cepheid.algebra.graphs.functions": (
        "NOTHING",
        "add",
        "and_",
        "divide",
        "maximum",
        "minimum",
        "multiply",
        "or_",
        "subtract",
    ),
    "cepheid.algebra.graphs.processors": ("Processor", "beside", "fan"),
    "cepheid.algebra.graphs.terms": (
        "arg",
        "context",
        "field",
        "function",
        "if_",
        "list_of",
        "number",
        "record_of",
        "x",
        "y",
        "z",
    ),
    "cepheid.algebra.graphs.user_processors": ("processor",),
}

__all__ = [
    "NOTHING",
    "Item",
    "Processor",
    "Trace",
    "add",
    "and_",
    "apply",
    "arg",
    "beside",
    "choose",
    "collate",
    "constant",
    "context",
    "cumulate",
    "decimate",
    "detections",
    "divide",
    "fan",
    "field",
    "filter",
    "fork",
    "freeze",
    "function",
    "here",
    "if_",
    "insert",
    "keep_last",
    "list_of",
    "maximum",
    "minimum",
    "multiply",
    "number",
    "or_",
    "pack",
    "passthrough",
    "prefix",
    "processor",
    "record_of",
    "run_on",
    "slice",
    "stream",
    "stutter",
    "subtract",
    "successive",
    "total",
    "trim",
    "turn_into",
    "unpack",
    "where",
    "window",
    "x",
    "y",
    "yield_",
    "z",
]

__getattr__, __dir__ = names_on_demand(__name__, _PLACES)
