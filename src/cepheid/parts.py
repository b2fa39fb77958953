"""Parts of patterns that are made less often, moments of the clock, and the types of all parts.

>>> import cepheid as c
>>> report, noon = c.event("Report"), c.parts.daily("12:00", zone="Europe/Berlin")
>>> late = c.query((noon >> report).within("1 h"))
"""

from cepheid.algebra.builder.chains import ChainStep
from cepheid.algebra.builder.events import EventPart, GroupPart, InstantPart
from cepheid.algebra.builder.instants import daily, every, instant, weekly
from cepheid.algebra.builder.patterns import Part, pattern_of
from cepheid.algebra.builder.sequences import SequenceItem, no

__all__ = [
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
]
