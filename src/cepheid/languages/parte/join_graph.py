"""The join graph of a program, as PARTE would run it: left-deep, one entry for each template.

    entry ── alpha ──┐
    entry ── alpha ──┴ join ──┐
    entry ── alpha ───────────┴ not ── production ╌╌ entry of what is emitted

The histories of the nodes with two inputs decide what a program needs; `viable_sizes` computes them.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

INBOX = 3
"""A slot for each side that a message can come from: left, top and right."""


class NodeKind(Enum):
    """What a node does, with the word it is shown by."""

    ENTRY = "entry"
    ALPHA = "alpha"
    JOIN = "join"
    NOT = "not"
    COLLECT = "collect"
    PRODUCTION = "emit"
    TERMINAL = "match"


@dataclass(frozen=True, slots=True)
class History:
    """One input of a node: how often something arrives at most, per tick, and how much of it must be held."""

    rate: Fraction
    size: int


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A node with the sizes it needs; `rate` is how often something leaves it at most, per tick."""

    number: int
    kind: NodeKind
    name: str
    rule: str | None
    rate: Fraction
    outbox: int
    window: int | None = None
    left: History | None = None
    right: History | None = None

    @property
    def inbox(self) -> int:
        return INBOX

    @property
    def histories(self) -> tuple[int, ...]:
        """The sizes of the left and the right history, none where there are no two inputs."""
        return tuple(side.size for side in (self.left, self.right) if side is not None)


@dataclass(frozen=True, slots=True)
class Edge:
    """What leaves one node and arrives at another; `feeds` where an emitted event becomes input."""

    source: int
    target: int
    rate: Fraction
    feeds: bool = False


@dataclass(frozen=True, slots=True)
class JoinGraph:
    """All nodes and edges of a program."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[Edge, ...]

    @property
    def largest(self) -> int:
        """The size of the largest history; 0 where there is none."""
        return max((size for node in self.nodes for size in node.histories), default=0)

    @property
    def event_histories(self) -> Mapping[tuple[str, str], int]:
        """The sizes of the histories that hold single events, each by its rule and its variable."""
        names = {node.number: node.name for node in self.nodes if node.kind is NodeKind.ALPHA}
        found: dict[tuple[str, str], int] = {}
        for node in self.nodes:
            inputs = [edge.source for edge in self.edges if edge.target == node.number]
            for source, size in zip(inputs, node.histories, strict=False):
                if source in names and node.rule is not None:
                    found[node.rule, names[source]] = size
        return found

    def of(self, rule: str, *kinds: NodeKind) -> tuple[GraphNode, ...]:
        """Return the nodes of a rule, those of some kinds or all."""
        return tuple(node for node in self.nodes if node.rule == rule and (not kinds or node.kind in kinds))
