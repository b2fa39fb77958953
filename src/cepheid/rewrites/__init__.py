"""Laws of the algebra: each is a function in a file of its own, and changes how a query is written, never its matches.

`rewrite` applies all of them; `rewriting` also tells which ones. `bounded_memory` is the transformation of the
detection algebra that pushes windows inwards.
"""

from cepheid.rewrites.bounded_memory import Bounded, bounded_memory
from cepheid.rewrites.lengths import EventLengths, event_lengths
from cepheid.rewrites.rewriting import LAWS, Context, Firing, Law, Rewriting, rewrite, rewriting

__all__ = [
    "LAWS",
    "Bounded",
    "Context",
    "EventLengths",
    "Firing",
    "Law",
    "Rewriting",
    "bounded_memory",
    "event_lengths",
    "rewrite",
    "rewriting",
]
