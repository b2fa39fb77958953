"""What the parts of a rule are called: events by their type, then numbered; points and runs by what they are."""

import re
from dataclasses import dataclass, field


@dataclass(slots=True)
class Names:
    """Gives each part of a rule a name of its own, in the order of the text.

    >>> names = Names()
    >>> [names.fresh(word) for word in ("stock", "stock", "two words", "Stock")]
    ['stock', 'stock2', 'two_words', 'Stock']
    """

    taken: set[str] = field(default_factory=set)

    def fresh(self, word: str) -> str:
        plain = re.sub(r"\W", "_", word)
        base = plain if plain.isidentifier() else f"_{plain}"
        candidates = (base, *(f"{base}{number}" for number in range(2, len(self.taken) + 3)))
        name = next(one for one in candidates if one not in self.taken)
        self.taken.add(name)
        return name
