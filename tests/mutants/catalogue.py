"""What a mutant is: a small wrong change to the definition that the properties must notice."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Mutant:
    """Source text `old` of `module`, which stands there once, replaced by `new`; `node` is the kind it gets wrong."""

    name: str
    node: str
    module: str
    old: str
    new: str
