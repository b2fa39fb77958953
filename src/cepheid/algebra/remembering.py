"""Facts about nodes, worked out once: a node never changes, so what was found about it stays true."""

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")

MOST = 4096


class ByIdentity(Generic[T, R]):
    """A function of one node that remembers its answers for as many nodes as `MOST`, each told apart by what it is.

    >>> length = ByIdentity(len)
    >>> word = "event"
    >>> length(word), length(word)
    (5, 5)
    """

    def __init__(self, function: Callable[[T], R]) -> None:
        self.function = function
        self.kept: dict[int, tuple[T, R]] = {}
        update_wrapper(self, function)

    def __call__(self, node: T) -> R:
        # The node is kept beside its answer, so no other can have its number.
        kept = self.kept.get(id(node))
        if kept is not None:
            return kept[1]
        answer = self.function(node)
        if len(self.kept) >= MOST:
            self.kept.clear()
        self.kept[id(node)] = (node, answer)
        return answer
