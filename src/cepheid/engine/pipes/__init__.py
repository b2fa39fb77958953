"""Pipes at work: one processor for every node, fed turn by turn."""

from cepheid.algebra.pipes import Detect, Fold, Gate, Map, Pipe, Resample, Slice, Source, Verdict, Window
from cepheid.engine.pipes.bodies import SliceProcessor, WindowProcessor
from cepheid.engine.pipes.processor import Feed, Processor
from cepheid.engine.pipes.simple import (
    DetectProcessor,
    FoldProcessor,
    GateProcessor,
    MapProcessor,
    ResampleProcessor,
    SourceProcessor,
)
from cepheid.engine.pipes.verdicts import KnowledgeProcessor, VerdictProcessor

__all__ = ["Feed", "Processor", "processor_of"]


def processor_of(pipe: Pipe) -> Processor:
    """Return a pipe at work, with nothing in it yet.

    >>> processor_of(Source(stream="P")).turn(Feed())
    []
    """
    inputs = [processor_of(each) for each in pipe.inputs]
    match pipe:
        case Source():
            return SourceProcessor(pipe)
        case Detect():
            return DetectProcessor(pipe)
        case Map():
            return MapProcessor(pipe, inputs)
        case Fold():
            return FoldProcessor(pipe, inputs)
        case Gate():
            return GateProcessor(inputs)
        case Resample():
            return ResampleProcessor(pipe, inputs)
        case Window(body=body):
            return WindowProcessor(pipe, inputs[0], lambda: processor_of(body))
        case Slice(body=body):
            return SliceProcessor(pipe, inputs[0], lambda: processor_of(body))
        case Verdict(three_valued=True):
            return KnowledgeProcessor(pipe, inputs[0])
        case Verdict():
            return VerdictProcessor(pipe, inputs[0])
        case _:
            raise AssertionError(f"not a pipe: {pipe!r}")
