"""Tuples that are made only to be filtered and taken apart are never made.

fan(P, Q) | collate("e", "m") | where(x["e"]["close"] > x["m"]) | apply(x["e"])
fan(P, Q) | fan(pick(0), pick(1), apply(x["close"] > y)) | filter(2) | pick(0)
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from cepheid.algebra.expressions import Call, Expr, Field, Literal, Variable
from cepheid.algebra.graphs import built_in
from cepheid.algebra.graphs.functions import Function
from cepheid.algebra.graphs.native_calls import NativeCall
from cepheid.algebra.graphs.operation import Apply
from cepheid.algebra.graphs.operations import Collate, Where
from cepheid.algebra.graphs.processors import Atom, Chain, Pick, Processor, fan, joined

__all__ = ["fused"]


def fused(processor: Processor) -> Processor:
    """Return a chain in which no tuple is made that is only filtered and taken apart."""
    links = list(_links(processor))
    for place in range(len(links) - 2):
        match links[place : place + 3]:
            case [Atom(Collate(count, names)), Atom(Where(Function(term=Expr() as test))), Atom(Apply((function,)))]:
                made = _made(count, names, test, function)
                if made is not None:
                    return reduce(joined, [*links[:place], *made, *links[place + 3 :]])
    return processor


def _made(count: int, names: tuple[str, ...], test: Expr, function: Function) -> list[Processor] | None:
    condition = _unpacked(test, names)
    taken = None if function.term is None else _unpacked(function.term, names)
    if not names or condition is None or taken is None:
        return None
    picks = [Pick(count, place) for place in range(count)]
    kept = Atom(Apply((Function(count, condition),)))
    if isinstance(taken, Variable):
        return [fan(picks[int(taken.name[1:])], kept), built_in.filter(1)]
    return [fan(*picks, kept), built_in.filter(count), Atom(Apply((Function(count, taken),)))]


def _unpacked(term: Expr, names: tuple[str, ...]) -> Expr | None:
    """Return a term over the parts of a tuple as one over inputs; None where it reads the tuple itself."""
    match term:
        case Field("$0", name) if name in names:
            return Variable(f"${names.index(name)}")
        case Call(function, arguments):
            parts = _all_unpacked(arguments, names)
            return None if parts is None else Call(function, parts)
        case NativeCall(arguments=arguments):
            parts = _all_unpacked(arguments, names)
            return None if parts is None else replace(term, arguments=parts)
        case Literal():
            return term
        case _:
            return None


def _all_unpacked(terms: Sequence[Expr], names: tuple[str, ...]) -> tuple[Expr, ...] | None:
    found = [_unpacked(one, names) for one in terms]
    parts = tuple(one for one in found if one is not None)
    return parts if len(parts) == len(found) else None


def _links(processor: Processor) -> Iterator[Processor]:
    ahead = [processor]
    while ahead:
        one = ahead.pop()
        if isinstance(one, Chain):
            ahead += [one.second, one.first]
        else:
            yield one
