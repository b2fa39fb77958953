"""What only a query can decide: the choice of joins that have none of their own, and keys of patterns inside patterns.

Until then a join carries `Unchosen` as its policy, and a keyed pattern stands under a `Keyed` node.
"""

from dataclasses import dataclass
from typing import TypeVar

from cepheid.algebra.keyed import keyed
from cepheid.algebra.patterns import Pattern
from cepheid.algebra.policies import Choice, Policy
from cepheid.algebra.traversal import transform

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Unchosen(Policy):
    """No choice of its own: the query's, or else all."""

    choice: Choice = Choice.ALL


@dataclass(frozen=True, slots=True)
class Keyed(Pattern):
    """`pattern`, detected separately for every value of some fields."""

    pattern: Pattern
    names: tuple[str, ...]


UNCHOSEN = Unchosen()


def settled(node: T, choice: Choice = Choice.ALL) -> T:
    """Return `node` as it is meant: with `choice` wherever none was made, and with its keys worked in."""

    def chosen(item: object) -> object:
        return Policy(choice) if isinstance(item, Unchosen) else item

    def with_keys(item: object) -> object:
        return keyed(item.pattern, item.names) if isinstance(item, Keyed) else item

    return transform(transform(node, chosen), with_keys)
