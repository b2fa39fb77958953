"""Random queries and traces that mean something: small, well formed, mostly with matches, and of every kind.

`random_case(seed)` needs nothing but the standard library; `cepheid.testing.strategies` hands the same makers to
Hypothesis.
"""

from cepheid.testing.cases.arrivals import random_cuts, random_disordered, random_duplicates
from cepheid.testing.cases.case import Case, draw_case, random_case
from cepheid.testing.cases.draw import Draw, seeded
from cepheid.testing.cases.events import TYPES, TraceShape, random_trace
from cepheid.testing.cases.features import features
from cepheid.testing.cases.patterns import random_pattern
from cepheid.testing.cases.programs import random_program
from cepheid.testing.cases.sketches import Kind, Shape

__all__ = [
    "TYPES",
    "Case",
    "Draw",
    "Kind",
    "Shape",
    "TraceShape",
    "draw_case",
    "features",
    "random_case",
    "random_cuts",
    "random_disordered",
    "random_duplicates",
    "random_pattern",
    "random_program",
    "random_trace",
    "seeded",
]
