"""A mapping that never changes, so that nodes holding one can be hashed, shared and compared."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, TypeVar

V = TypeVar("V")


class FrozenMap(Mapping[str, V], Generic[V]):
    """Names and what they stand for, in the order they were given.

    >>> FrozenMap({"total": 1}) == {"total": 1}
    True
    """

    __slots__ = ("_entries", "_hash")

    def __init__(self, entries: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        self._entries: dict[str, V] = dict(entries)
        self._hash: int | None = None

    def __getitem__(self, name: str) -> V:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._entries.items()))
        return self._hash

    def __eq__(self, other: object) -> bool:
        # The order counts: a chain's lets are evaluated one after the other.
        if isinstance(other, FrozenMap):
            return list(self._entries.items()) == list(other._entries.items())
        return self._entries == other

    def __repr__(self) -> str:
        return f"FrozenMap({self._entries!r})"


def freeze(entries: Mapping[str, V]) -> FrozenMap[V]:
    """Return `entries` as a map that never changes."""
    return entries if isinstance(entries, FrozenMap) else FrozenMap(entries)
