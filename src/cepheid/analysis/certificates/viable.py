"""Sizes that somebody else computed for the same program, beside those that are certified here."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from cepheid.analysis.certificates.certified_rule import shown_number


@dataclass(frozen=True, slots=True)
class ViableSize:
    """How many entries one history or box of a node must be able to hold.

    `published` is what the literature computes. `certified` is what is held here for the same thing, 0 where there is
    nothing like it, None where nobody knows.
    """

    rule: str
    node: str
    place: str
    published: int
    certified: int | None


def viable_as_data(sizes: Sequence[ViableSize]) -> list[Mapping[str, object]]:
    """Return the sizes as strings and numbers."""
    return [
        {
            "rule": one.rule,
            "node": one.node,
            "place": one.place,
            "published": one.published,
            "certified": one.certified,
        }
        for one in sizes
    ]


def viable_as_lines(sizes: Sequence[ViableSize]) -> Iterator[str]:
    r"""Yield a line for every node, after a heading.

    >>> print(*viable_as_lines([ViableSize("R", "join b", "left (a)", 141, 150)]), sep="\n")
    minimum viable sizes as published (and as certified here)
      R, join b: left (a) 141 (150)
    """
    if sizes:
        yield "minimum viable sizes as published (and as certified here)"
    for (rule, node), some in groupby(sizes, key=lambda one: (one.rule, one.node)):
        yield f"  {rule}, {node}: {', '.join(map(_shown, some))}"


def _shown(size: ViableSize) -> str:
    certified = "unknown" if size.certified is None else shown_number(size.certified)
    return f"{size.place} {shown_number(size.published)} ({certified})"
