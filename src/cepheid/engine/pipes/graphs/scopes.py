"""The names that a run finds in its context, each scope over another."""

from collections.abc import Mapping
from typing import Optional

from cepheid.algebra.graphs.objects import Thing


class Scope:
    """Names, over those of a parent; a name that is set here hides that of the parent."""

    __slots__ = ("names", "parent")

    def __init__(self, names: Mapping[str, Thing] | None = None, parent: Optional["Scope"] = None) -> None:
        self.names: dict[str, Thing] = dict(names or {})
        self.parent = parent

    def name(self, name: str) -> Thing:
        """Return what a name stands for; None where it is not there."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None

    get = name

    def all_names(self) -> dict[str, Thing]:
        """Return every name with what it stands for."""
        return {**({} if self.parent is None else self.parent.all_names()), **self.names}

    def has_name(self, name: str) -> bool:
        """Say whether there is such a name."""
        return name in self.names or (self.parent is not None and self.parent.has_name(name))

    def __contains__(self, name: str) -> bool:
        return self.has_name(name)
