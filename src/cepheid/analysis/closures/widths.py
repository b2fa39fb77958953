"""How long the hull of a whole pattern can be."""

from cepheid.algebra.patterns import Pattern
from cepheid.algebra.relations import Edge
from cepheid.analysis.closures.facts import facts_about
from cepheid.analysis.closures.sizes import Lengths


def longest(pattern: Pattern, lengths: Lengths) -> int | None:
    """Return the greatest length of a match of `pattern`, None if it is unbounded."""
    return facts_about(pattern, lengths).distance((), Edge.END, (), Edge.START).high
