"""A processor as text; what is used twice is written once and named.

p1 + p1  where  p1 = cumulate(add)
"""

from typing import Protocol

_SHORT = 24


class Shown(Protocol):
    """What can be written: something made of others."""

    @property
    def children(self) -> "tuple[Shown, ...]": ...
    def text(self, *children: str) -> str: ...


def shown(processor: Shown) -> str:
    """Return a processor as text, as long as it is large and not longer."""
    order, uses = _laid_out(processor)
    texts: dict[int, str] = {}
    named: list[str] = []
    for one in order:
        text = one.text(*(texts[id(child)] for child in one.children))
        if uses[id(one)] > 1 and len(text) > _SHORT:
            named.append(f"p{len(named) + 1} = {text}")
            text = f"p{len(named)}"
        texts[id(one)] = text
    return texts[id(processor)] + ("  where  " + "; ".join(named) if named else "")


def _laid_out(processor: Shown) -> tuple[list[Shown], dict[int, int]]:
    """Return all parts, children first, and how often each is used."""
    order: list[Shown] = []
    uses: dict[int, int] = {id(processor): 1}
    opened: set[int] = set()
    ahead: list[tuple[Shown, bool]] = [(processor, False)]
    while ahead:
        one, is_done = ahead.pop()
        if is_done:
            order.append(one)
        elif id(one) not in opened:
            opened.add(id(one))
            ahead.append((one, True))
            for child in reversed(one.children):
                uses[id(child)] = uses.get(id(child), 0) + 1
                ahead.append((child, False))
    return order, uses
