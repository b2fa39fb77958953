"""What tests of queries need: a clock to move, a notation for traces, sources made of lists."""

from cepheid.testing.clocks import MovableClock
from cepheid.testing.lists import ListSink, ListSource
from cepheid.testing.literals import literal, show_value
from cepheid.testing.traces import show_trace, trace

__all__ = [
    "ListSink",
    "ListSource",
    "MovableClock",
    "literal",
    "show_trace",
    "show_value",
    "trace",
]
