"""The minimum viable sizes of the dissertation, each beside what the certificate of the same program says.

Events that wait are in both. Partial matches of joins are in the one only: here all parts are joined at once.
"""

from collections.abc import Iterator

from cepheid.algebra.programs import Program
from cepheid.analysis import Certificate, HistoryCertificate, Kind
from cepheid.analysis.certificates.viable import ViableSize
from cepheid.languages.parte.join_graph import GraphNode, JoinGraph, NodeKind
from cepheid.languages.parte.viable_sizes import has_all_rates, minimum_viable_sizes

_TWO_INPUT = (NodeKind.JOIN, NodeKind.NOT, NodeKind.COLLECT)


def viable_sizes(program: Program, certificate: Certificate) -> tuple[ViableSize, ...]:
    """Return the sizes of all histories and boxes; none where a rate is missing that they depend on."""
    if not has_all_rates(program):
        return ()
    graph = minimum_viable_sizes(program)
    return tuple(size for node in graph.nodes if node.kind in _TWO_INPUT for size in _of_node(node, graph, certificate))


def _of_node(node: GraphNode, graph: JoinGraph, certificate: Certificate) -> Iterator[ViableSize]:
    assert node.rule is not None
    left, right = _inputs(node, graph)
    both = zip(
        ("left", "right"), (left, right), node.histories, _certified(node, left, right, certificate), strict=True
    )
    for side, part, published, certified in both:
        yield ViableSize(node.rule, node.name, f"{side} ({part})", published, certified)
    yield ViableSize(node.rule, node.name, "outbox", node.outbox, 0)
    yield ViableSize(node.rule, node.name, "inbox", node.inbox, 0)


def _inputs(node: GraphNode, graph: JoinGraph) -> tuple[str, str]:
    """Return the variables of the left input and of the right one."""
    left, right = (graph.nodes[edge.source] for edge in graph.edges if edge.target == node.number)
    if left.kind is NodeKind.NOT:
        return _inputs(left, graph)[0], right.name
    if left.kind in _TWO_INPUT:
        return " with ".join(_inputs(left, graph)), right.name
    return left.name, right.name


def _certified(node: GraphNode, left: str, right: str, certificate: Certificate) -> tuple[int | None, int | None]:
    assert node.rule is not None
    operators = certificate.rule(node.rule).operators
    if node.kind is NodeKind.JOIN:
        joined = [one for operator in operators if operator.kind is Kind.JOIN for one in operator.histories]
        return _number(joined, left), _number(joined, right)
    # An absence or a collection is told by what it speaks of; the other input is all that stands before it.
    pairs = [operator.histories for operator in operators if operator.kind in (Kind.ABSENCE, Kind.GATHER)]
    before, beside = next(pair for pair in pairs if pair[1].part == right)
    return before.entries.number, beside.entries.number


def _number(histories: list[HistoryCertificate], part: str) -> int | None:
    return next((one.entries.number for one in histories if one.part == part), 0)
