"""Processors with the engine to run them: whoever hands out processors imports this."""

from typing import TYPE_CHECKING

from cepheid.algebra.graphs import doors

if TYPE_CHECKING:
    from cepheid.engine.pipes.graphs import GraphRunner


def engine_runner() -> "GraphRunner":
    """Return what runs processors in this process; the engine is loaded when the first of them runs."""
    from cepheid.engine.pipes.graphs import GraphRunner

    return GraphRunner()


doors.use(engine_runner)
