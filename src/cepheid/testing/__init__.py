"""What tests of queries need: a clock to move, a notation for traces, sources made of lists, random cases, runners.

Hypothesis strategies stand in `cepheid.testing.strategies`, which is not imported here: it needs Hypothesis.
"""

from cepheid.testing.cases import Case, Kind, Shape, TraceShape, features, random_case
from cepheid.testing.clocks import MovableClock
from cepheid.testing.lists import ListSink, ListSource
from cepheid.testing.literals import literal, show_value
from cepheid.testing.matches import show_matches
from cepheid.testing.runners import DefinitionRunner, Result, Runner
from cepheid.testing.traces import show_trace, trace

__all__ = [
    "Case",
    "DefinitionRunner",
    "Kind",
    "ListSink",
    "ListSource",
    "MovableClock",
    "Result",
    "Runner",
    "Shape",
    "TraceShape",
    "features",
    "literal",
    "random_case",
    "show_matches",
    "show_trace",
    "show_value",
    "trace",
]
