"""How a pipe is cut for Spark: what keeps nothing, a slice if one follows, and all that comes behind.

where(p) | slice(f, P) | window(Q, 5)     everywhere | by the key f | in one partition
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce

from cepheid.algebra.graphs.built_in import passthrough
from cepheid.algebra.graphs.operations import Slice
from cepheid.algebra.graphs.processors import Atom, Chain, Processor, joined
from cepheid.algebra.graphs.refusals import refusal


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a pipe; `rest` is None where nothing comes behind."""

    everywhere: Processor
    slices: Slice | None
    rest: Processor | None


def parts_of(processor: Processor) -> Parts:
    """Return the parts of a pipe with one input and one output."""
    if processor.inputs != 1 or processor.outputs != 1:
        told = f"a pipe over a frame has one input and one output, this one {processor.inputs} and {processor.outputs}"
        raise refusal(told, "join its outputs with `p.collate`")
    links = list(_links(processor))
    first: list[Processor] = []
    while links and links[0].outputs == 1 and _keeps_nothing(links[0]):
        first.append(links.pop(0))
    slices: Slice | None = None
    match links[:1]:
        case [Atom(Slice() as found)]:
            slices = found
            del links[0]
    everywhere = reduce(joined, first) if first else passthrough()
    return Parts(everywhere, slices, reduce(joined, links) if links else None)


def _links(processor: Processor) -> Iterator[Processor]:
    ahead = [processor]
    while ahead:
        one = ahead.pop()
        if isinstance(one, Chain):
            ahead += [one.second, one.first]
        else:
            yield one


def _keeps_nothing(processor: Processor) -> bool:
    return processor.inputs == 1 and processor.certificate(lead=1).entries == 0
