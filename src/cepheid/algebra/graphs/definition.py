"""The definition of all processors, ready to be asked."""

from collections.abc import Sequence

from cepheid.algebra.graphs import meanings as meanings  # which says what the built-in ones give
from cepheid.algebra.graphs.meaning import Trace, World, traces_of
from cepheid.algebra.graphs.objects import Thing
from cepheid.algebra.graphs.processors import Processor

__all__ = ["Trace", "World", "outputs_of", "traces_of"]


def outputs_of(processor: Processor, *traces: Sequence[Thing], has_ended: bool = True) -> list[list[Thing]]:
    """Return what each output of a processor gives over these traces, which have ended or may go on.

    >>> from cepheid.algebra.graphs.built_in import keep_last
    >>> outputs_of(keep_last(), [1, 2]), outputs_of(keep_last(), [1, 2], has_ended=False)
    ([[2]], [[]])
    """
    given = [Trace(list(trace), has_ended) for trace in traces]
    return [list(trace.values) for trace in traces_of(processor, given, World())]
